// SPDX-License-Identifier: GPL-2.0-or-later
//
// Control paths and a range -> the numbers of the category table and of the list of paths.
import { categoryTimes } from "../flame/weights.js";

const UNKNOWN_KEYS = ["lost", "edge", "unaccounted"];

/**
 * whole: all that was explained lies in the range, so what is known of the whole only (own threads,
 * how many took part, who was awaited) holds for it.
 */
export function pathSums(rec, explained, from, to) {
	const { list } = explained.paths;
	const { times, total } = categoryTimes(rec, list, from, to);
	const unknown = rec.meta.categories.reduce((sum, { key }, i) =>
		sum + (UNKNOWN_KEYS.includes(key) ? times[i] : 0), 0);

	return {
		times, total, accounted: total - unknown,
		whole: list.every((path) => from <= path.from && path.to <= to),
		paths: list.map((path, index) => pathSum(rec, path, index, from, to))
			.filter(({ ns }) => ns > 0),
	};
}

function pathSum(rec, path, index, from, to) {
	const { times, total } = categoryTimes(rec, [path], from, to);
	const running = rec.meta.categories.reduce((sum, { key }, i) =>
		sum + (key.startsWith("running") ? times[i] : 0), 0);

	return { path, index, ns: total, running, mostly: times.indexOf(Math.max(...times)) };
}
