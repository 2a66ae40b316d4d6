// SPDX-License-Identifier: GPL-2.0-or-later
//
// Wakeups within a range -> lines from the row of who woke to the row of who was woken.
import { INK } from "../scene.js";
import { ROW_HEIGHT } from "./rows.js";

/** More lines than one for so many pixels are grey fog. */
const PX_PER_LINK = 2;
/** Up to so many have arrows, and are drawn to who is not seen, too. */
const WHOLE_MAX = 150;
const STUB_PX = 12;

/**
 * Of the links that touch the visible rows those are drawn that ended the longest waits. rows:
 * {rowOf}; seen: {from, to, first, last}, times and rows; place: {xOf(t), yOf(row), width}.
 * Returns {shown, all}.
 */
export function layoutLinks(scene, wakeups, rows, seen, place) {
	const most = Math.max(Math.floor(place.width / PX_PER_LINK), WHOLE_MAX);
	const counts = new Float64Array(MAGNITUDES);

	eachLink(wakeups, rows, seen, (i) => {
		counts[magnitude(wakeups.waited[i])]++;
	});
	const all = counts.reduce((sum, n) => sum + n, 0);
	const wanted = heaviest(counts, most);
	let shown = 0;

	eachLink(wakeups, rows, seen, (i, from, to) => {
		if (!wanted(i, wakeups.waited[i]))
			return;
		shown++;
		if (all <= WHOLE_MAX)
			drawLink(scene, i, wakeups, place, from, to);
		else
			drawOneOfMany(scene, i, wakeups, place, from, to, seen);
	});
	return { shown, all };
}

function eachLink({ at, waker, wakee, first, binOf }, { rowOf }, seen, fn) {
	const end = first[binOf(seen.to) + 1];

	for (let i = first[binOf(seen.from)]; i < end; i++) {
		const from = rowOf[waker[i]], to = rowOf[wakee[i]];

		if (from < 0 || to < 0 || from === to || at[i] < seen.from || at[i] > seen.to)
			continue;
		// What only passes by would tell nothing.
		if ((from >= seen.first && from <= seen.last) || (to >= seen.first && to <= seen.last))
			fn(i, from, to);
	}
}

/** Waits of one magnitude are equal here: to sort them all would take longer than to draw them. */
function magnitude(ns) {
	return Math.floor(Math.log2(ns + 1) * 1.4);
}

const MAGNITUDES = 80;

/** A function that says which links are drawn: all above some magnitude, and a part of those of it. */
function heaviest(counts, most) {
	let least = MAGNITUDES - 1, above = 0;

	while (least > 0 && above + counts[least] <= most)
		above += counts[least--];
	const share = counts[least] ? (most - above) / counts[least] : 1;

	return (i, waited) => {
		const m = magnitude(waited);

		// The same ones in every frame, and spread evenly.
		return m > least || (m === least && scattered(i) < share);
	};
}

/** An index -> a number from 0 to 1 that looks like chance (Knuth's multiplicative hash). */
function scattered(i) {
	return (Math.imul(i, 2654435761) >>> 0) / 2 ** 32;
}

function drawLink(scene, i, { at }, { xOf, yOf }, from, to) {
	const x = Math.round(xOf(at[i]));
	const down = to > from ? 1 : -1;
	const tip = yOf(to) + ROW_HEIGHT / 2 - down * 6;

	scene.line(x, yOf(from) + ROW_HEIGHT / 2, x, tip, INK.link);
	scene.line(x - 3, tip - down * 4, x, tip, INK.link);
	scene.line(x + 3, tip - down * 4, x, tip, INK.link);
}

/** Towards who is not seen there is but a stub. */
function drawOneOfMany(scene, i, { at }, { xOf, yOf }, from, to, { first, last }) {
	const x = Math.round(xOf(at[i]));
	const isSeen = (row) => row >= first && row <= last;
	const stub = to > from ? STUB_PX : -STUB_PX;
	let y1 = yOf(from) + ROW_HEIGHT / 2, y2 = yOf(to) + ROW_HEIGHT / 2;

	if (!isSeen(to))
		y2 = y1 + stub;
	else if (!isSeen(from))
		y1 = y2 - stub;
	scene.line(x, y1, x, y2, INK.link);
}
