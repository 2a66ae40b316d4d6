// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the targets of the links of a span in the running view. A link is the change of the state
// that shows its target.
import { CAUSE, KIND, spanAt, spanEnd } from "../data/recording.js";
import { eachWakeupWithin, wakerOf } from "../data/wakeups.js";
import { TOP_AT_CHOSEN, rangeAround } from "../state.js";

export function placeOfSpan(rec, state, thread, span) {
	return {
		chosen: span, top: TOP_AT_CHOSEN,
		...rangeAround(state, rec.span.start[span], spanEnd(rec, thread, span), rec.end),
	};
}

/**
 * Returns the change of the state that selects the span of a thread at an instant, or null if the
 * thread did not exist at this instant.
 */
export function placeOfThread(rec, state, thread, t) {
	const span = spanAt(rec, thread, t);

	return span < 0 ? null : placeOfSpan(rec, state, thread, span);
}

/** The run in which a thread woke another thread at t may end at t. */
export function placeOfWaker(rec, state, thread, t) {
	const span = spanAt(rec, thread, t);
	const ran = span >= 0 && rec.span.kind[span] === KIND.run;

	return placeOfThread(rec, state, thread, ran ? t : t - 1);
}

/** Returns the span itself if it is a wait, otherwise the last wait before it, or -1. */
export function waitBefore(rec, thread, span) {
	const first = rec.thread.firstSpan[thread];
	let i = span;

	while (i > first && rec.span.kind[i] !== KIND.blocked)
		i--;
	return rec.span.kind[i] === KIND.blocked ? i : -1;
}

/**
 * Returns {thread, at, isSender} for the thread that ended the wait before a span, or null.
 * isSender: the thread ended the wait by sending data.
 */
export function wakerOfSpan(rec, thread, span) {
	const wait = waitBefore(rec, thread, span);
	const waker = wait < 0 ? -1 : wakerOf(rec, wait);

	return waker < 0 ? null : {
		thread: waker, at: spanEnd(rec, thread, wait),
		isSender: rec.span.cause[wait] === CAUSE.net,
	};
}

/**
 * Returns the first `most` threads that a thread woke in a span, the earliest first: [{thread, at},
 * …].
 */
export function wokenBy(rec, wakeups, thread, span, most) {
	const found = [];

	eachWakeupWithin(wakeups, rec.span.start[span], spanEnd(rec, thread, span), (i) => {
		if (wakeups.waker[i] === thread)
			found.push({ thread: wakeups.wakee[i], at: wakeups.at[i] });
	});
	return found.sort((a, b) => a.at - b.at).slice(0, most);
}

/**
 * Returns the change of the state for a direction ("waker", "woken", "next", "previous") from a
 * span, or null if there is no such link.
 */
export function followed(rec, state, wakeups, thread, span, direction) {
	const { firstSpan } = rec.thread;

	if (direction === "waker") {
		const waker = wakerOfSpan(rec, thread, span);

		return waker && placeOfWaker(rec, state, waker.thread, waker.at);
	}
	if (direction === "woken") {
		const [woken] = wokenBy(rec, wakeups, thread, span, 1);

		// At this instant, the woken thread is ready to run.
		return woken ? placeOfThread(rec, state, woken.thread, woken.at) : null;
	}
	const next = direction === "next" ? span + 1 : span - 1;

	return next < firstSpan[thread] || next >= firstSpan[thread + 1] ? null
		: placeOfSpan(rec, state, thread, next);
}
