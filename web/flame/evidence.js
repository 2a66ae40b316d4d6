// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the box of the flame view that shows the evidence of a finding. Evidence is a span of time
// and a thread.
import { hopsOf } from "../data/recording.js";
import { refOf } from "./refs.js";
import { pseudoRowsOf } from "./rows.js";
import { eachPiece } from "./weights.js";
import { isCalled, wakerAt } from "./words.js";

/**
 * Weights by which a box is chosen: it shows the thread itself, a thread of the same name, or
 * another thread.
 */
const ITSELF = 1, NAMESAKE = 1e-5, OTHER = 1e-10;

/**
 * Returns the ref of the box that shows the thread for the longest time within the span at..at+ns.
 * If no box shows the thread, returns a box with a thread of the same name, otherwise any box.
 * Returns -1 if no path was active in the span.
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

/**
 * Returns [hop, weight]: the hop of the thread in the chain of a piece, otherwise a hop with the
 * thread's name, otherwise the leaf; and one of the weights above.
 */
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
 * Returns the hop of a thread, or 0. A hop contains only a name, so this function follows each wait
 * to the thread that ended it.
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
