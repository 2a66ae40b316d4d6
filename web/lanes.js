// SPDX-License-Identifier: GPL-2.0-or-later
//
// Things that last from one time to another -> lanes, in which no two of them overlap. Hundreds of
// short processes need as many lanes as ever lived at the same time.

/** lifeOf(thing): {from, to}. Each thing goes into the first lane that is free, the oldest first. */
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
