// SPDX-License-Identifier: GPL-2.0-or-later
//
// Control paths and a range -> the numbers of the category table and of the list of paths.
import { categoryTimes } from "../flame/weights.js";

const UNKNOWN_KEYS = ["lost", "unrecorded", "edge", "unaccounted"];

/**
 * whole: the range contains the whole explained time. Only then do the figures apply that the file
 * has only for the whole: own threads, number of participants, awaited time.
 */
export function pathSums(rec, explained, from, to) {
	const { list } = explained.paths;
	const paths = list.map((path, index) => pathSum(rec, path, index, from, to));
	const times = rec.meta.categories.map((_, i) =>
		paths.reduce((sum, path) => sum + path.times[i], 0));
	const total = paths.reduce((sum, { ns }) => sum + ns, 0);

	return {
		times, total,
		accounted: total - sumOf(rec, times, (key) => UNKNOWN_KEYS.includes(key)),
		whole: list.every((path) => from <= path.from && path.to <= to),
		paths: paths.filter(({ ns }) => ns > 0),
	};
}

function pathSum(rec, path, index, from, to) {
	const { times, total } = categoryTimes(rec, path, from, to);

	return {
		path, index, times, ns: total,
		running: sumOf(rec, times, (key) => key.startsWith("running")),
		mostly: times.indexOf(Math.max(...times)),
	};
}

/** Returns the time of some categories. */
function sumOf(rec, times, isWanted) {
	return rec.meta.categories.reduce((sum, { key }, i) =>
		sum + (isWanted(key) ? times[i] : 0), 0);
}
