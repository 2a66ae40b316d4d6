// SPDX-License-Identifier: GPL-2.0-or-later
//
// A path, or a box of the flame view -> what is said of it beside the picture.
import { formatNs } from "../format.js";
import { categoryTimes } from "./weights.js";
import { atText, categoriesOf, rangeText, shareText, stacksOf, taskText } from "./words.js";

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
 * Of a row in the pseudo-stack of a piece; last: the piece that its box ends with; totals: the time
 * in the range by row.
 */
export function describeBox(rec, rows, totals, path, { piece, last, row }) {
	const { from, to } = rec.piece;
	const ns = totals[row] ?? 0;

	return {
		title: rows.label(row),
		rows: [
			...rows.facts(row),
			["this box", rangeText(rec, from[piece], to[last])],
			["the stacks are of", rangeText(rec, from[piece], to[piece])],
			["in the range, on this stack",
			 `${shareText(ns, totals[0])} of all paths`],
		],
		stacks: stacksOf(rec, rec.piece.hop[piece], path.thread, from[piece]),
	};
}
