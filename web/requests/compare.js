// SPDX-License-Identifier: GPL-2.0-or-later
//
// Computes the mean time of each activity per request, for two groups of requests. Activities are
// those of the thread that answers, from the arrival of a request to its answer. Activities come
// from control paths or from spans. If a thread waits for a chain of tasks, a path contains the
// last task of the chain, a span the first one. If a request of either group has no path, the
// activities of both groups come from spans.
import { CAUSE, KIND } from "../data/recording.js";
import { eachPiece } from "../flame/weights.js";
import { categoriesOf } from "../flame/words.js";
import { spansWithin } from "../graphs/spans.js";

/**
 * Maximum number of requests per group whose activities are summed. More requests would hardly
 * change the means.
 */
const EXPLAINED_MAX = 1000;
/**
 * A path is used for a request if the requested span covers at least this share of the request. The
 * times in the file's META section and in its records differ by microseconds.
 */
const COVERED_MIN = 0.9;

/**
 * Returns the result of meansOf() for each group, and isByPaths: whether the activities come from
 * control paths. groups: lists of indices of points.
 */
export function timesOfGroups(rec, groups) {
	const chosen = groups.map((points) =>
		evenly(points, EXPLAINED_MAX).filter((i) => rec.point.thread[i]));
	const categories = categoriesOf(rec);
	const wordsOf = remembered((leaf) => leafWords(rec, leaf, categories));
	const pathOf = remembered((thread) => ownPathOf(rec, thread));
	const isOnPath = (i) => pathOf(rec.point.thread[i] - 1) &&
		isWithinPaths(rec, rec.point.at[i], rec.point.ns[i]);
	const isByPaths = chosen.every((points) => points.every(isOnPath));
	const sumUp = isByPaths
		? (i, add) => addPathOf(rec, i, pathOf(rec.point.thread[i] - 1), wordsOf, add)
		: (i, add) => addSpansOf(rec, i, add);

	return chosen.map((points, g) => ({
		...meansOf(rec, points, groups[g].length, sumUp), isByPaths,
	}));
}

/**
 * Returns the means of some points of a group: {count, explained, ns, parts}. count: the size of
 * the group; explained: the number of points; ns: their mean duration; parts: a Map from the text
 * of each activity to its mean time.
 */
function meansOf(rec, points, count, sumUp) {
	const parts = new Map();
	const add = (text, ns) => parts.set(text, (parts.get(text) ?? 0) + ns);
	let sum = 0;

	for (const i of points) {
		sum += rec.point.ns[i];
		sumUp(i, add);
	}
	for (const [text, ns] of parts)
		parts.set(text, ns / points.length);
	return {
		count, explained: points.length, ns: points.length ? sum / points.length : 0, parts,
	};
}

/**
 * Returns the mean time of each activity in both groups, [{text, a, b}, …], sorted by a - b, the
 * largest first.
 */
export function differencesOf(a, b) {
	const texts = new Set([...a.parts.keys(), ...b.parts.keys()]);

	return [...texts].map((text) => ({
		text, a: a.parts.get(text) ?? 0, b: b.parts.get(text) ?? 0,
	})).sort((x, y) => y.a - y.b - (x.a - x.b) || (x.text < y.text ? -1 : 1));
}

function evenly(values, most) {
	const count = Math.min(values.length, most);

	return Array.from({ length: count }, (_, i) =>
		values[Math.floor(i * values.length / count)]);
}

function remembered(fn) {
	const known = new Map();

	return (key) => {
		if (!known.has(key))
			known.set(key, fn(key));
		return known.get(key);
	};
}

function addPathOf(rec, i, path, wordsOf, add) {
	const from = rec.point.at[i], to = from + rec.point.ns[i];
	let shown = 0;

	eachPiece(rec, path, from, to, (piece, ns) => {
		shown += ns;
		add(wordsOf(rec.piece.hop[piece]), ns);
	});
	if (to - from > shown)
		add("not on a control path", to - from - shown);
}

/** Returns the control path of the thread, or undefined if the file contains no path of it. */
export function ownPathOf(rec, thread) {
	const explained = rec.explained[rec.process.explained[rec.thread.process[thread]]];

	return explained?.paths.list.find((path) => path.root && path.thread === thread);
}

/**
 * Returns whether the requested span, to which the control paths are limited, covers most of a
 * request.
 */
export function isWithinPaths({ meta, end }, at, ns) {
	const { since = 0, until = end } = meta;

	return Math.min(at + ns, until) - Math.max(at, since) >= ns * COVERED_MIN;
}

/** Returns a text such as "computing" or "waiting for php-fpm, which was sleeping". */
function leafWords(rec, leaf, categories) {
	const { what, name, parent, object } = rec.hop;
	const category = categories[what[leaf] - 1];
	const doing = category?.doing ?? "waiting";
	const of = rec.string[object[leaf]];
	const text = of && !doing.startsWith("computing") ? `${doing}: ${of}` : doing;

	return parent[leaf] ? `waiting for ${rec.string[name[leaf]]}, which was ${text}` : text;
}

function addSpansOf(rec, i, add) {
	const thread = rec.point.thread[i] - 1;
	const from = rec.point.at[i], to = from + rec.point.ns[i];
	const [low, high] = spansWithin(rec, thread, from, to);
	const { start } = rec.span;
	const last = rec.thread.firstSpan[thread + 1] - 1;

	for (let k = low; k < high; k++) {
		const end = k < last ? start[k + 1] : rec.thread.to[thread];

		add(spanWords(rec, k), Math.min(end, to) - Math.max(start[k], from));
	}
}

const KIND_WORDS = {
	[KIND.run]: "computing", [KIND.runnable]: "waiting for a CPU",
	[KIND.preempted]: "preempted", [KIND.unexplained]: "in a gap of lost records",
};

const CAUSE_WORDS = {
	[CAUSE.none]: "unexplained by the records", [CAUSE.disk]: "waiting for the disk",
	[CAUSE.net]: "waiting for the network", [CAUSE.sleep]: "sleeping",
	[CAUSE.timeout]: "waiting until a timeout", [CAUSE.hardware]: "waiting for hardware",
	[CAUSE.kernel]: "waiting inside the kernel",
};

function spanWords(rec, span) {
	const { kind, cause, by, waker } = rec.span;
	const called = (thread) => rec.string[rec.thread.name[thread]];

	if (kind[span] !== KIND.blocked)
		return KIND_WORDS[kind[span]];
	if (cause[span] === CAUSE.task)
		return `waiting for ${called(by[span])}`;
	if (cause[span] === CAUSE.net && waker[span])
		return `waiting for ${called(waker[span] - 1)}`;
	return CAUSE_WORDS[cause[span]];
}
