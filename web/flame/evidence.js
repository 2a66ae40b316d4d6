// SPDX-License-Identifier: GPL-2.0-or-later
//
// The evidence of a finding (a time, a thread) -> the box of the flame view that shows the
// evidence.
import { hopsOf } from "../data/recording.js";
import { refOf } from "./refs.js";
import { pseudoRowsOf } from "./rows.js";
import { eachPiece } from "./weights.js";
import { isCalled, wakerAt } from "./words.js";

/** Weights of a match: the same thread, a thread of the same name, another thread. */
const ITSELF = 1, NAMESAKE = 1e-5, OTHER = 1e-10;

/**
 * Returns the ref of the box that shows the thread at that time. If several boxes show the thread,
 * takes the longest. If none does, takes the box of a thread of the same name, or else a box of any
 * path. Returns -1 if no path was active at that time.
 */
export function evidenceRef(rec, explained, state, { at, ns, thread }) {
	const best = { weight: 0, piece: -1, hop: 0 };

	for (const path of explained.paths.list)
		eachPiece(rec, path, at, at + Math.max(ns, 1), (piece, part) => {
			const [hop, share] = hopOf(rec, path, piece, thread);

			if (part * share > best.weight)
				Object.assign(best, { weight: part * share, piece, hop });
		});
	if (best.piece < 0)
		return -1;
	const rows = pseudoRowsOf(rec, state);

	return refOf(best.piece, rows.depth[rows.topOf(best.hop)]);
}

/** Returns the hop of a thread in the chain of a piece, and the weight of the match. */
function hopOf(rec, path, piece, thread) {
	const leaf = rec.piece.hop[piece];
	const hops = hopsOf(rec, leaf);
	const itself = thread < 0 ? 0 : hopOfThread(rec, path, piece, hops, thread);
	const namesake = thread < 0 || itself ? 0
		: hops.findLast((hop) => isCalled(rec, thread, hop)) ?? 0;

	if (itself)
		return [itself, ITSELF];
	return namesake ? [namesake, NAMESAKE] : [leaf, OTHER];
}

/**
 * Returns the hop of a thread, or 0. Each wait leads to the thread that ended it. So the thread is
 * found even if it had another name at that time.
 */
function hopOfThread(rec, path, piece, hops, thread) {
	let one = path.thread;

	for (const hop of hops) {
		if (one === thread && (one === path.thread || isCalled(rec, one, hop)))
			return hop;
		one = wakerAt(rec, one, rec.piece.from[piece]);
	}
	return 0;
}
