// SPDX-License-Identifier: GPL-2.0-or-later
//
// The threads of a graph, and their spans within its range.
import { firstWhere } from "../flame/seen.js";

/** The threads of each name of a process; names are indices of strings. */
export function threadsByName(rec, process, all) {
	const groups = new Map();
	const [from, to] = all ? [0, rec.process.count] : [process, process + 1];

	for (let p = from; p < to; p++) {
		const name = rec.process.name[p];

		if (!groups.has(name))
			groups.set(name, []);
		for (let t = rec.process.firstThread[p]; t < rec.process.firstThread[p + 1]; t++)
			groups.get(name).push(t);
	}
	return groups;
}

/** The spans of a thread that lie partly in a range: [low, high). */
export function spansWithin(rec, thread, from, to) {
	const { firstSpan } = rec.thread;
	const { start } = rec.span;
	const first = firstSpan[thread], end = firstSpan[thread + 1];

	if (first === end || rec.thread.from[thread] >= to || rec.thread.to[thread] <= from)
		return [first, first];
	const low = firstWhere(first + 1, end, (i) => start[i] > from) - 1;

	return [low, firstWhere(low, end, (i) => start[i] >= to)];
}
