// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes boxes from the visible pieces of a path. A box is one row of a pseudo-stack. The box
// extends over adjacent pieces that have this row and the same rows below it.
import { ROW } from "./rows.js";

/** Adjacent boxes that are narrower than this are drawn as one box. */
const NARROW_PX = 2;

/**
 * Boxes, one column for each property. row: the row of the box; piece: its longest visible piece;
 * first, last: its first and last piece; from, to: its times; many: 1 if the box is narrow and
 * represents several pieces or boxes; marked: 1 if the search found it; members: the boxes that
 * were merged into it, or null.
 */
export class Boxes {
	constructor(rows, lengthOf, pixel, matches) {
		this.rows = rows;
		this.lengthOf = lengthOf;
		this.pixel = pixel;
		this.matches = matches;
		this.row = [];
		this.piece = [];
		this.first = [];
		this.last = [];
		this.from = [];
		this.to = [];
		this.many = [];
		this.marked = [];
		this.members = [];
		this.newest = []; // [depth]: the last box
	}

	get count() {
		return this.row.length;
	}

	/** Adds a box, {row, piece, first, from, many}, or merges it into the previous box. */
	add(box, last, to) {
		const { row, piece, first, from, many } = box;
		const depth = this.rows.depth[row];
		const marked = this.matches ? this.matches[this.rows.token[row]] : 0;
		const narrow = to - from < NARROW_PX * this.pixel;

		if (narrow && this.#isJoined(depth, box, last, to, marked))
			return;
		this.newest[depth] = this.row.length;
		this.row.push(row);
		this.piece.push(piece);
		this.first.push(first);
		this.last.push(last);
		this.from.push(from);
		this.to.push(to);
		this.many.push(narrow ? many : 0);
		this.marked.push(marked);
		this.members.push(null);
	}

	/** Returns the rows in box i, sorted by time: [{row, first, last}, …]. */
	membersOf(i) {
		return this.members[i] ?? [this.#asMember(i)];
	}

	/** Returns the index of the box that represents a row of a piece, or -1 if no box does. */
	indexOf(piece, row) {
		const depth = this.rows.depth[row];

		for (let i = 0; i < this.count; i++)
			if (this.rows.depth[this.row[i]] === depth && piece >= this.first[i] &&
			    piece <= this.last[i] && this.#has(i, piece, row))
				return i;
		return -1;
	}

	#has(i, piece, row) {
		return this.membersOf(i).some((one) =>
			one.row === row && piece >= one.first && piece <= one.last);
	}

	#asMember(i) {
		return { row: this.row[i], first: this.first[i], last: this.last[i] };
	}

	/**
	 * Merges a narrow box into the previous box at this depth, if that box is narrow, adjacent
	 * and of the same kind. Returns whether it did.
	 */
	#isJoined(depth, { row, piece, first, from }, last, to, marked) {
		const i = this.newest[depth];

		if (i === undefined || from - this.to[i] > this.pixel / 2 ||
		    !this.#isAlike(i, row) || !this.#isNarrow(i))
			return false;
		this.members[i] ??= [this.#asMember(i)];
		this.members[i].push({ row, first, last });
		if (this.lengthOf(piece) > this.lengthOf(this.piece[i])) {
			this.piece[i] = piece;
			this.row[i] = row;
		}
		this.last[i] = last;
		this.to[i] = to;
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
			(kind === ROW.frame || rows.ownInk(row) === rows.ownInk(this.row[i]));
	}
}

/** The boxes whose ends are not known yet, one for each depth of the current pseudo-stack. */
class Open {
	#boxes = [];
	#lengthOf;

	constructor(lengthOf) {
		this.#lengthOf = lengthOf;
	}

	get depth() {
		return this.#boxes.length;
	}

	rowAt(depth) {
		return this.#boxes[depth - 1].row;
	}

	push(row, first, from, many) {
		this.#boxes.push({ row, piece: -1, first, from, many });
	}

	/** The topmost box remembers its longest piece. */
	see(piece) {
		const top = this.#boxes.at(-1);

		if (top && (top.piece < 0 || this.#lengthOf(piece) > this.#lengthOf(top.piece)))
			top.piece = piece;
	}

	/** If a box ends, its longest piece also counts for the box below it. */
	cut(depth, last, to, boxes) {
		while (this.#boxes.length > depth) {
			const box = this.#boxes.pop();

			boxes.add(box, last, to);
			this.see(box.piece);
		}
	}
}

/**
 * Returns the Boxes of one path. hops: rec.piece.hop; seen: the result of seenPieces();
 * lengthOf(piece): returns ns; pixel: ns per pixel; matches: the result of PseudoRows.matches(), or
 * null.
 */
export function boxesOf(hops, seen, rows, lengthOf, pixel, matches) {
	const boxes = new Boxes(rows, lengthOf, pixel, matches);
	const open = new Open(lengthOf);
	let last = 0, to = -Infinity;

	for (let i = 0; i < seen.piece.length; i++) {
		const top = rows.topOf(hops[seen.piece[i]]);
		const shared = seen.from[i] - to > pixel ? 0 : sharedDepth(rows, top, open);

		open.cut(shared, last, to, boxes);
		pushAbove(rows, top, open, seen, i);
		open.see(seen.piece[i]);
		last = seen.last[i];
		to = seen.to[i];
	}
	open.cut(0, last, to, boxes);
	return boxes;
}

/** Returns the number of rows that a pseudo-stack and the open boxes have in common. */
function sharedDepth(rows, top, open) {
	let row = rows.rowAt(top, open.depth);

	while (row && open.rowAt(rows.depth[row]) !== row)
		row = rows.parent[row];
	return rows.depth[row];
}

function pushAbove(rows, top, open, seen, i) {
	const many = seen.last[i] > seen.first[i] ? 1 : 0;
	const missing = [];

	for (let row = top; rows.depth[row] > open.depth; row = rows.parent[row])
		missing.push(row);
	while (missing.length)
		open.push(missing.pop(), seen.first[i], seen.from[i], many);
}
