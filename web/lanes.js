// SPDX-License-Identifier: GPL-2.0-or-later
//
// Assigns items with a beginning and an end to lanes, so that items of one lane do not overlap. The
// number of lanes is the largest number of items that exist at the same time.

/**
 * lifeOf(item) returns {from, to}. Takes the items by their beginning, and puts each into the first
 * free lane.
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
