// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes the boxes of one thread within a range, at most one per pixel.
import { CAUSE, KIND, lastNotAfter, spanEnd } from "../data/recording.js";
import { INK } from "../scene.js";
import { isStillWaiting } from "./names.js";

const BLOCKED_INK = {
	[CAUSE.none]: INK.unknown, [CAUSE.task]: INK.sleep, [CAUSE.disk]: INK.disk,
	[CAUSE.net]: INK.network, [CAUSE.sleep]: INK.timeout, [CAUSE.timeout]: INK.timeout,
	[CAUSE.hardware]: INK.interrupt, [CAUSE.kernel]: INK.interrupt,
};

export function inkOfSpan(rec, thread, span) {
	if (isStillWaiting(rec, thread, span))
		return INK.sleep;
	switch (rec.span.kind[span]) {
	case KIND.run: return INK.run;
	case KIND.blocked: return BLOCKED_INK[rec.span.cause[span]] ?? INK.unknown;
	case KIND.unexplained: return INK.unknown;
	default: return INK.runqueue;
	}
}

/**
 * Returns the first index of [low, high) whose element is greater than the value, or high. Fast if
 * the result is near low.
 */
export function gallop(values, low, high, value) {
	let step = 1;

	while (low + step < high && values[low + step] <= value)
		step *= 2;
	const end = Math.min(low + step, high);

	return low >= end || values[low] > value ? low : lastNotAfter(values, low, end, value) + 1;
}

/**
 * Calls emit(first, end, from, to) for the visible parts of a thread, from left to right. A part is
 * a span at least a pixel wide, a single narrower run, or a crowd: adjacent spans narrower than a
 * pixel, from a first run to a last run. The spans of a part are first..end-1.
 */
export function eachSeen(rec, thread, range, pixelNs, emit) {
	const { start } = rec.span;
	const low = rec.thread.firstSpan[thread];
	const high = rec.thread.firstSpan[thread + 1];
	const crowd = new Crowd(emit);
	let i = lastNotAfter(start, low, high, range.from);

	while (i < high && start[i] < range.to) {
		const end = spanEnd(rec, thread, i);

		if (end - start[i] >= pixelNs) {
			crowd.end();
			emit(i, i + 1, start[i], end);
			i++;
			continue;
		}
		let next = gallop(start, i, high, start[i] + pixelNs);

		// The last of these spans begins in this pixel. If it is wide, it is a part of its
		// own.
		if (next - 1 > i && spanEnd(rec, thread, next - 1) - start[next - 1] >= pixelNs)
			next--;
		crowd.add(rec, thread, i, next, pixelNs);
		i = next;
	}
	crowd.end();
}

class Crowd {
	#emit;
	#first = -1;
	#last = -1;
	#from = 0;
	#to = 0;

	constructor(emit) {
		this.#emit = emit;
	}

	/**
	 * Adds the spans from the first to the last run in i..next-1. These spans begin within one
	 * pixel.
	 */
	add(rec, thread, i, next, pixelNs) {
		const { kind, start } = rec.span;
		let last = next - 1;

		while (i < next && kind[i] !== KIND.run)
			i++;
		if (i === next)
			return;
		while (kind[last] !== KIND.run)
			last--;
		if (this.#first >= 0 && start[i] - this.#to >= pixelNs)
			this.end();
		if (this.#first < 0) {
			this.#first = i;
			this.#from = start[i];
		}
		this.#last = last;
		this.#to = spanEnd(rec, thread, last);
	}

	end() {
		if (this.#first >= 0)
			this.#emit(this.#first, this.#last + 1, this.#from, this.#to);
		this.#first = -1;
	}
}
