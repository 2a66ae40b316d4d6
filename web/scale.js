// SPDX-License-Identifier: GPL-2.0-or-later
//
// Draws a ruler for a range of time: round instants, and their labels.
import { INK } from "./scene.js";

export const RULER_HEIGHT = 22;
/** Width of the names at the left of a picture over time, in px. */
export const NAMES_WIDTH = 172;
const TICK_PX = 96;

/** Returns the distance of labels in ns: 1, 2 or 5 times a power of ten. */
export function tickStep(width, range) {
	const least = Math.max(range / Math.max(width / TICK_PX, 1), 1);
	const power = 10 ** Math.floor(Math.log10(least));

	return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= least * 0.999);
}

export function ticksOf(from, to, width) {
	const step = tickStep(width, to - from);
	const farthest = Math.max(Math.abs(from), Math.abs(to));
	const ticks = [];

	for (let n = Math.ceil(from / step); n * step <= to; n++)
		ticks.push({ at: n * step, text: formatInstant(n * step, step, farthest) });
	return ticks;
}

const INSTANT_UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

/**
 * Returns the text of an instant, such as "1.204 350 s". Instants that are a step apart have
 * different texts. farthest, the largest instant of the ruler, determines the unit.
 */
export function formatInstant(at, step, farthest) {
	const [ns, name] = INSTANT_UNITS.find(([size]) => farthest >= size) ?? [1, "ns"];
	const digits = Math.max(Math.ceil(Math.log10(ns) - Math.log10(step) - 1e-9), 0);
	const [whole, part] = (at / ns).toFixed(digits).split(".");

	if (!part)
		return `${whole} ${name}`;
	// Thin spaces between groups of three digits.
	return `${whole}.${part.replace(/(\d{3})(?=\d)/g, "$1\u2009")} ${name}`;
}

/**
 * view: {from, to, width, height}; the height includes the ruler. side: x of view.from, in px.
 * origin: the instant with the label 0.
 */
export function layoutRuler(scene, view, side, origin) {
	const plot = view.width - side;
	const from = view.from - origin, to = view.to - origin;

	for (const { at, text } of ticksOf(from, to, plot)) {
		const x = Math.round(side + (at - from) / (to - from) * plot);

		scene.line(x, RULER_HEIGHT - 5, x, view.height, INK.grid);
		// The edge of the picture would cut off a label beyond this position.
		if (x + 5 + text.length * 6 < view.width)
			scene.text(x + 5, RULER_HEIGHT / 2, text, INK.muted);
	}
}
