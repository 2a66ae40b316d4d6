// SPDX-License-Identifier: GPL-2.0-or-later
//
// Marks of a recording (deployments, breaches of limits, units that start or fail) -> vertical lines
// with labels over a picture of time, or over the strips.
import { atText } from "./flame/words.js";
import { INK } from "./scene.js";

const CHAR_PX = 6;
const LABEL_MAX = 32;
const LABEL_ROW_PX = 15;
const LABEL_ROWS = 3;
/** That near a line the pointer is on it. */
const NEAR_PX = 4;

const KINDS = {
	text: "marked by rspctl mark", breach: "a limit (SLO) was passed", started: "a systemd unit",
	stopped: "a systemd unit", failed: "a systemd unit", dropped: "not recorded one by one",
};

const shortened = (text) =>
	text.length > LABEL_MAX ? `${text.slice(0, LABEL_MAX - 1)}…` : text;

function xOf({ from, to, width }, side, at) {
	return side + (at - from) / Math.max(to - from, 1) * Math.max(width - side, 1);
}

/** Marks within the range, each with its place. Of those on one pixel there is one line. */
function* marksIn(marks, view, side) {
	let last = -1;

	for (let i = 0; i < marks.length; i++) {
		const { at } = marks[i];

		if (at < view.from || at > view.to)
			continue;
		const x = Math.round(xOf(view, side, at));

		if (x !== last)
			yield { mark: marks[i], x };
		last = x;
	}
}

/** view: {from, to, width, height}; side: px left of the first instant. */
export function layoutMarks(scene, marks, view, side) {
	const free = new Array(LABEL_ROWS).fill(side);

	for (const { mark, x } of marksIn(marks, view, side)) {
		const label = shortened(mark.text), room = label.length * CHAR_PX + 8;
		// Beside the line; before it where it would be cut at the edge.
		const left = x + room > view.width ? x - room - 1 : x;
		const row = free.findIndex((from) => from <= left);

		scene.line(x, 0, x, view.height, INK.event);
		// Over another label it could not be read.
		if (row < 0)
			continue;
		const y = row * LABEL_ROW_PX + LABEL_ROW_PX / 2 + 1;

		free[row] = left + room + CHAR_PX;
		scene.box(left + 2, y - LABEL_ROW_PX / 2 + 1, room - 2, LABEL_ROW_PX - 2, INK.faint);
		scene.text(left + 5, y, label, INK.event);
	}
}

/** Only the lines, as high as the strips are. */
export function layoutMarkLines(scene, marks, view, side) {
	for (const { x } of marksIn(marks, view, side))
		scene.line(x, 0, x, view.height, INK.event);
}

/** The index of the mark at x, -1: there is none. */
export function markAt(marks, view, side, x) {
	let best = -1, bestPx = NEAR_PX;

	marks.forEach(({ at }, i) => {
		const px = at < view.from || at > view.to ? Infinity : Math.abs(xOf(view, side, at) - x);

		if (px < bestPx) {
			best = i;
			bestPx = px;
		}
	});
	return best;
}

/** What a tooltip says of a mark and those at about the same time. */
export function describeMark(rec, i) {
	const { at, kind, text } = rec.marks[i];

	return { title: text, rows: [["at", atText(rec, at)], ["mark", KINDS[kind] ?? kind]] };
}
