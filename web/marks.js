// SPDX-License-Identifier: GPL-2.0-or-later
//
// Draws the marks of a recording (such as deployments and exceeded limits) as vertical lines, over
// a picture over time or over the strips.
import { atText } from "./flame/words.js";
import { INK } from "./scene.js";

const CHAR_PX = 6;
const LABEL_MAX = 32;
const LABEL_ROW_PX = 15;
const LABEL_ROWS = 3;
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

/**
 * Yields each mark within the range, and its x. If several marks are on one pixel, yields only the
 * first.
 */
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

/** view: {from, to, width, height}; side: x of view.from, in px. */
export function layoutMarks(scene, marks, view, side) {
	const free = new Array(LABEL_ROWS).fill(side);

	for (const { mark, x } of marksIn(marks, view, side)) {
		const label = shortened(mark.text), room = label.length * CHAR_PX + 8;
		// The edge of the picture must not cut the label off.
		const left = x + room > view.width ? x - room - 1 : x;
		const row = free.findIndex((from) => from <= left);

		scene.line(x, 0, x, view.height, INK.event);
		// Every row already has a label at this place.
		if (row < 0)
			continue;
		const y = row * LABEL_ROW_PX + LABEL_ROW_PX / 2 + 1;

		free[row] = left + room + CHAR_PX;
		scene.box(left + 2, y - LABEL_ROW_PX / 2 + 1, room - 2, LABEL_ROW_PX - 2, INK.faint);
		scene.text(left + 5, y, label, INK.event);
	}
}

export function layoutMarkLines(scene, marks, view, side) {
	for (const { x } of marksIn(marks, view, side))
		scene.line(x, 0, x, view.height, INK.event);
}

/** Returns the index of the nearest mark to x, or -1 if no mark is near. */
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

export function describeMark(rec, i) {
	const { at, kind, text } = rec.marks[i];

	return { title: text, rows: [["at", atText(rec, at)], ["mark", KINDS[kind] ?? kind]] };
}
