// SPDX-License-Identifier: GPL-2.0-or-later
//
// Wakeups within a range -> lines from the row of who woke to the row of who was woken.
import { INK } from "../scene.js";
import { ROW_HEIGHT } from "./rows.js";

/** More lines than that are grey fog, and slow. */
export const LINKS_MAX = 3000;
const ARROWS_MAX = 400;

/**
 * Of the links that touch the visible rows those that ended the longest waits are drawn, up to
 * LINKS_MAX. xOf(t), yOf(row): where; rows: {rowOf}; seen: {from, to, first, last}, times and rows.
 * Returns {shown, all}.
 */
export function layoutLinks(scene, wakeups, rows, seen, xOf, yOf) {
	const counts = new Uint32Array(64);

	eachLink(wakeups, rows, seen, (i) => {
		counts[magnitude(wakeups.waited[i])]++;
	});
	const all = counts.reduce((sum, n) => sum + n, 0);
	const least = leastMagnitude(counts);
	let shown = 0;

	eachLink(wakeups, rows, seen, (i, from, to) => {
		if (shown === LINKS_MAX || magnitude(wakeups.waited[i]) < least)
			return;
		shown++;
		drawLink(scene, Math.round(xOf(wakeups.at[i])), yOf(from), yOf(to), all <= ARROWS_MAX);
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

/** The smallest magnitude such that those above it are fewer than may be drawn. */
function leastMagnitude(counts) {
	let sum = 0;

	for (let m = counts.length - 1; m >= 0; m--) {
		sum += counts[m];
		if (sum >= LINKS_MAX)
			return m;
	}
	return 0;
}

function drawLink(scene, x, yFrom, yTo, arrow) {
	const middle = ROW_HEIGHT / 2;
	const down = yTo > yFrom ? 1 : -1;
	const tip = yTo + middle - down * 6;

	scene.line(x, yFrom + middle, x, tip, INK.link);
	if (!arrow)
		return;
	scene.line(x - 3, tip - down * 4, x, tip, INK.link);
	scene.line(x + 3, tip - down * 4, x, tip, INK.link);
}
