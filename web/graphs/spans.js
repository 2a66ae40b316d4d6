// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the threads of a graph, and their spans within its range.
import { hasFamily } from "../data/recording.js";
import { firstWhere } from "../flame/seen.js";

function processesOf(rec, process, all) {
	if (all)
		return Array(rec.process.count).keys();
	return hasFamily(rec, process) ? rec.family : [process];
}

/**
 * Returns the threads of a graph as a Map from the name of a process, as the index of a string, to
 * the threads of all processes with this name.
 */
export function threadsByName(rec, process, all) {
	const groups = new Map();

	for (const p of processesOf(rec, process, all)) {
		const name = rec.process.name[p];

		if (!groups.has(name))
			groups.set(name, []);
		for (let t = rec.process.firstThread[p]; t < rec.process.firstThread[p + 1]; t++)
			groups.get(name).push(t);
	}
	return groups;
}

/** Returns [low, high]: the spans low..high-1 of a thread overlap the range. */
export function spansWithin(rec, thread, from, to) {
	const { firstSpan } = rec.thread;
	const { start } = rec.span;
	const first = firstSpan[thread], end = firstSpan[thread + 1];

	if (first === end || rec.thread.from[thread] >= to || rec.thread.to[thread] <= from)
		return [first, first];
	const low = firstWhere(first + 1, end, (i) => start[i] > from) - 1;

	return [low, firstWhere(low, end, (i) => start[i] >= to)];
}
