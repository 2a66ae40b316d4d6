// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes the texts that describe threads, hops and times.
import { HOP_FLAG, KIND, CAUSE, frameName, framesOf, hopsOf, spanAt } from "../data/recording.js";
import { CATEGORY_INK } from "../palette.js";
import { INK } from "../scene.js";
import { formatNs, formatShare } from "../format.js";

/** ready: the thread waits for a CPU. */
export const NATURE = Object.freeze({ runs: 0, sleeps: 1, ready: 2 });

export function categoriesOf(rec) {
	return rec.meta.categories.map(({ key, text, name, doing }) => ({
		key, text, name, doing, ink: CATEGORY_INK[key] ?? INK.unknown, nature: natureOfCategory(key),
	}));
}

function natureOfCategory(key) {
	if (key.startsWith("running"))
		return NATURE.runs;
	return key === "runqueue" || key === "preempted" ? NATURE.ready : NATURE.sleeps;
}

/**
 * Returns a text such as "php-fpm [812]"; for a thread that is not the main thread, "php-fpm
 * [812/815]".
 */
export function taskText(rec, thread, name = rec.string[rec.thread.name[thread]]) {
	const { tid, process } = rec.thread;
	const pid = rec.process.pid[process[thread]];
	const number = tid[thread] === pid ? pid : `${pid}/${tid[thread]}`;

	return `${name} [${number}]`;
}

/** Returns a text such as "Path 3: cc1 [812], of another process". */
export function pathTitle(rec, path, index) {
	const which = index === 0 ? "Main path" : `Path ${index}`;
	const whose = path.root ? "" : ", of another process";

	return `${which}: ${taskText(rec, path.thread)}${whose}`;
}

/**
 * Returns a text such as "+1.204317 s": the time since the beginning of the requested span. The
 * time is cut, not rounded, as in reports.
 */
export function atText(rec, t, digits = 6) {
	const unit = 10 ** (9 - digits);
	const ns = Math.trunc((t - rec.origin) / unit) * unit;

	return `${ns < 0 ? "\u2212" : "+"}${(Math.abs(ns) / 1e9).toFixed(digits)} s`;
}

export function shareText(ns, whole) {
	return `${formatNs(ns)}, ${formatShare(ns, whole)}`;
}

export function rangeText(rec, from, to) {
	return `${formatNs(to - from)} from ${atText(rec, from)}`;
}

export function callOf(rec, hop) {
	return rec.string[rec.hop.syscall[hop]] || rec.string[rec.hop.object[hop]];
}

/** Returns the object of a hop, or "" if the object is only the name of the system call. */
export function objectOf(rec, hop) {
	const object = rec.string[rec.hop.object[hop]];

	return object === rec.string[rec.hop.syscall[hop]] ? "" : object;
}

/**
 * Returns the innermost function of a stack, or "". If user is set, skips functions of the kernel.
 */
export function innermost(rec, stack, user) {
	for (let node = stack; node; node = rec.stack.parent[node])
		if (!user || !rec.frame.kernel[rec.stack.frame[node]])
			return frameName(rec, rec.stack.frame[node]);
	return "";
}

/**
 * Returns a text such as "waits in poll for mysqld"; for a leaf, such as "disk I/O: /var/lib/x.db".
 */
function activityText(rec, hop, next, categories) {
	const object = objectOf(rec, hop);

	if (rec.hop.what[hop] === 0) {
		const call = rec.string[rec.hop.syscall[hop]];
		const on = object ? ` on ${object}` : "";

		return `waits${call ? ` in ${call}` : ""}${on}${next ? ` for ${next}` : ""}`;
	}
	return leafText(rec, hop, categories) + marksText(rec, hop);
}

export function leafText(rec, hop, categories) {
	const category = categories[rec.hop.what[hop] - 1];
	const object = objectOf(rec, hop);
	const name = rec.hop.flags[hop] & HOP_FLAG.throttled ? "throttled" : category.name;

	return object ? `${name}: ${object}` : name;
}

function marksText(rec, hop) {
	const flags = rec.hop.flags[hop];
	const behind = rec.string[rec.hop.behind[hop]];
	const marks = [
		behind ? `behind ${behind}` : "",
		flags & HOP_FLAG.inferred ? "inferred" : "",
		flags & HOP_FLAG.atLeast ? "at least" : "",
		flags & HOP_FLAG.shortened ? "shortened" : "",
	].filter((mark) => mark);

	return marks.length ? ` (${marks.join(", ")})` : "";
}

/**
 * Returns the thread of each hop of a chain at an instant; -1: unknown. A hop contains only a name,
 * so the function follows each wait to the thread that ended it, and compares the names. The name
 * of the first thread may have changed at an exec.
 */
export function threadsOf(rec, hops, first, t) {
	let thread = first;

	return hops.map((hop, i) => {
		if (i > 0 && thread >= 0 && !isCalled(rec, thread, hop))
			thread = -1;
		const result = thread;

		thread = wakerAt(rec, thread, t);
		return result;
	});
}

/**
 * Returns whether a hop contains the last known name of a thread, or the beginning of this name:
 * hops contain shortened names of kernel threads.
 */
export function isCalled(rec, thread, hop) {
	return rec.string[rec.thread.name[thread]].startsWith(rec.string[rec.hop.name[hop]]);
}

/** Returns the thread that ends the wait of a thread at an instant, or -1. */
export function wakerAt(rec, thread, t) {
	const { kind, cause, by } = rec.span;
	const span = thread >= 0 ? spanAt(rec, thread, t) : -1;
	const isRecorded = span >= 0 && kind[span] === KIND.blocked && cause[span] === CAUSE.task;

	return isRecorded ? by[span] : -1;
}

/**
 * Returns the stacks of a chain for the side panel, one for each hop. As in the picture, the last
 * task of the chain comes first, and the path's thread comes last.
 */
export function stacksOf(rec, hop, thread, t) {
	const categories = categoriesOf(rec);
	const hops = hopsOf(rec, hop);
	const threads = thread >= 0 ? threadsOf(rec, hops, thread, t) : [];

	return hops.map((one, i) => {
		const name = rec.string[rec.hop.name[one]];
		const subject = threads[i] >= 0 ? nameThen(rec, threads[i], one) : name;
		const next = i + 1 < hops.length ? rec.string[rec.hop.name[hops[i + 1]]] : "";

		return {
			name, subject, thread: threads[i] ?? -1,
			title: `${subject} ${activityText(rec, one, next, categories)}`,
			frames: stackLines(rec, rec.hop.stack[one]),
		};
	}).reverse();
}

/**
 * Returns the taskText() of a thread with its last known name or, if the hop contains a different
 * name, with that name.
 */
function nameThen(rec, thread, hop) {
	return isCalled(rec, thread, hop) ? taskText(rec, thread)
					  : taskText(rec, thread, rec.string[rec.hop.name[hop]]);
}

function stackLines(rec, stack) {
	return framesOf(rec, stack).map((frame) => {
		const module = rec.string[rec.frame.module[frame]];

		return module ? `${frameName(rec, frame)} (${module})` : frameName(rec, frame);
	});
}
