// SPDX-License-Identifier: GPL-2.0-or-later
//
// Describes a path, a lane or a box of the flame view for the tooltip and for the side panel.
import { countText, formatCount, formatNs, formatShare } from "../format.js";
import { HEADS } from "./refs.js";
import { addToTimes, emptyTimes } from "./row-times.js";
import { ROW } from "./rows.js";
import { categoryTimes } from "./weights.js";
import { atText, categoriesOf, pathTitle, rangeText, shareText, stacksOf, taskText } from "./words.js";

/** Maximum number of names in the title of a box that represents several boxes. */
const NAMED = 2;
const PARTS_MAX = 5;
const PATHS_MAX = 12;

/** follow: a Follower. */
export function describePath(rec, path, index, { from, to }, follow) {
	const { times, total } = categoryTimes(rec, path, from, to);
	const thread = taskText(rec, path.thread);

	return {
		title: pathTitle(rec, path, index),
		rows: [
			["thread", thread, follow.toThread(path.thread, path.from)],
			["in the range", formatNs(total)], ...rowsOfCategories(rec, times, total),
			["begins, ends", `${atText(rec, path.from)}, ${atText(rec, path.to)}`],
		],
		stacks: [],
	};
}

/**
 * lane: the indices of its paths in paths. toPath(index): returns the change of the state that
 * selects a path.
 */
export function describeLane(rec, paths, lane, { from, to }, toPath) {
	const all = lane.map((index) => ({ index, ...categoryTimes(rec, paths[index], from, to) }));
	const total = all.reduce((sum, one) => sum + one.total, 0);
	const times = all[0].times.map((_, i) => all.reduce((sum, one) => sum + one.times[i], 0));
	const longest = all.filter((one) => one.total > 0).sort((a, b) => b.total - a.total);
	const name = rec.string[rec.thread.name[paths[lane[0]].thread]];

	return {
		title: `${name}: ${countText(lane.length, "path")}, one after the other`,
		rows: [
			["in the range", formatNs(total)], ...rowsOfCategories(rec, times, total),
			...longest.slice(0, PATHS_MAX).map((one) => [
				formatNs(one.total), pathTitle(rec, paths[one.index], one.index),
				toPath(one.index),
			]),
		],
		stacks: [],
	};
}

function rowsOfCategories(rec, times, total) {
	return categoriesOf(rec).map(({ name }, i) => ({ name, ns: times[i] }))
		.filter(({ ns }) => ns > 0).sort((a, b) => b.ns - a.ns)
		.map(({ name, ns }) => [name, shareText(ns, total)]);
}

/**
 * Describes a box, {piece, row, members, path, number}. piece, row: the row of the box, and a piece
 * with this row. members: the rows that the box represents, each with its first and last piece.
 * path, number: the path of the box, and its index. times: a RowTimes.
 */
export function describeBox(rec, rows, times, totals, box, follow) {
	const { from, to } = rec.piece;
	const { piece, row, members, path, number } = box;
	const parts = partsOf(rows, times, members);
	const begin = from[members[0].first], end = to[members.at(-1).last];
	const range = rangeText(rec, begin, end);
	const stacksRange = rangeText(rec, from[piece], to[piece]);
	const onStack = totals[row] ?? 0;

	return {
		title: parts.length > 1 ? joinedTitle(parts) : rows.label(row),
		rows: [
			...parts.length > 1 ? rowsOfParts(parts, range, end - begin)
				: rowsOfOne(rows, row, parts[0], range, end - begin),
			...stacksRange === range ? [] : [["the stacks are of", stacksRange]],
			["in the range", `${formatNs(onStack)} on this stack, ` +
				`${formatShare(onStack, totals[0])} of all paths`],
			["path", pathTitle(rec, path, number), { chosen: HEADS + number }],
			...rowsOfAwaited(box, follow),
		],
		stacks: stacksOf(rec, rec.piece.hop[piece], path.thread, from[piece]).map((stack) => ({
			...stack, change: follow.toThread(stack.thread, from[piece]),
		})),
	};
}

function rowsOfAwaited({ number, piece }, follow) {
	const awaited = follow.awaited(number, piece);
	const waiting = follow.waiting(number, piece);

	return [
		...awaited ? [["waits for", awaited.title, awaited.change]] : [],
		...waiting ? [["is awaited by", waiting.title, waiting.change]] : [],
	];
}

/**
 * Returns the times of the rows in a box, summed by label, the longest first: [{label, ns, run,
 * ready}, …].
 */
export function partsOf(rows, times, members) {
	const parts = new Map();

	for (const { row, first, last } of members) {
		const label = rows.label(row);
		const sum = parts.get(label) ?? { label, ...emptyTimes() };

		addToTimes(sum, times.of(row, first, last));
		parts.set(label, sum);
	}
	return [...parts.values()].sort((a, b) => b.ns - a.ns);
}

/** Returns a title such as "cc1, as and 3 others". */
export function joinedTitle(parts) {
	const named = parts.slice(0, NAMED).map(({ label }) => label).join(", ");
	const others = parts.length - NAMED;

	if (others <= 0)
		return named;
	return `${named} and ${formatCount(others)} ${others === 1 ? "other" : "others"}`;
}

function rowsOfOne(rows, row, { ns, run, ready }, range, whole) {
	const part = ns === whole ? [] : [["on this stack", shareText(ns, whole)]];

	return [...rows.facts(row), ["this box", range], ...part, ...rows.kind(row) === ROW.frame
		? [["ran", run], ["slept", ns - run - ready], ["waited for a CPU", ready]]
			.filter(([, part]) => part > 0 && part < ns)
			.map(([name, part]) => [name, shareText(part, ns)])
		: []];
}

function rowsOfParts(parts, range, whole) {
	const others = parts.slice(PARTS_MAX);
	const rows = parts.slice(0, PARTS_MAX).map(({ label, ns }) => [label, shareText(ns, whole)]);

	if (others.length)
		rows.push([countText(others.length, "other"),
			   shareText(others.reduce((sum, { ns }) => sum + ns, 0), whole)]);
	return [["this box", range], ["each too short to be seen", countText(parts.length, "kind")],
		...rows];
}
