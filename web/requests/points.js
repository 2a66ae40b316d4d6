// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the points of a row of the table of requests, and the points of a group. A group is "slow"
// (the slowest 1 %), "typical" (the middle half), or a span of arrival times.
import { POINT_FLAG } from "../data/recording.js";
import { formatCount, formatNs } from "../format.js";
import { atText } from "../flame/words.js";

/** A span such as "12.5-80": its beginning and end, in ns since meta.base_ns. */
const SPAN = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/;

/** Returns [first, end]: the points of a row are first..end-1. */
export function pointsOfRow(rec, row) {
	const { firstPoint, points } = rec.requests.rows[row] ?? { firstPoint: 0, points: 0 };

	return [firstPoint, firstPoint + points];
}

/** Returns whether the file contains only some of the requests of a row as points. */
export function isThinned({ count, points }) {
	return points < count;
}

/** Returns {from, to} of a group "FROM-TO"; null for "slow", "typical" and invalid text. */
export function spanOfGroup(group) {
	const match = SPAN.exec(group);

	return match && Number(match[1]) < Number(match[2])
		? { from: Number(match[1]), to: Number(match[2]) } : null;
}

export function groupOfSpan(from, to) {
	return `${Math.round(from)}-${Math.round(to)}`;
}

export function groupText(rec, group) {
	const span = spanOfGroup(group);

	if (!span)
		return group === "slow" ? "the slowest 1 %" : "the middle half";
	return `${formatNs(span.to - span.from)} from ${atText(rec, span.from, 3)}`;
}

/**
 * If the file contains only some requests of a row, it contains a larger share of the slow ones. So
 * only the group "slow" uses all points. Other groups use the points that were chosen evenly.
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

/** Returns a text such as "4,000 of 1,000,000 are shown: …", or "" if all requests are shown. */
export function thinnedText(row) {
	if (!isThinned(row))
		return "";
	return `${formatCount(row.points)} of ${formatCount(row.count)} are shown: the slowest, ` +
		"the slowest one of each moment, and an even sample of the rest";
}
