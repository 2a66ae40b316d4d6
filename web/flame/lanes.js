// SPDX-License-Identifier: GPL-2.0-or-later
//
// Assigns the control paths of a process to lanes (rows of the flame view), from top to bottom. The
// main path comes first. Paths of threads with the same name may share a lane if they are active at
// different times.
import { packed } from "../lanes.js";

/**
 * A lane is a list of indices into paths, sorted by time. The first lane contains only index 0, the
 * main path.
 */
export function lanesOf(rec, paths) {
	const groups = new Map();

	paths.forEach((path, i) => {
		const key = i === 0 ? "main" : `${path.root} ${rec.thread.name[path.thread]}`;

		if (!groups.has(key))
			groups.set(key, []);
		groups.get(key).push(i);
	});
	return [...groups.values()].flatMap((indices) => packed(indices, (i) => paths[i]));
}
