// SPDX-License-Identifier: GPL-2.0-or-later
//
// Assigns things with a beginning and an end to lanes, so that no two things of a lane overlap. The
// number of lanes is the largest number of things that existed at the same time.

/**
 * lifeOf(thing) returns {from, to}. The oldest thing comes first; each goes into the first free
 * lane.
 */
export function packed(things, lifeOf) {
	const lanes = [], ends = [];
	const byAge = [...things].sort((a, b) => lifeOf(a).from - lifeOf(b).from);

	for (const thing of byAge) {
		const { from, to } = lifeOf(thing);
		const free = ends.findIndex((end) => end <= from);
		const lane = free < 0 ? ends.length : free;

		(lanes[lane] ??= []).push(thing);
		ends[lane] = to;
	}
	return lanes;
}
