// SPDX-License-Identifier: GPL-2.0-or-later
//
// Assigns items with a beginning and an end to lanes, so that the items of a lane do not overlap.
// The number of lanes is the maximum number of items that exist at the same time.

/**
 * Returns the lanes, as lists of things. lifeOf(thing) returns {from, to}. In the order of their
 * beginnings, each thing is put into the first lane that is free.
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
