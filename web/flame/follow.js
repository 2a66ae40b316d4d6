// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the targets of the links of a box in the flame view. A link is a change of the state.
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

	/** paths: the control paths of the process; awaited: an Awaited (links.js). */
	constructor(rec, paths, awaited, rows, state) {
		this.#rec = rec;
		this.#paths = paths;
		this.#awaited = awaited;
		this.#rows = rows;
		this.#state = state;
	}

	/**
	 * Returns the change that shows a thread in the running view, or null if the thread did not
	 * exist at that time.
	 */
	toThread(thread, t) {
		const change = thread < 0 ? null : placeOfThread(this.#rec, this.#state, thread, t);

		return change && { view: "running", ...change };
	}

	/**
	 * Returns {title, change} of the path that the given piece of a path waits for, or null.
	 */
	awaited(path, piece) {
		const number = this.#awaited.of(path, piece);
		const last = number < 0 ? -1 : this.#pieceAt(number, this.#rec.piece.to[piece] - 1);

		return last < 0 ? null : this.#placeOf(number, last);
	}

	/** Returns {title, change} of a path that waits for the given piece of a path, or null. */
	waiting(path, piece) {
		const at = this.#rec.piece.from[piece];

		for (const number of this.#paths.keys()) {
			const one = number === path ? -1 : this.#pieceAt(number, at);

			if (one >= 0 && this.#awaited.of(number, one) === path)
				return this.#placeOf(number, one);
		}
		return null;
	}

	/**
	 * Returns the change of the state for a direction ("waker", "woken", "next", "previous"),
	 * or null if the box has no such link. box: {path, piece, first, last, depth}.
	 */
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

	#pieceAt(path, t) {
		const { firstPiece, pieces } = this.#paths[path];
		const end = firstPiece + pieces;
		const [low, high] = piecesIn(this.#rec.piece, firstPiece, end, t, t + 1);

		return low < high ? low : -1;
	}

	/**
	 * Returns the change that selects the box of a piece at a depth, or its topmost box if the
	 * pseudo-stack of the piece is lower.
	 */
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
