// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sums how long a row was in the pseudo-stack within a range of pieces, and how much of this time
// the task of the row ran or waited for a CPU. A box of the flame view may represent a million
// pieces, and a loop over them would be too slow. So each row has a list of stretches: adjacent
// pieces without a gap that all have the row. Each stretch stores the sums of all stretches before
// it. For a part of a stretch, sums over pieces are used. These sums are stored by the length of
// the chains, because only the rows of a chain's last hop run or wait for a CPU.
import { firstWhere } from "./seen.js";
import { NATURE } from "./words.js";

/** Sums in ns. ns: all time; run: on a CPU; ready: waiting for a CPU. The rest is sleep. */
export function emptyTimes() {
	return { ns: 0, run: 0, ready: 0 };
}

export function addToTimes(sum, { ns, run, ready }) {
	sum.ns += ns;
	sum.run += run;
	sum.ready += ready;
}

/** Maximum number of pieces for which a loop over them is faster than the index. */
const FEW_PIECES = 8;

export class RowTimes {
	#rows;
	#levels; // of each hop: its position in the chain, from 1
	#base; // index of the first piece
	#ns; // of each piece: the sum of all pieces before it
	#pieceLevel;
	#nature; // of each piece: the activity of its leaf
	#byLevel; // [length of a chain]: the pieces with such chains, and sums of their times
	#begins; // of each row: the index of its first stretch in the columns below
	#first;
	#last;
	#sums; // of each stretch: the sums of all stretches before it

	/** paths: all paths of one process. */
	constructor(rec, rows, paths) {
		const base = paths[0]?.firstPiece ?? 0;
		const end = paths.reduce((last, one) => last + one.pieces, base);

		this.#rows = rows;
		this.#base = base;
		this.#levels = levelsOf(rec.hop);
		this.#addPieces(rec, base, end);
		this.#addStretches(stretchesOf(rec, rows, paths));
	}

	/** Returns the times of a row within the pieces first..last of one path. */
	of(row, first, last) {
		const { ns, run, ready } = this.#sums;
		const [low, high] = this.#stretchesIn(row, first, last);
		const sum = emptyTimes();

		if (low === high)
			return sum;
		this.#addPart(sum, row, low, first, last);
		if (high - low > 1)
			this.#addPart(sum, row, high - 1, first, last);
		if (high - low > 2) {
			sum.ns += ns[high - 1] - ns[low + 1];
			sum.run += run[high - 1] - run[low + 1];
			sum.ready += ready[high - 1] - ready[low + 1];
		}
		return sum;
	}

	/**
	 * Returns the first and the last piece of the stretches of a row that overlap the pieces
	 * first..last, but within least..most.
	 */
	widened(row, first, last, least, most) {
		const [low, high] = this.#stretchesIn(row, first, last);

		return low === high ? { row, first, last } : {
			row, first: Math.max(this.#first[low], least),
			last: Math.min(this.#last[high - 1], most),
		};
	}

	#stretchesIn(row, first, last) {
		const end = this.#begins[row + 1];
		const low = firstWhere(this.#begins[row], end, (i) => this.#last[i] >= first);

		return [low, firstWhere(low, end, (i) => this.#first[i] > last)];
	}

	#addPart(sum, row, stretch, first, last) {
		this.#addPieceTimes(sum, row, Math.max(this.#first[stretch], first),
				    Math.min(this.#last[stretch], last));
	}

	/** Adds the times of the pieces first..last, all of which have the row. */
	#addPieceTimes(sum, row, first, last) {
		const level = this.#levels[this.#rows.hop[row]];
		const one = this.#byLevel[level];

		sum.ns += this.#ns[last + 1 - this.#base] - this.#ns[first - this.#base];
		if (last - first < FEW_PIECES)
			this.#addFew(sum, level, first, last);
		else if (one)
			this.#addMany(sum, one, first, last);
	}

	#addFew(sum, level, first, last) {
		for (let i = first - this.#base; i <= last - this.#base; i++) {
			if (this.#pieceLevel[i] !== level)
				continue;
			if (this.#nature[i] === NATURE.runs)
				sum.run += this.#ns[i + 1] - this.#ns[i];
			else if (this.#nature[i] === NATURE.ready)
				sum.ready += this.#ns[i + 1] - this.#ns[i];
		}
	}

	#addMany(sum, one, first, last) {
		const low = firstWhere(0, one.piece.length, (i) => one.piece[i] >= first);
		const high = firstWhere(low, one.piece.length, (i) => one.piece[i] > last);

		sum.run += one.run[high] - one.run[low];
		sum.ready += one.ready[high] - one.ready[low];
	}

	#addPieces({ piece }, base, end) {
		const rows = this.#rows;
		const counts = [];

		this.#ns = new Float64Array(end - base + 1);
		this.#pieceLevel = new Uint16Array(end - base);
		this.#nature = new Uint8Array(end - base);
		for (let i = base; i < end; i++) {
			const level = this.#levels[piece.hop[i]];

			this.#pieceLevel[i - base] = level;
			this.#nature[i - base] = rows.natureOf(piece.hop[i]);
			this.#ns[i - base + 1] = this.#ns[i - base] + piece.ns[i];
			counts[level] = (counts[level] ?? 0) + 1;
		}
		this.#byLevel = counts.map((count) => ({
			count: 0, piece: new Uint32Array(count),
			run: new Float64Array(count + 1), ready: new Float64Array(count + 1),
		}));
		for (let i = base; i < end; i++) {
			const nature = this.#nature[i - base];
			const one = this.#byLevel[this.#pieceLevel[i - base]];
			const k = one.count++;

			one.piece[k] = i;
			one.run[k + 1] = one.run[k] + (nature === NATURE.runs ? piece.ns[i] : 0);
			one.ready[k + 1] = one.ready[k] + (nature === NATURE.ready ? piece.ns[i] : 0);
		}
	}

