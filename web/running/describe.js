// SPDX-License-Identifier: GPL-2.0-or-later
//
// Describes spans, merged spans, threads and rows of threads for the tooltip and the side panel:
// {title, rows, stacks}. An element of rows is [name, value, change]. In the panel, a click on the
// value applies the change to the state, if there is a change.
import { CAUSE, KIND, frameName, framesOf, lastNotAfter, spanEnd } from "../data/recording.js";
import { atText } from "../flame/words.js";
import { countText, formatCount, formatNs, formatShare } from "../format.js";
import { wakerOfSpan, wokenBy } from "./follow.js";
import { addSums, emptySums, sumsOfSpans, sumsOfThread } from "./sums.js";
import { processTitle, rowName, spanText, threadTitle } from "./names.js";

const STACKS_MAX = 5;
const WOKEN_MAX = 3;
const LONGEST_MAX = 8;

/** Returns {title, frames}; frames: the names of the frames, the outermost first. */
function stackText(rec, title, stackNode) {
	return { title, frames: framesOf(rec, stackNode).map((frame) => frameName(rec, frame)) };
}

/**
 * follow: {wakeups, toWaker(thread, t), toThread(thread, t), toSpan(thread, span)}. Each of the
 * functions returns the change of the state that shows the waker, the thread or the span.
 */
export function describeSpan(rec, thread, span, follow) {
	const start = rec.span.start[span], end = spanEnd(rec, thread, span);
	const run = rec.span.kind[span] === KIND.run;

	return {
		title: `${threadTitle(rec, thread)} ${spanText(rec, thread, span)}`,
		rows: [
			["for", formatNs(end - start)], ["at", atText(rec, start)],
			...(run ? rowsOfRun(rec, thread, span, end) : rowsOfWait(rec, span)),
			...rowsOfWakeups(rec, thread, span, follow),
			...rowsOfNeighbours(rec, thread, span, follow),
		],
		stacks: run ? stacksOfRun(rec, thread, span, end) : stacksOfWait(rec, span),
	};
}

function rowsOfWakeups(rec, thread, span, { wakeups, toWaker, toThread }) {
	const waker = wakerOfSpan(rec, thread, span);
	const woken = wokenBy(rec, wakeups, thread, span, WOKEN_MAX + 1);
	const rows = woken.slice(0, WOKEN_MAX).map((one) =>
		["woke", threadTitle(rec, one.thread), toThread(one.thread, one.at)]);

	if (waker)
		rows.unshift([waker.isSender ? "data sent by" : "woken by",
			      threadTitle(rec, waker.thread), toWaker(waker.thread, waker.at)]);
	if (woken.length > WOKEN_MAX)
		rows.push(["", "and others"]);
	return rows;
}

function rowsOfNeighbours(rec, thread, span, { toSpan }) {
	const { firstSpan } = rec.thread;
	const isOwn = (i) => i >= firstSpan[thread] && i < firstSpan[thread + 1];

	return [["before", span - 1], ["after", span + 1]].filter(([, i]) => isOwn(i))
		.map(([name, i]) => [name, spanText(rec, thread, i), toSpan(thread, i)]);
}

function rowsOfRun(rec, thread, span, end) {
	const cpu = rec.span.cpu[span];
	const { low, high } = samplesWithin(rec, thread, rec.span.start[span], end);
	const next = span + 1;
	const rows = [
		["on CPU", cpu ? String(cpu - 1) : "unknown"], ["samples", formatCount(high - low)],
	];

	return next < rec.thread.firstSpan[thread + 1] ? [...rows, ...rowsOfWait(rec, next)] : rows;
}

function rowsOfWait(rec, span) {
	const wait = rec.span.wait[span];
	const cause = rec.span.cause[span];
	const of = cause === CAUSE.task || cause === CAUSE.net ? "" : rec.string[rec.span.by[span]];

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

/** Describes the spans first..end-1, each of which is too narrow to be drawn. */
export function describeSpans(rec, thread, first, end) {
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

/**
 * Returns the row of a panel that decides whether the processes of a name share rows. isSplit: each
 * process has its own rows now. other: the change of the state to the other choice.
 */
export function shareLink(isSplit, other) {
	return ["rows", isSplit ? "let processes of this name share rows" : "show a row for each", other];
}

/**
 * flame: the change of the state that shows the thread's process in the flame view. share: see
 * shareLink(), or null.
 */
export function describeThread(rec, thread, range, { flame, share }) {
	const from = Math.max(range.from, rec.thread.from[thread]);
	const to = Math.min(range.to, rec.thread.to[thread]);
	const { parent } = rec.thread;
	const rows = [["process", processTitle(rec, rec.thread.process[thread]), flame]];

	if (parent[thread])
		rows.push(["forked by", threadTitle(rec, parent[thread] - 1)]);
	rows.push(["seen for", formatNs(Math.max(to - from, 0))]);
	if (to > from)
		rows.push(...rowsOfSums(sumsOfThread(rec, thread, from, to), to - from));
	if (share)
		rows.push(share);
	return { title: threadTitle(rec, thread), rows, stacks: [] };
}

/** toName(thread): returns the change of the state that shows a thread. */
export function describeRow(rec, threads, { from, to }, { toName, share }) {
	const all = threads.map((thread) => ({ thread, sum: sumsOfThread(rec, thread, from, to) }));
	const whole = emptySums();

	for (const { sum } of all)
		addSums(whole, sum);
	const longest = all.filter(({ sum }) => sum.run > 0).sort((a, b) => b.sum.run - a.sum.run);

	return {
		title: `${rowName(rec, threads[0])}: ${countText(threads.length, "thread")} in this row`,
		rows: [
			["", "one after the other"],
			...rowsOfSums(whole, whole.run + whole.ready + whole.blocked + whole.unknown),
			...longest.slice(0, LONGEST_MAX).map(({ thread, sum }) =>
				[`ran ${formatNs(sum.run)}`, threadTitle(rec, thread), toName(thread)]),
			share,
		],
		stacks: [],
	};
}

function rowsOfSums(sum, whole) {
	const row = (name, ns) => [name, `${formatNs(ns)}, ${formatShare(ns, whole)}`];

	return [
		["runs", formatCount(sum.runs)], row("ran", sum.run),
		row("waited for a CPU", sum.ready), row("blocked", sum.blocked),
		...(sum.unknown ? [row("unknown", sum.unknown)] : []),
	];
}
