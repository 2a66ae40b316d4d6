// SPDX-License-Identifier: GPL-2.0-or-later
//
// Draws wakeups as lines from the row of the waker to the row of the woken thread: all wakeups in
// the range, or only those of the thread or span in focus.
import { WAKEUP_CLASSES, eachWakeupWithin } from "../data/wakeups.js";
import { firstWhere } from "../flame/seen.js";
import { INK } from "../scene.js";
import { ROW_HEIGHT } from "./rows.js";

/** Minimum width of the picture per line, in pixels. More lines would merge into a grey area. */
const PX_PER_LINK = 2;
/**
 * Maximum number of links that are drawn in full: with arrows, and over the whole distance to
 * threads outside the view.
 */
const WHOLE_MAX = 150;
const STUB_PX = 12;

/**
 * Maximum number of wakeups of a class that are examined for one line. A class may contain
 * millions.
 */
const LOOKS_PER_LINK = 8;

/**
 * Draws links that begin or end in visible rows. If there are too many, prefers those that ended
 * the longest waits. rows: {rowOf}; seen: {from, to, first, last}: the visible times and rows;
 * place: {xOf(t), yOf(row), width}. Returns {shown, all}: the number of drawn links, and the number
 * of wakeups in the visible time.
 */
export function layoutLinks(scene, wakeups, rows, seen, place) {
	const most = Math.max(Math.floor(place.width / PX_PER_LINK), WHOLE_MAX);
	const { links, all } = heaviest(wakeups, rows, seen, most);

	drawLinks(scene, wakeups, rows, seen, place, links);
	return { shown: links.length, all };
}

/** Draws at most WHOLE_MAX links of a thread in the visible part of from..to. */
export function layoutLinksOf(scene, wakeups, rows, { thread, from, to }, seen, place) {
	const links = [];

	eachWakeupWithin(wakeups, Math.max(from, seen.from), Math.min(to, seen.to), (i) => {
		const isOwn = wakeups.waker[i] === thread || wakeups.wakee[i] === thread;

		if (isOwn && links.length < WHOLE_MAX && isSeen(wakeups, rows, seen, i))
			links.push(i);
	});
	drawLinks(scene, wakeups, rows, seen, place, links);
}

function drawLinks(scene, wakeups, rows, seen, place, links) {
	for (const i of links) {
		const from = rows.rowOf[wakeups.waker[i]], to = rows.rowOf[wakeups.wakee[i]];

		if (links.length <= WHOLE_MAX)
			drawLink(scene, i, wakeups, place, from, to);
		else
			drawOneOfMany(scene, i, wakeups, place, from, to, seen);
	}
}

/**
 * Selects at most `most` links, class by class, the longest waits first. From a class with too many
 * links, takes an even sample. Returns {links, all}; all: the number of wakeups in the visible
 * time.
 */
function heaviest(wakeups, rows, seen, most) {
	const links = [];
	let all = 0;

	for (let c = 0; c < WAKEUP_CLASSES; c++) {
		const end = wakeups.first[c + 1];
		const low = firstWhere(wakeups.first[c], end, (i) => wakeups.at[i] >= seen.from);
		const high = firstWhere(low, end, (i) => wakeups.at[i] > seen.to);

		all += high - low;
		if (links.length < most)
			pick(wakeups, rows, seen, low, high, most, links);
	}
	return { links, all };
}

/**
 * Adds every step-th wakeup of low..high-1, if it is visible. Indices are multiples of the step, so
 * panning keeps the selection as long as the step stays the same.
 */
function pick(wakeups, rows, seen, low, high, most, links) {
	const step = Math.ceil((high - low) / ((most - links.length) * LOOKS_PER_LINK)) || 1;

	for (let i = Math.ceil(low / step) * step; i < high && links.length < most; i += step)
		if (isSeen(wakeups, rows, seen, i))
			links.push(i);
}

/**
 * Returns whether a link begins or ends in a visible row. A link that only crosses the picture
 * would show nothing.
 */
function isSeen({ waker, wakee }, { rowOf }, { first, last }, i) {
	const a = rowOf[waker[i]], b = rowOf[wakee[i]];

	if (a < 0 || b < 0 || a === b)
		return false;
	return (a >= first && a <= last) || (b >= first && b <= last);
}

function drawLink(scene, i, { at }, { xOf, yOf }, from, to) {
	const x = Math.round(xOf(at[i]));
	const down = to > from ? 1 : -1;
	const tip = yOf(to) + ROW_HEIGHT / 2 - down * 6;

	scene.line(x, yOf(from) + ROW_HEIGHT / 2, x, tip, INK.link);
	scene.line(x - 3, tip - down * 4, x, tip, INK.link);
	scene.line(x + 3, tip - down * 4, x, tip, INK.link);
}

/** Draws a link. If one of its threads is outside the view, draws only a short stub. */
function drawOneOfMany(scene, i, { at }, { xOf, yOf }, from, to, { first, last }) {
	const x = Math.round(xOf(at[i]));
	const isOnScreen = (row) => row >= first && row <= last;
	const stub = to > from ? STUB_PX : -STUB_PX;
	let y1 = yOf(from) + ROW_HEIGHT / 2, y2 = yOf(to) + ROW_HEIGHT / 2;

	if (!isOnScreen(to))
		y2 = y1 + stub;
	else if (!isOnScreen(from))
		y1 = y2 - stub;
	scene.line(x, y1, x, y2, INK.link);
}