	#addStretches({ row, first, last }) {
		const count = row.length;
		const { begins, indices } = orderOf(row, this.#rows.count);
		const ns = new Float64Array(count + 1), run = new Float64Array(count + 1);
		const ready = new Float64Array(count + 1);
		const sum = emptyTimes(); // of all stretches so far

		this.#begins = begins;
		this.#first = new Uint32Array(count);
		this.#last = new Uint32Array(count);
		for (let i = 0; i < count; i++) {
			const from = this.#first[i] = first[indices[i]];
			const to = this.#last[i] = last[indices[i]];

			this.#addPieceTimes(sum, row[indices[i]], from, to);
			ns[i + 1] = sum.ns;
			run[i + 1] = sum.run;
			ready[i + 1] = sum.ready;
		}
		this.#sums = { ns, run, ready };
	}
}

function levelsOf({ count, parent }) {
	const levels = new Uint16Array(count);

	for (let node = 1; node < count; node++)
		levels[node] = levels[parent[node]] + 1;
	return levels;
}

/** Returns the stretches of all rows and paths, in the order in which they end. */
function stretchesOf(rec, rows, paths) {
	const found = { row: [], first: [], last: [] };
	const since = []; // [depth]: the first piece of the open row

	for (const { firstPiece, pieces } of paths) {
		let top = 0;

		for (let i = firstPiece; i < firstPiece + pieces; i++) {
			if (rec.piece.gap[i] > 0)
				top = moveTop(found, rows, since, top, 0, i);
			top = moveTop(found, rows, since, top, rows.topOf(rec.piece.hop[i]), i);
		}
		moveTop(found, rows, since, top, 0, firstPiece + pieces);
	}
	return found;
}

/**
 * Moves from the pseudo-stack `top` to `next`, and returns `next`. Rows that are only in `top` end;
 * rows that are only in `next` begin.
 */
function moveTop(found, rows, since, top, next, piece) {
	const { parent, depth } = rows;
	let ending = top, beginning = next;

	while (ending !== beginning)
		if (depth[ending] >= depth[beginning]) {
			found.row.push(ending);
			found.first.push(since[depth[ending]]);
			found.last.push(piece - 1);
			ending = parent[ending];
		} else {
			beginning = parent[beginning];
		}
	for (let row = next; row !== beginning; row = parent[row])
		since[depth[row]] = piece;
	return next;
}

/** Returns the indices sorted by value (stable), and the position of each value's first index. */
function orderOf(values, count) {
	const begins = new Uint32Array(count + 1);
	const indices = new Uint32Array(values.length);

	for (const value of values)
		begins[value + 1]++;
	for (let value = 0; value < count; value++)
		begins[value + 1] += begins[value];
	const next = begins.slice();

	values.forEach((value, i) => {
		indices[next[value]++] = i;
	});
	return { begins, indices };
}
