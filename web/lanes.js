// SPDX-License-Identifier: GPL-2.0-or-later
//
// Assigns items with a beginning and an end to lanes, so that the items of a lane do not overlap.

/** Returns the lanes, as lists of things. lifeOf(thing) returns {from, to}. */
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
