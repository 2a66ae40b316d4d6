// SPDX-License-Identifier: GPL-2.0-or-later
//
// Assigns threads to rows. Processes of the same name are adjacent, and share rows if they live at
// different times.
import { KIND, lastNotAfter, spanEnd } from "../data/recording.js";
import { packed } from "../lanes.js";
import { isKernelThread, isMainThread } from "./names.js";

export const ROW_HEIGHT = 18;

/**
 * Returns {rows, rowOf, count}. rows: the rows from top to bottom; a row is a list of threads by
 * age. rowOf: the row of each thread, or -1. count: the number of threads with a row.
 * shown(thread): returns whether a thread gets a row. open: a Set of names; processes with these
 * names do not share rows.
 */
export function rowsOf(rec, order, shown, open) {
	const rows = groupsOf(rec, order, shown).flatMap(({ name, processes }) =>
		blocksOf(rec, processes, open.has(name)).flatMap((block) => rowsOfBlock(rec, block)));
	const rowOf = new Int32Array(rec.thread.count).fill(-1);

	rows.forEach((threads, row) => {
		for (const thread of threads)
			rowOf[thread] = row;
	});
	return { rows, rowOf, count: rows.reduce((sum, { length }) => sum + length, 0) };
}

/**
 * Returns the processes by name: [{name, processes: [threads, …]}, …]. Omits threads without
 * a row. A group is placed where its first process is in the order. The process of interest is
 * first, and in a group of its own.
 */
function groupsOf(rec, order, shown) {
	const { firstThread, name } = rec.process;
	const groups = new Map();

	for (const process of order) {
		const threads = [];

		for (let t = firstThread[process]; t < firstThread[process + 1]; t++)
			if (shown(t))
				threads.push(t);
		if (!threads.length)
			continue;
		const key = process === order[0] ? "first"
			: `${isKernelThread(rec, threads[0])} ${name[process]}`;
		const group = groups.get(key) ?? { name: rec.string[name[process]], processes: [] };

		group.processes.push(threads);
		groups.set(key, group);
	}
	return [...groups.values()];
}

/**
 * Returns the blocks of processes of one name: the processes of a block share rows. A process is
 * the list of its threads.
 */
function blocksOf(rec, processes, isOpen) {
	if (isOpen)
		return processes.map((threads) => [threads]);
	const place = new Map(processes.map((threads, i) => [threads, i]));
	const firstPlace = (block) => Math.min(...block.map((threads) => place.get(threads)));

	return packed(processes, (threads) => ({
		from: Math.min(...threads.map((t) => rec.thread.from[t])),
		to: Math.max(...threads.map((t) => rec.thread.to[t])),
	})).sort((a, b) => firstPlace(a) - firstPlace(b));
}

/** Returns the rows of a block: row i contains lane i of each process. */
function rowsOfBlock(rec, processes) {
	const rows = [];

	for (const threads of processes)
		lanesOfProcess(rec, threads).forEach((lane, i) => (rows[i] ??= []).push(...lane));
	return rows;
}

/**
 * Returns the lanes of a process: first its main thread, then its other threads, grouped by name.
 */
function lanesOfProcess(rec, threads) {
	const lifeOf = (t) => ({ from: rec.thread.from[t], to: rec.thread.to[t] });
	const byName = new Map();

	for (const t of threads) {
		const key = isMainThread(rec, t) ? -1 : rec.thread.name[t];

		if (!byName.has(key))
			byName.set(key, []);
		byName.get(key).push(t);
	}
	return [...byName.values()].flatMap((same) => packed(same, lifeOf));
}

export function threadsIn(rec, threads, from, to) {
	return threads.filter((thread) => isAlive(rec, thread, from, to));
}

export function isAlive(rec, thread, from, to) {
	return rec.thread.to[thread] > from && rec.thread.from[thread] < to;
}

/** Returns whether a thread ran or waited for a CPU within a range. */
export function wasActive(rec, thread, from, to) {
	const { firstSpan } = rec.thread;

	if (!isAlive(rec, thread, from, to))
		return false;
	let i = lastNotAfter(rec.span.start, firstSpan[thread], firstSpan[thread + 1], from);

	// A blocked span is followed by a span of another kind, so the loop ends soon.
	for (; i < firstSpan[thread + 1] && rec.span.start[i] < to; i++)
		if (rec.span.kind[i] !== KIND.blocked && rec.span.kind[i] !== KIND.unexplained &&
		    spanEnd(rec, thread, i) > from)
			return true;
	return false;
}
