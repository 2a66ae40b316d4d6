// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sums how long a thread ran, waited for a CPU, and was blocked in a range.
import { KIND, lastNotAfter, spanEnd } from "../data/recording.js";
import { rowName } from "./names.js";

const NAME_OF_KIND = {
	[KIND.run]: "run", [KIND.blocked]: "blocked", [KIND.unexplained]: "unknown",
	[KIND.runnable]: "ready", [KIND.preempted]: "ready",
};

export function sumsOfThread(rec, thread, from, to) {
	const low = rec.thread.firstSpan[thread], high = rec.thread.firstSpan[thread + 1];

	if (low === high)
		return emptySums();
	const first = lastNotAfter(rec.span.start, low, high, from);

	return sumsOfSpans(rec, thread, first, high, from, to);
}

export function emptySums() {
	return { runs: 0, run: 0, ready: 0, blocked: 0, unknown: 0 };
}

export function addSums(sum, other) {
	for (const name of Object.keys(sum))
		sum[name] += other[name];
}

/**
 * Returns {runs, run, ready, blocked, unknown} of the spans first..end-1 within the range: runs is
 * the number of runs, the others are times in ns.
 */
export function sumsOfSpans(rec, thread, first, end, from, to) {
	const sum = emptySums();

	for (let i = first; i < end && rec.span.start[i] < to; i++) {
		const end = Math.min(spanEnd(rec, thread, i), to);
		const ns = end - Math.max(rec.span.start[i], from);

		sum[NAME_OF_KIND[rec.span.kind[i]]] += Math.max(ns, 0);
		sum.runs += rec.span.kind[i] === KIND.run ? 1 : 0;
	}
	return sum;
}

/**
 * Returns {count, ns}: the number of threads whose names match the search, and the time for which
 * they ran.
 */
export function matchedTasks(rec, threads, query, from, to) {
	const found = threads.filter((thread) => query.test(rowName(rec, thread)));
	let ns = 0;

	for (const thread of found)
		ns += sumsOfThread(rec, thread, from, to).run;
	return { count: found.length, ns };
}
