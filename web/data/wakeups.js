// SPDX-License-Identifier: GPL-2.0-or-later
//
// Blocked spans -> wakeups by time: who was woken by whom, and how long he had waited.
import { CAUSE, KIND, spanEnd } from "./recording.js";

/** So many that few of them share a bin, so few that they cost nothing: 256 KiB. */
const WAKEUP_BINS = 1 << 16;

/**
 * {count, at, waited, waker, wakee, span, first, binOf}: ordered by bins of time, though not within
 * them. Those from a to b are among first[binOf(a)] .. first[binOf(b) + 1].
 */
export function wakeupsOf(rec) {
	const binOf = (at) => {
		const bin = Math.floor(at / Math.max(rec.end, 1) * WAKEUP_BINS);

		return Math.min(Math.max(bin, 0), WAKEUP_BINS - 1);
	};
	const first = new Uint32Array(WAKEUP_BINS + 1);

	eachWakeup(rec, (span, waker, wakee, end) => {
		first[binOf(end) + 1]++;
	});
	for (let bin = 0; bin < WAKEUP_BINS; bin++)
		first[bin + 1] += first[bin];
	return { ...placed(rec, binOf, first), first, binOf };
}

/** A counting sort: to compare a million of them takes seconds. */
function placed(rec, binOf, first) {
	const count = first[WAKEUP_BINS];
	const next = first.slice();
	const table = {
		count, at: new Float64Array(count), waited: new Float64Array(count),
		waker: new Uint32Array(count), wakee: new Uint32Array(count),
		span: new Uint32Array(count),
	};

	eachWakeup(rec, (span, waker, wakee, end) => {
		const i = next[binOf(end)]++;

		table.at[i] = end;
		table.waited[i] = end - rec.span.start[span];
		table.waker[i] = waker;
		table.wakee[i] = wakee;
		table.span[i] = span;
	});
	return table;
}

/** fn(span, waker, wakee, at), by wakee. */
export function eachWakeup(rec, fn) {
	const { firstSpan } = rec.thread;

	for (let wakee = 0; wakee < rec.thread.count; wakee++)
		for (let span = firstSpan[wakee]; span < firstSpan[wakee + 1]; span++) {
			const waker = wakerOf(rec, span);

			if (waker >= 0)
				fn(span, waker, wakee, spanEnd(rec, wakee, span));
		}
}

/** The thread that ended a span, by a wakeup or by what it sent; -1 if none did. */
export function wakerOf(rec, span) {
	const { kind, cause, by, waker } = rec.span;

	if (kind[span] !== KIND.blocked)
		return -1;
	if (cause[span] === CAUSE.task)
		return by[span] < rec.thread.count ? by[span] : -1;
	return cause[span] === CAUSE.net ? waker[span] - 1 : -1;
}
