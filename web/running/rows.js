// SPDX-License-Identifier: GPL-2.0-or-later
//
// Order of processes and a range -> rows, one for each thread that is shown.
import { KIND, lastNotAfter, spanEnd } from "../data/recording.js";

export const ROW_HEIGHT = 18;

/** {thread: threads from top to bottom, rowOf: Int32Array by thread, -1: the thread has no row}. */
export function rowsOf(rec, order, shown) {
	const { firstThread } = rec.process;
	const thread = [];
	const rowOf = new Int32Array(rec.thread.count).fill(-1);

	for (const process of order)
		for (let t = firstThread[process]; t < firstThread[process + 1]; t++)
			if (shown(t)) {
				rowOf[t] = thread.length;
				thread.push(t);
			}
	return { thread, rowOf };
}

export function isAlive(rec, thread, from, to) {
	return rec.thread.to[thread] > from && rec.thread.from[thread] < to;
}

/** Returns whether a thread ran or waited for a CPU within a range. */
export function didAnything(rec, thread, from, to) {
	const { firstSpan } = rec.thread;

	if (!isAlive(rec, thread, from, to))
		return false;
	let i = lastNotAfter(rec.span.start, firstSpan[thread], firstSpan[thread + 1], from);

	// Blocked spans are never adjacent, so the loop is short.
	for (; i < firstSpan[thread + 1] && rec.span.start[i] < to; i++)
		if (rec.span.kind[i] !== KIND.blocked && rec.span.kind[i] !== KIND.unexplained &&
		    spanEnd(rec, thread, i) > from)
			return true;
	return false;
}
