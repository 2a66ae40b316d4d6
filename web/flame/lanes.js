// SPDX-License-Identifier: GPL-2.0-or-later
//
// The control paths of a process -> lanes of the flame view, from top to bottom: first the main path,
// then those of threads with the same name together. Paths that are not at work at the same time share
// a lane.
import { packed } from "../lanes.js";

/** Lanes as lists of indices into paths, each in order of time; the first index of all is 0. */
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
