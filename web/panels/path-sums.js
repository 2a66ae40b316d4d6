// SPDX-License-Identifier: GPL-2.0-or-later
//
// Computes the numbers of the category table and of the list of paths, for a range.
import { categoryTimes } from "../flame/weights.js";

const UNKNOWN_KEYS = ["lost", "unrecorded", "edge", "unaccounted"];

/**
 * Returns the sums of the control paths in a range. whole: the range contains all paths completely.
 * Only then does the page show numbers that the file contains only for complete paths.
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

function sumOf(rec, times, isWanted) {
	return rec.meta.categories.reduce((sum, { key }, i) =>
		sum + (isWanted(key) ? times[i] : 0), 0);
}
