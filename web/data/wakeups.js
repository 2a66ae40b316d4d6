// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes a table of wakeups from the blocked spans, sorted by the magnitude of the wait, the longest
// first. So a picture quickly finds the few wakeups to draw among millions.
import { firstWhere } from "../flame/seen.js";
import { CAUSE, KIND, spanEnd } from "./recording.js";

/**
 * Wakeups are sorted by class (a range of lengths of the wait): sorting by length would take longer
 * than drawing.
 */
const CLASSES_PER_OCTAVE = 1.4;
export const WAKEUP_CLASSES = 80;

/** Number of bins into which the wakeups of a class are divided by time. */
const BINS_PER_CLASS = 1 << 12;

/**
 * Returns {count, at, waker, wakee, first}. The wakeups of class c have the indices first[c] to
 * first[c + 1] - 1, and are sorted by time. Class 0 has the longest waits.
 */
export function wakeupsOf(rec) {
	const binOf = (at, waited) => {
		const bin = Math.floor(at / Math.max(rec.end, 1) * BINS_PER_CLASS);

		return classOf(waited) * BINS_PER_CLASS + Math.min(Math.max(bin, 0), BINS_PER_CLASS - 1);
	};
	const bins = new Uint32Array(WAKEUP_CLASSES * BINS_PER_CLASS + 1);

	eachWakeup(rec, (span, waker, wakee, end) => {
		bins[binOf(end, end - rec.span.start[span]) + 1]++;
	});
	for (let bin = 1; bin < bins.length; bin++)
		bins[bin] += bins[bin - 1];
	const table = placed(rec, binOf, bins);

	ordered(table, bins);
	return {
		...table,
		first: Uint32Array.from({ length: WAKEUP_CLASSES + 1 }, (_, c) => bins[c * BINS_PER_CLASS]),
	};
}

function classOf(waited) {
	const magnitude = Math.floor(Math.log2(waited + 1) * CLASSES_PER_OCTAVE);

	return Math.max(WAKEUP_CLASSES - 1 - magnitude, 0);
}

/** A comparison sort of a million wakeups would take seconds, so this is a counting sort by bin. */
function placed(rec, binOf, bins) {
	const count = bins.at(-1);
	const next = bins.slice();
	const table = {
		count, at: new Float64Array(count), waker: new Uint32Array(count),
		wakee: new Uint32Array(count),
	};

	eachWakeup(rec, (span, waker, wakee, end) => {
		const i = next[binOf(end, end - rec.span.start[span])]++;

		table.at[i] = end;
		table.waker[i] = waker;
		table.wakee[i] = wakee;
	});
	return table;
}

/** Insertion sort is fast for the few wakeups of most bins, but too slow for larger bins. */
function ordered(table, bins) {
	for (let bin = 0; bin + 1 < bins.length; bin++)
		if (bins[bin + 1] - bins[bin] > FEW)
			sortMany(table, bins[bin], bins[bin + 1]);
		else
			sortFew(table, bins[bin], bins[bin + 1]);
}

const FEW = 32;

function sortMany({ at, waker, wakee }, low, high) {
	const order = Array.from({ length: high - low }, (_, i) => low + i)
		.sort((a, b) => at[a] - at[b]);

	for (const column of [at, waker, wakee])
		column.set(order.map((i) => column[i]), low);
}

function sortFew({ at, waker, wakee }, low, high) {
	for (let i = low + 1; i < high; i++)
		for (let k = i; k > low && at[k - 1] > at[k]; k--)
			for (const column of [at, waker, wakee])
				[column[k - 1], column[k]] = [column[k], column[k - 1]];
}

/** Calls fn(i) for each wakeup i between two instants, one class after the other. */
export function eachWakeupWithin({ first, at }, from, to, fn) {
	for (let c = 0; c < WAKEUP_CLASSES; c++) {
		const low = firstWhere(first[c], first[c + 1], (i) => at[i] >= from);

		for (let i = low; i < first[c + 1] && at[i] <= to; i++)
			fn(i);
	}
}

/** Calls fn(span, waker, wakee, at) for each wakeup, in the order of the woken threads. */
export function eachWakeup(rec, fn) {
	const { firstSpan } = rec.thread;

	for (let wakee = 0; wakee < rec.thread.count; wakee++)
		for (let span = firstSpan[wakee]; span < firstSpan[wakee + 1]; span++) {
			const waker = wakerOf(rec, span);

			if (waker >= 0)
				fn(span, waker, wakee, spanEnd(rec, wakee, span));
		}
}

/** Returns the thread that ended a blocked span by a wakeup or by sending data, or -1. */
export function wakerOf(rec, span) {
	const { kind, cause, by, waker } = rec.span;

	if (kind[span] !== KIND.blocked)
		return -1;
	if (cause[span] === CAUSE.task)
		return by[span] < rec.thread.count ? by[span] : -1;
	return cause[span] === CAUSE.net ? waker[span] - 1 : -1;
}
