// SPDX-License-Identifier: GPL-2.0-or-later
//
// A path, or a box of the flame view -> its description beside the picture.
import { countText, formatCount, formatNs } from "../format.js";
import { addToTimes, emptyTimes } from "./row-times.js";
import { ROW } from "./rows.js";
import { categoryTimes } from "./weights.js";
import { atText, categoriesOf, rangeText, shareText, stacksOf, taskText } from "./words.js";

/** The number of parts that are named if several things are drawn as one box. */
const NAMED = 2;
const PARTS_MAX = 5;

export function pathTitle(rec, path, index) {
	const which = index === 0 ? "Main path" : `Path ${index}`;
	const whose = path.root ? "" : ", of another process";

	return `${which}: ${taskText(rec, path.thread)}${whose}`;
}

export function describePath(rec, path, index, { from, to }) {
	const { times, total } = categoryTimes(rec, path, from, to);
	const parts = categoriesOf(rec).map((category, i) => ({ category, ns: times[i] }))
		.filter(({ ns }) => ns > 0).sort((a, b) => b.ns - a.ns);

	return {
		title: pathTitle(rec, path, index),
		rows: [
			["in the range", formatNs(total)],
			...parts.map(({ category, ns }) => [category.name, shareText(ns, total)]),
			["begins, ends", `${atText(rec, path.from)}, ${atText(rec, path.to)}`],
		],
		stacks: [],
	};
}

/**
 * Returns the description of a box. box: {piece, row, members}: its row, a piece with this row, and
 * the rows in the box, each with its first and last piece. times: RowTimes; totals: the time in the
 * range by row.
 */
export function describeBox(rec, rows, times, totals, path, box) {
	const { from, to } = rec.piece;
	const { piece, row, members } = box;
	const parts = partsOf(rows, times, members);
	const begin = from[members[0].first], end = to[members.at(-1).last];
	const range = rangeText(rec, begin, end);

	return {
		title: parts.length > 1 ? joinedTitle(parts) : rows.label(row),
		rows: [
			...parts.length > 1 ? rowsOfParts(parts, range, end - begin)
				: rowsOfOne(rows, row, parts[0], range, end - begin),
			["the stacks are of", rangeText(rec, from[piece], to[piece])],
			["in the range, on this stack",
			 `${shareText(totals[row] ?? 0, totals[0])} of all paths`],
		],
		stacks: stacksOf(rec, rec.piece.hop[piece], path.thread, from[piece]),
	};
}

/** The contents of a box by label, the longest first: [{label, ns, run, ready}]. */
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

/** "cc1, as and 3 others" */
export function joinedTitle(parts) {
	const named = parts.slice(0, NAMED).map(({ label }) => label).join(", ");
	const others = parts.length - NAMED;

	if (others <= 0)
		return named;
	return `${named} and ${formatCount(others)} ${others === 1 ? "other" : "others"}`;
}

function rowsOfOne(rows, row, { ns, run, ready }, range, whole) {
	const known = [["this box", range], ["of it on this stack", shareText(ns, whole)]];

	return [...rows.facts(row), ...known, ...rows.kind(row) === ROW.frame
		? [["ran", run], ["slept", ns - run - ready], ["waited for a CPU", ready]]
			.filter(([, part]) => part > 0 && part < ns)
			.map(([name, part]) => [name, shareText(part, ns)])
		: []];
}

/** The parts of a box, each of which is too short to be drawn. */
function rowsOfParts(parts, range, whole) {
	const others = parts.slice(PARTS_MAX);
	const rows = parts.slice(0, PARTS_MAX).map(({ label, ns }) => [label, shareText(ns, whole)]);

	if (others.length)
		rows.push([countText(others.length, "other"),
			   shareText(others.reduce((sum, { ns }) => sum + ns, 0), whole)]);
	return [["this box", range], ["each too short to be seen", countText(parts.length, "kind")],
		...rows];
}
