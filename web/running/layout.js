// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes the boxes of the running view for the visible rows and the range.
import { KIND, spanEnd } from "../data/recording.js";
import { formatCount } from "../format.js";
import { BUSY, INK, MARKED } from "../scene.js";
import { LABEL_PADDING } from "../label.js";
import { NAMES_WIDTH } from "../scale.js";
import { ROW_HEIGHT } from "./rows.js";
import { eachSeen, inkOfSpan } from "./spans.js";
import { isKernelThread, isMainThread, rowName, runLabel, sleepLabel } from "./names.js";

const NAMES_GAP = 6;
const NAME_LEFT = 13;
const INDENT = 12;
const TID_WIDTH = 46;
const BAR = 13;
const BIRTH = 9;
const THIN = 5;
const LABEL_FROM_PX = 44;

/** Returns {pixelNs, xOf(t)} for a view: the time of a pixel in ns, and the x of an instant. */
export function projectionOf(view) {
	const plot = Math.max(view.width - NAMES_WIDTH, 1);
	const pixelNs = (view.to - view.from) / plot;

	return { pixelNs, xOf: (t) => NAMES_WIDTH + (t - view.from) / pixelNs };
}

/**
 * Draws the spans of one thread in its row, and a tick at its birth. Draws waits only if
 * options.sleeps is set, or the wait is selected. options.marks(label): returns whether the search
 * finds the label. Adds to the Map options.crowds the first span and the end of the spans of each
 * box that represents several spans.
 */
export function layoutThread(scene, rec, thread, y, view, options) {
	const { xOf, pixelNs } = projectionOf(view);
	const birth = xOf(rec.thread.from[thread]);
	const left = Math.max(birth, NAMES_WIDTH);
	const right = Math.min(xOf(rec.thread.to[thread]), view.width);

	if (right <= left)
		return;
	scene.box(left, y + ROW_HEIGHT / 2, right - left, 1, INK.grid);
	if (rec.thread.from[thread] > 0 && birth >= NAMES_WIDTH)
		scene.box(left, y + (ROW_HEIGHT - BIRTH) / 2, 1, BIRTH, INK.muted);
	eachSeen(rec, thread, view, pixelNs, (first, end, from, to) => {
		const crowd = end - first > 1;

		if (crowd)
			options.crowds.set(first, end);
		if (!crowd && rec.span.kind[first] === KIND.blocked && !options.sleeps &&
		    first !== options.chosen)
			return;
		const place = { ...clipped(xOf(from), xOf(to), view), y };

		layoutSpan(scene, rec, thread, first, crowd, place, options);
	});
}

function clipped(x0, x1, view) {
	const left = Math.max(x0, NAMES_WIDTH);

	return { x: left, w: Math.max(Math.min(x1, view.width) - left, 0) };
}

function layoutSpan(scene, rec, thread, span, crowd, { x, w, y }, options) {
	const kind = rec.span.kind[span];
	const bar = kind === KIND.run || kind === KIND.blocked;
	const height = bar ? BAR : THIN;
	const label = w < LABEL_FROM_PX || crowd ? "" : labelOf(rec, thread, span);
	const flags = (crowd ? BUSY : 0) | (label && options.marks(label) ? MARKED : 0);

	scene.box(x, y + (ROW_HEIGHT - height) / 2, Math.max(w, 1), height,
		  crowd ? INK.run : inkOfSpan(rec, thread, span), span, label, flags);
}

function labelOf(rec, thread, span) {
	switch (rec.span.kind[span]) {
	case KIND.run:
		return runLabel(rec, thread, rec.span.start[span], spanEnd(rec, thread, span));
	case KIND.blocked:
		return sleepLabel(rec, span);
	default:
		return "";
	}
}

/**
 * The row of a main thread has the name of its process. After the name comes the thread ID, or the
 * number of threads that share the row.
 */
export function layoutName(scene, rec, threads, y, ref, options) {
	const [first] = threads;
	const name = rowName(rec, first);
	const left = isMainThread(rec, first) ? NAME_LEFT : NAME_LEFT + INDENT;
	const width = NAMES_WIDTH - NAMES_GAP;
	const isChosen = threads.some((one) => rec.thread.process[one] === options.process);
	const ink = isChosen ? INK.ownHead : INK.faint;
	const number = threads.length > 1 ? `\u00d7${formatCount(threads.length)}`
					  : String(rec.thread.tid[first]);

	scene.box(0, y, width, ROW_HEIGHT, ink, ref);
	scene.box(left, y + 1, width - TID_WIDTH - left, ROW_HEIGHT - 2, ink, ref, name || "?",
		  options.marks(name) ? MARKED : 0);
	scene.text(width - LABEL_PADDING - 2, y + ROW_HEIGHT / 2, number,
		   isChosen ? INK.text : INK.muted, "right");
}

export function layoutKernelLine(scene, rec, rows, row, y, width) {
	const isKernel = (i) => isKernelThread(rec, rows[i][0]);

	if (row > 0 && isKernel(row) && !isKernel(row - 1))
		scene.box(0, y, width, 1, INK.muted);
}
