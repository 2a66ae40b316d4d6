// SPDX-License-Identifier: GPL-2.0-or-later
//
// A span, a crowd of spans, a thread -> the description in the tooltip and the side panel.
import { CAUSE, KIND, frameName, framesOf, lastNotAfter, spanEnd } from "../data/recording.js";
import { atText } from "../flame/words.js";
import { formatCount, formatNs, formatShare } from "../format.js";
import { sumsOfSpans, sumsOfThread } from "./sums.js";
import { processTitle, spanText, threadTitle } from "./names.js";

const STACKS_MAX = 5;

/** title: "sampled", "waited in", …; frames: names, root first. */
function stackText(rec, title, stackNode) {
	return { title, frames: framesOf(rec, stackNode).map((frame) => frameName(rec, frame)) };
}

export function describeSpan(rec, thread, span) {
	const start = rec.span.start[span], end = spanEnd(rec, thread, span);
	const run = rec.span.kind[span] === KIND.run;

	return {
		title: `${threadTitle(rec, thread)} ${spanText(rec, span)}`,
		rows: [
			["for", formatNs(end - start)], ["at", atText(rec, start)],
			...(run ? rowsOfRun(rec, thread, span, end) : rowsOfWait(rec, span)),
		],
		stacks: run ? stacksOfRun(rec, thread, span, end) : stacksOfWait(rec, span),
	};
}

function rowsOfRun(rec, thread, span, end) {
	const cpu = rec.span.cpu[span];
	const { low, high } = samplesWithin(rec, thread, rec.span.start[span], end);
	const next = span + 1;
	const rows = [
		["on CPU", cpu ? String(cpu - 1) : "unknown"], ["samples", formatCount(high - low)],
	];

	if (next < rec.thread.firstSpan[thread + 1])
		rows.push(["then it", spanText(rec, next)], ...rowsOfWait(rec, next));
	return rows;
}

function rowsOfWait(rec, span) {
	const wait = rec.span.wait[span];
	const cause = rec.span.cause[span];
	const of = cause === CAUSE.task ? "" : rec.string[rec.span.by[span]];

	return [
		["call", rec.string[rec.wait.syscall[wait]]],
		["on", rec.string[rec.wait.object[wait]]],
		["of", of],
	].filter(([, value]) => value);
}

function samplesWithin(rec, thread, from, to) {
	const { firstSample } = rec.thread;
	const begin = (t) => {
		const low = firstSample[thread], high = firstSample[thread + 1];

		if (low === high || rec.sample.at[low] >= t)
			return low;
		return lastNotAfter(rec.sample.at, low, high, t - 0.5) + 1;
	};

	return { low: begin(from), high: begin(to) };
}

/**
 * The functions that occur most often in the samples, then the place where the thread left the CPU.
 */
function stacksOfRun(rec, thread, span, end) {
	const { low, high } = samplesWithin(rec, thread, rec.span.start[span], end);
	const all = formatCount(high - low);
	const stacks = commonest(rec.sample.stack.subarray(low, high)).map(([stack, count]) =>
		stackText(rec, `sampled ${formatCount(count)} of ${all} times`, stack));
	const next = span + 1;

	if (next < rec.thread.firstSpan[thread + 1] && rec.span.wait[next])
		stacks.push(stackText(rec, "left the CPU in", rec.wait.stack[rec.span.wait[next]]));
	return stacks.filter(({ frames }) => frames.length);
}

function commonest(values) {
	const counts = new Map();

	for (const value of values)
		counts.set(value, (counts.get(value) ?? 0) + 1);
	return [...counts].sort((a, b) => b[1] - a[1]).slice(0, STACKS_MAX);
}

function stacksOfWait(rec, span) {
	const { cause, by, waker, wait } = rec.span;
	const stacks = [stackText(rec, "waited in", rec.wait.stack[wait[span]])];

	if (cause[span] === CAUSE.task)
		stacks.push(stackText(rec, `woken by ${threadTitle(rec, by[span])} in`,
				      waker[span]));
	return stacks.filter(({ frames }) => frames.length);
}

/** Describes the spans first..end, each of which is too narrow to be drawn. */
export function describeCrowd(rec, thread, first, end) {
	const sum = sumsOfSpans(rec, thread, first, end, 0, Infinity);
	const whole = spanEnd(rec, thread, end - 1) - rec.span.start[first];

	return {
		title: `${threadTitle(rec, thread)} ran ${formatCount(sum.runs)} times`,
		rows: [
			["within", formatNs(whole)], ["at", atText(rec, rec.span.start[first])],
			...rowsOfSums(sum, whole), ["", "zoom in to see each run"],
		],
		stacks: [],
	};
}

/** Describes a thread, and its times in a range. */
export function describeThread(rec, thread, range) {
	const from = Math.max(range.from, rec.thread.from[thread]);
	const to = Math.min(range.to, rec.thread.to[thread]);
	const { parent } = rec.thread;
	const rows = [["process", processTitle(rec, rec.thread.process[thread])]];

	if (parent[thread])
		rows.push(["forked by", threadTitle(rec, parent[thread] - 1)]);
	rows.push(["seen for", formatNs(Math.max(to - from, 0))]);
	if (to > from)
		rows.push(...rowsOfSums(sumsOfThread(rec, thread, from, to), to - from));
	return { title: threadTitle(rec, thread), rows, stacks: [] };
}

function rowsOfSums(sum, whole) {
	const row = (name, ns) => [name, `${formatNs(ns)}, ${formatShare(ns, whole)}`];

	return [
		["runs", formatCount(sum.runs)], row("ran", sum.run),
		row("waited for a CPU", sum.ready), row("blocked", sum.blocked),
		...(sum.unknown ? [row("unknown", sum.unknown)] : []),
	];
}
