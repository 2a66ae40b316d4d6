// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names spans, waits and threads in the running view.
import { CAUSE, KIND, THREAD_FLAG, frameName, lastNotAfter } from "../data/recording.js";

export function threadTitle(rec, thread) {
	return `${rec.string[rec.thread.name[thread]] || "?"} [${rec.thread.tid[thread]}]`;
}

export function processTitle(rec, process) {
	return `${rec.string[rec.process.name[process]] || "?"} [${rec.process.pid[process]}]`;
}

export function isMainThread(rec, thread) {
	return rec.process.firstThread[rec.thread.process[thread]] === thread;
}

/** Returns the name of a thread's row: for a main thread, the name of its process. */
export function rowName(rec, thread) {
	return rec.string[isMainThread(rec, thread) ? rec.process.name[rec.thread.process[thread]]
						    : rec.thread.name[thread]];
}

export function isKernelThread(rec, thread) {
	return (rec.thread.flags[thread] & THREAD_FLAG.kernel) !== 0;
}

/**
 * Functions of the scheduler, in which every wait ends, so they say nothing about a wait. Keep this
 * equal to lib/report/frame-rules.c.
 */
const SCHEDULER = /^(__schedule|(preempt_|io_)?schedule(_.*)?)$/;

/**
 * Returns the innermost function in user space. If there is none, returns the innermost function of
 * the kernel, but skips functions of the scheduler.
 */
export function innermostFunction(rec, stackNode) {
	let inKernel = "";

	for (let node = stackNode; node; node = rec.stack.parent[node]) {
		const frame = rec.stack.frame[node];

		if (!rec.frame.kernel[frame])
			return frameName(rec, frame);
		if (!inKernel || SCHEDULER.test(inKernel))
			inKernel = frameName(rec, frame);
	}
	return inKernel;
}

/** Returns the label of a blocked span: the waiting function, and the object. */
export function sleepLabel(rec, span) {
	const wait = rec.span.wait[span];
	const object = rec.string[rec.wait.object[wait]] || objectOfCause(rec, span);
	const where = innermostFunction(rec, rec.wait.stack[wait]) ||
		rec.string[rec.wait.syscall[wait]];

	return where && object ? `${where}: ${object}` : where || object;
}

/**
 * Returns the name of the object that ended a wait, or "" if a task ended it or there is no object.
 */
function objectOfCause(rec, span) {
	return rec.span.cause[span] === CAUSE.task ? "" : rec.string[rec.span.by[span]];
}

/**
 * Returns the label of a run: the innermost function of a sample near the middle of the run, or "".
 */
export function runLabel(rec, thread, from, to) {
	const low = rec.thread.firstSample[thread], high = rec.thread.firstSample[thread + 1];

	if (low === high)
		return "";
	const i = lastNotAfter(rec.sample.at, low, high, (from + to) / 2);

	// Of the samples before and after the middle of the run, one may lie outside the run.
	for (const one of [i, i + 1])
		if (one < high && rec.sample.at[one] >= from && rec.sample.at[one] < to)
			return innermostFunction(rec, rec.sample.stack[one]);
	return "";
}

const CAUSE_TEXTS = {
	[CAUSE.none]: "blocked; nobody was seen to end it",
	[CAUSE.task]: "blocked until woken by", [CAUSE.disk]: "waited for the disk",
	[CAUSE.net]: "waited for the network", [CAUSE.sleep]: "slept (in sleep())",
	[CAUSE.timeout]: "waited until a timeout", [CAUSE.hardware]: "waited for a device",
	[CAUSE.kernel]: "waited for the kernel",
};
const KIND_TEXTS = {
	[KIND.run]: "ran", [KIND.runnable]: "was ready, waited for a CPU",
	[KIND.preempted]: "was put off its CPU", [KIND.unexplained]: "unknown: records are missing",
};

/** Returns whether the span is a wait that has not ended at the end of the recording. */
export function isStillWaiting(rec, thread, span) {
	return rec.span.kind[span] === KIND.blocked && rec.span.cause[span] === CAUSE.none &&
		span + 1 === rec.thread.firstSpan[thread + 1] && rec.thread.to[thread] >= rec.end;
}

/** Returns a text such as "was ready, waited for a CPU" or "blocked until woken by cc1 [12]". */
export function spanText(rec, thread, span) {
	const { kind, cause, by } = rec.span;

	if (kind[span] !== KIND.blocked)
		return KIND_TEXTS[kind[span]] ?? "";
	if (isStillWaiting(rec, thread, span))
		return "still waiting when the recording ended";
	const text = CAUSE_TEXTS[cause[span]] ?? "blocked";

	return cause[span] === CAUSE.task ? `${text} ${threadTitle(rec, by[span])}` : text;
}
