// SPDX-License-Identifier: GPL-2.0-or-later
//
// A box of the flame view -> the boxes that it leads to: of the path that it waits for, of the path that
// waits for it, the previous and the next one; and the change of the state that shows one of them.
import { placeOfThread } from "../running/follow.js";
import { TOP_AT_CHOSEN, rangeAround } from "../state.js";
import { refOf } from "./refs.js";
import { piecesIn } from "./seen.js";
import { pathTitle } from "./words.js";

export class Follower {
	#rec;
	#paths;
	#awaited;
	#rows;
	#state;

	/** paths: of the process; awaited: of them; rows: of the pseudo-stacks. */
	constructor(rec, paths, awaited, rows, state) {
		this.#rec = rec;
		this.#paths = paths;
		this.#awaited = awaited;
		this.#rows = rows;
		this.#state = state;
	}

	/** The change that shows a thread in the running view; null: it did not exist then. */
	toThread(thread, t) {
		const change = thread < 0 ? null : placeOfThread(this.#rec, this.#state, thread, t);

		return change && { view: "running", ...change };
	}

	/** The path that a piece of another one waits for: {title, change}; null: none. */
	awaited(path, piece) {
		const number = this.#awaited.of(path, piece);
		const last = number < 0 ? -1 : this.#pieceAt(number, this.#rec.piece.to[piece] - 1);

		return last < 0 ? null : this.#placeOf(number, last);
	}

	/** The path that waits for another one at a piece. */
	waiting(path, piece) {
		const at = this.#rec.piece.from[piece];

		for (const number of this.#paths.keys()) {
			const one = number === path ? -1 : this.#pieceAt(number, at);

			if (one >= 0 && this.#awaited.of(number, one) === path)
				return this.#placeOf(number, one);
		}
		return null;
	}

	/** A key's direction -> a change, or null. box: {path, piece, first, last, depth}. */
	to(direction, { path, piece, first, last, depth }) {
		if (direction === "waker")
			return this.awaited(path, piece)?.change ?? null;
		if (direction === "woken")
			return this.waiting(path, piece)?.change ?? null;
		const { firstPiece, pieces } = this.#paths[path];
		const next = direction === "next" ? last + 1 : first - 1;

		return next < firstPiece || next >= firstPiece + pieces ? null : this.#toPiece(next, depth);
	}

	#placeOf(number, piece) {
		return {
			title: pathTitle(this.#rec, this.#paths[number], number),
			change: this.#toPiece(piece),
		};
	}

	/** The piece of a path at an instant, -1: none. */
	#pieceAt(path, t) {
		const { firstPiece, pieces } = this.#paths[path];
		const end = firstPiece + pieces;
		const [low, high] = piecesIn(this.#rec.piece, firstPiece, end, t, t + 1);

		return low < high ? low : -1;
	}

	/** Its box at a depth, or the topmost one. */
	#toPiece(piece, depth = Infinity) {
		const { from, to, hop } = this.#rec.piece;
		const rows = this.#rows;
		const top = rows.depth[rows.topOf(hop[piece])];

		return {
			chosen: refOf(piece, Math.min(depth, top)), top: TOP_AT_CHOSEN,
			...rangeAround(this.#state, from[piece], to[piece], this.#rec.end),
		};
	}
}
