// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the path that a piece of another path waits for.
import { hopsOf } from "../data/recording.js";
import { hasPieces } from "./seen.js";
import { threadsOf, wakerAt } from "./words.js";

const NO_PATH = -1;

export class Awaited {
	#rec;
	#paths;
	#otherPath;
	#known = new Map();
	#pathOfThread;

	/** explained: an element of rec.explained that has paths. */
	constructor(rec, explained) {
		this.#rec = rec;
		this.#paths = explained.paths.list;
		this.#otherPath = rec.meta.categories.findIndex(({ key }) => key === "other_path");
		this.#pathOfThread = new Map(this.#paths.map((path, i) => [path.thread, i]));
	}

	/** Returns the path that the given piece of a path waits for, or -1. */
	of(path, piece) {
		if (this.#rec.piece.category[piece] !== this.#otherPath)
			return NO_PATH;
		if (!this.#known.has(piece))
			this.#known.set(piece, this.#find(path, piece));
		return this.#known.get(piece);
	}

	/**
	 * Returns the path of the thread that ended the wait. If no path belongs to this thread,
	 * returns the only path of the awaited name that was active during the wait, or NO_PATH.
	 */
	#find(path, piece) {
		const rec = this.#rec;
		const hop = rec.piece.hop[piece];
		const at = rec.piece.from[piece];
		const first = this.#paths[path].thread;
		const thread = threadsOf(rec, hopsOf(rec, hop), first, at).at(-1);
		const waker = this.#pathOfThread.get(wakerAt(rec, thread, at));

		if (waker !== undefined && waker !== path)
			return waker;
		const object = rec.string[rec.hop.object[hop]];
		const candidates = [...this.#paths.keys()].filter((i) =>
			i !== path && this.#isAtWork(i, object, piece));

		return candidates.length === 1 ? candidates[0] : NO_PATH;
	}

	#isAtWork(i, name, piece) {
		const path = this.#paths[i];
		const { from, to } = this.#rec.piece;

		return this.#rec.string[this.#rec.thread.name[path.thread]] === name &&
			hasPieces(this.#rec.piece, path, from[piece], to[piece]);
	}
}
