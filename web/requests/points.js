// SPDX-License-Identifier: GPL-2.0-or-later
//
// The points of a row of the table of requests, and of a group of them. A group is "slow" (the
// slowest 1 %), "typical" (the middle half), or a span of arrival times.
import { POINT_FLAG } from "../data/recording.js";
import { formatCount, formatNs } from "../format.js";
import { atText } from "../flame/words.js";

/** "12.5-80": nanoseconds since base. */
const SPAN = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/;

/** Returns the points of a row: [first, end). */
export function pointsOfRow(rec, row) {
	const { firstPoint, points } = rec.requests.rows[row] ?? { firstPoint: 0, points: 0 };

	return [firstPoint, firstPoint + points];
}

/** Returns whether the file contains only some of the row's requests as points. */
export function isThinned({ count, points }) {
	return points < count;
}

/** "FROM-TO" -> {from, to}; null for "slow", "typical" and invalid text. */
export function spanOfGroup(group) {
	const match = SPAN.exec(group);

	return match && Number(match[1]) < Number(match[2])
		? { from: Number(match[1]), to: Number(match[2]) } : null;
}

export function groupOfSpan(from, to) {
	return `${Math.round(from)}-${Math.round(to)}`;
}

/** Returns the name of a group for the user. */
export function groupText(rec, group) {
	const span = spanOfGroup(group);

	if (!span)
		return group === "slow" ? "the slowest 1 %" : "the middle half";
	return `${formatNs(span.to - span.from)} from ${atText(rec, span.from, 3)}`;
}

/**
 * Returns the points of a group. If the file does not contain all points of a row, slow points are
 * overrepresented. So the groups consist of points of the even sample; only the group "slow" uses
 * all points.
 */
export function pointsOfGroup(rec, row, group) {
	const one = rec.requests.rows[row];
	const [first, end] = pointsOfRow(rec, row);
	const { at, ns, flags } = rec.point;
	const span = spanOfGroup(group);
	const isWanted = span ? (i) => at[i] >= span.from && at[i] < span.to
		: group === "slow" ? (i) => ns[i] >= one.slow_from
		: (i) => ns[i] >= one.typical_from && ns[i] <= one.typical_to;
	const points = [];

	for (let i = first; i < end; i++)
		if (isWanted(i) && (group === "slow" || flags[i] & POINT_FLAG.sampled))
			points.push(i);
	return points;
}

/** "4,000 of 1,000,000 are shown: …", or "" if all requests are shown. */
export function thinnedText(row) {
	if (!isThinned(row))
		return "";
	return `${formatCount(row.points)} of ${formatCount(row.count)} are shown: the slowest, ` +
		"the slowest one of each moment, and an even sample of the rest";
}
