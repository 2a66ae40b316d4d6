// SPDX-License-Identifier: GPL-2.0-or-later
//
// The pieces of control paths -> how long a row was in the pseudo-stack within a range of pieces,
// and the activity of the row. A box of the flame view may stand for a million pieces. A loop over
// them would be too slow, so each row has a list of stretches. A stretch consists of adjacent
// pieces without a gap that all have the row. It contains the sums of all stretches before it. If
// only a part of a stretch counts, its pieces are summed by the number of hops of their chain. A
// row of the last hop of a chain has the activity of the leaf; a row below it sleeps.
import { firstWhere } from "./seen.js";
import { NATURE } from "./words.js";

/** Sums in ns: all, on a CPU (run), waiting for a CPU (ready). The rest is sleep. */
export function emptyTimes() {
	return { ns: 0, run: 0, ready: 0 };
}

export function addToTimes(sum, { ns, run, ready }) {
	sum.ns += ns;
	sum.run += run;
	sum.ready += ready;
}

/** For up to this many pieces, a loop over them is faster than the index. */
const FEW_PIECES = 8;

export class RowTimes {
	#rows;
	#levels; // of hops: the number of hops in the chain up to each
	#base; // index of the first piece
	#ns; // sum up to each piece
	#pieceLevel;
	#nature; // of each piece's leaf
	#byLevel; // level -> the pieces with chains of that length, and sums up to each
	#begins; // of each row: index of its first stretch in the arrays
	#first;
	#last;
	#sums; // sum up to each stretch

	/** rec.piece of all paths of one process. */
	constructor(rec, rows, paths) {
		const base = paths[0]?.firstPiece ?? 0;
		const end = paths.reduce((last, one) => last + one.pieces, base);

		this.#rows = rows;
		this.#base = base;
		this.#levels = levelsOf(rec.hop);
		this.#addPieces(rec, base, end);
		this.#addStretches(stretchesOf(rec, rows, paths));
	}

	/** Returns the times of a row within the pieces first to last of one path. */
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
	 * Returns the stretches that overlap the pieces first to last, but only within the pieces
	 * least to most. Without the widening, the result would depend on the pixels at which a box
	 * begins and ends.
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

	/** Adds the times of pieces, all of which have the row. */
	#addPieceTimes(sum, row, first, last) {
		const level = this.#levels[this.#rows.hop[row]];
		const one = this.#byLevel[level];

		sum.ns += this.#ns[last + 1 - this.#base] - this.#ns[first - this.#base];
		if (last - first < FEW_PIECES)
			this.#addFew(sum, level, first, last);
		else if (one)
			this.#addMany(sum, one, first, last);
	}

	/** Adds the times in a loop. For few pieces, this is faster than a search. */
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

/** Returns the stretches of all rows of all paths, in the order in which they end. */
function stretchesOf(rec, rows, paths) {
	const found = { row: [], first: [], last: [] };
	const since = []; // by depth: the piece at which the open row begins

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
 * Steps to the next pseudo-stack and returns it. Ends the rows that only the old pseudo-stack has,
 * and begins the rows that only the new one has.
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

/** Returns the indices sorted by value (stable), and the beginning of each value in the result. */
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
