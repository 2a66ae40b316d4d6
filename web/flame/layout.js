// SPDX-License-Identifier: GPL-2.0-or-later
//
// The pieces of a path that are seen -> boxes: a row of a pseudo-stack lasts as long as neighbours
// agree in it, and in all below it.
import { ROW, SLEEPS } from "./rows.js";

/** Neighbours narrower than this are drawn as one, in pixels. */
const NARROW_PX = 2;

/**
 * Boxes in columns: row; piece, last: which pieces it begins and ends with; from, to: when; nature;
 * many: narrow, and stands for several; marked: found by the search.
 */
class Boxes {
	constructor(rows, pixel, matches) {
		this.rows = rows;
		this.pixel = pixel;
		this.matches = matches;
		this.row = [];
		this.piece = [];
		this.last = [];
		this.from = [];
		this.to = [];
		this.nature = [];
		this.many = [];
		this.marked = [];
		this.newest = []; // by depth
	}

	add(row, piece, last, from, to, nature, many) {
		const depth = this.rows.depth[row];
		const marked = this.matches ? this.matches[this.rows.token[row]] : 0;
		const narrow = to - from < NARROW_PX * this.pixel;

		if (narrow && this.#isJoined(depth, row, last, from, to, nature, marked))
			return;
		this.newest[depth] = this.row.length;
		this.row.push(row);
		this.piece.push(piece);
		this.last.push(last);
		this.from.push(from);
		this.to.push(to);
		this.nature.push(nature);
		this.many.push(narrow ? many : 0);
		this.marked.push(marked);
	}

	/** Whether it went into the one beside it. */
	#isJoined(depth, row, last, from, to, nature, marked) {
		const i = this.newest[depth];

		if (i === undefined || from - this.to[i] > this.pixel / 2 ||
		    !this.#isAlike(i, row) || !this.#isNarrow(i))
			return false;
		this.last[i] = last;
		this.to[i] = to;
		this.nature[i] |= nature;
		this.many[i] = 1;
		this.marked[i] |= marked;
		return true;
	}

	#isNarrow(i) {
		return this.many[i] || this.to[i] - this.from[i] < NARROW_PX * this.pixel;
	}

	#isAlike(i, row) {
		const { rows } = this;
		const kind = rows.kind(row);

		return kind === rows.kind(this.row[i]) &&
			(kind === ROW.frame || rows.ink(row, 0) === rows.ink(this.row[i], 0));
	}
}

/** What is open: a box for each depth of the pseudo-stack at hand. */
class Open {
	constructor() {
		this.row = [];
		this.piece = [];
		this.from = [];
		this.nature = [];
		this.many = [];
	}

	get depth() {
		return this.row.length;
	}

	push(row, piece, from, nature, many) {
		this.row.push(row);
		this.piece.push(piece);
		this.from.push(from);
		this.nature.push(nature);
		this.many.push(many);
	}

	/** Closes what is above a depth. */
	cut(depth, last, to, boxes) {
		while (this.row.length > depth)
			boxes.add(this.row.pop(), this.piece.pop(), last, this.from.pop(), to,
				  this.nature.pop(), this.many.pop());
	}
}

/** hops: rec.piece.hop; seen: of seenPieces(); matches: of PseudoRows.matches(), or null. */
export function boxesOf(hops, seen, rows, pixel, matches) {
	const boxes = new Boxes(rows, pixel, matches);
	const open = new Open();
	let last = 0, to = -Infinity;

	for (let i = 0; i < seen.piece.length; i++) {
		const hop = hops[seen.piece[i]];
		const top = rows.topOf(hop);

		const shared = seen.from[i] - to > pixel ? 0 : sharedDepth(rows, top, open);

		open.cut(shared, last, to, boxes);
		pushAbove(rows, top, open, seen, i);
		addNature(rows, hop, open);
		last = seen.last[i];
		to = seen.to[i];
	}
	open.cut(0, last, to, boxes);
	return boxes;
}

/** How many rows a pseudo-stack has in common with what is open. */
function sharedDepth(rows, top, open) {
	let row = rows.rowAt(top, open.depth);

	while (row && open.row[rows.depth[row] - 1] !== row)
		row = rows.parent[row];
	return rows.depth[row];
}

function pushAbove(rows, top, open, seen, i) {
	const many = seen.last[i] > seen.first[i] ? 1 : 0;
	const missing = [];

	for (let row = top; rows.depth[row] > open.depth; row = rows.parent[row])
		missing.push(row);
	while (missing.length)
		open.push(missing.pop(), seen.first[i], seen.from[i], 0, many);
}

/**
 * What is open has, from the top on, the nature of the leaf, and below that of who waits. What has
 * it already has it all the way down: whatever opened it opened or passed what is below, too.
 */
function addNature(rows, hop, open) {
	const ground = rows.groundOf(hop);
	const leaf = rows.natureOf(hop);

	for (let depth = open.depth; depth > 0; depth--) {
		const nature = depth > ground ? leaf : SLEEPS;

		if ((open.nature[depth - 1] & nature) === nature)
			break;
		open.nature[depth - 1] |= nature;
	}
}
