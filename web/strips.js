// SPDX-License-Identifier: GPL-2.0-or-later
//
// The strips are curves over the whole recording, such as the use of the CPUs. This file places
// them, and draws them into a scene.
import { COUNTER_STRIPS, describeCounters } from "./counters.js";
import { atText } from "./flame/words.js";
import { formatBytes, formatCount } from "./format.js";
import { NAMES_WIDTH } from "./scale.js";
import { INK } from "./scene.js";

/** The strips have an edge at the left, which pictures do not have. */
const STRIPS_EDGE_PX = 16;
export const STRIP_NAMES_WIDTH = NAMES_WIDTH - STRIPS_EDGE_PX;
const STRIP_GAP = 3;
const COUNTER_HEIGHT = 11;
/** A value is drawn if its height is at least SEEN_FROM_PX, and then at least LEAST_PX high. */
const SEEN_FROM_PX = 0.25;
const LEAST_PX = 1;

/** The strips from top to bottom; the layers of a strip are stacked. */
const STRIPS = [
	{ name: "CPU", height: 20, always: true, layers: [["cpu", INK.run]] },
	{ name: "Run queue", height: 13, always: true, layers: [["runqueue", INK.runqueue]] },
	{ name: "Disk", height: 13, layers: [["disk", INK.disk], ["disk_queued", INK.queue]] },
	{ name: "Network", height: 13, layers: [["sent", INK.network], ["received", INK.sleep]] },
	{ name: "Lost", height: 7, layers: [["lost", INK.lost]] },
];

/**
 * Returns the strips with their positions and scales: [{name, y, height, layers, max}, …]. Omits
 * empty strips, except those with `always`.
 */
export function stripsOf(rec) {
	const binNs = rec.end / Math.max(rec.strip.count, 1);
	let y = 0;

	return STRIPS.flatMap((strip) => {
		const layers = strip.layers.map(([column, ink]) =>
			({ column, ink, values: rec.strip[column] }));
		const max = maxOf(layers);

		if (!max && !strip.always)
			return [];
		const full = strip.name === "CPU" ? fullCpu(rec, binNs) : max;
		const one = { ...strip, layers, y, max: full };

		y += strip.height + STRIP_GAP;
		return [one];
	}).concat(counterStripsOf(rec, y));
}

function counterStripsOf(rec, top) {
	let y = top;

	return (rec.counters?.length ? COUNTER_STRIPS : []).flatMap(({ name, ink, make }) => {
		const made = make(rec);

		if (!made)
			return [];
		const layers = [{ ink: INK[ink], values: made.values }];
		const one = { name, height: COUNTER_HEIGHT, layers, y, max: made.max };

		y += COUNTER_HEIGHT + STRIP_GAP;
		return [one];
	});
}

/** Returns the time of all CPUs in a bin, in ns: the largest possible value. */
function fullCpu(rec, binNs) {
	return binNs * Math.max(rec.meta.cpus ?? 1, 1);
}

function maxOf(layers) {
	let max = 0;

	for (let bin = 0; bin < layers[0].values.length; bin++)
		max = Math.max(max, layers.reduce((sum, { values }) => sum + values[bin], 0));
	return max;
}

export function stripsHeight(strips) {
	return strips.reduce((sum, { height }) => sum + height + STRIP_GAP, 0);
}

export function layoutStrips(scene, strips, width) {
	const plot = Math.max(width - STRIP_NAMES_WIDTH, 1);

	for (const strip of strips) {
		scene.text(0, strip.y + strip.height / 2, strip.name, INK.muted);
		scene.box(STRIP_NAMES_WIDTH, strip.y, plot, strip.height, INK.faint);
		for (let px = 0; px < plot; px++)
			layoutColumn(scene, strip, px, plot);
	}
}

/**
 * Draws the mean of the bins of one pixel. A loss fills the whole height, so that even a small one
 * is visible.
 */
function layoutColumn(scene, { layers, y, height, max, name }, px, plot) {
	const count = layers[0].values.length;
	const first = Math.floor(px / plot * count);
	const end = Math.max(Math.floor((px + 1) / plot * count), first + 1);
	let base = y + height;

	for (const { values, ink } of layers) {
		const value = meanOf(values, first, end);
		const full = name === "Lost" && value > 0 ? height : value / (max || 1) * height;
		const h = full < SEEN_FROM_PX ? 0 : Math.min(Math.max(full, LEAST_PX), base - y);

		if (h > 0)
			scene.box(STRIP_NAMES_WIDTH + px, base - h, 1, h, ink);
		base -= h;
	}
}

function meanOf(values, first, end) {
	let sum = 0;

	for (let bin = first; bin < end; bin++)
		sum += values[bin] ?? 0;
	return sum / (end - first);
}

export function describeStrips(rec, t) {
	const count = rec.strip.count;
	const bin = Math.min(Math.max(Math.floor(t / rec.end * count), 0), count - 1);
	const binNs = rec.end / Math.max(count, 1);
	const value = (name) => rec.strip[name][bin] ?? 0;
	const bytes = (name) => formatBytes(value(name));
	const mean = (name) => (value(name) / binNs).toFixed(2);

	return [
		["at", atText(rec, t)],
		["CPUs busy", `${mean("cpu")} of ${rec.meta.cpus}`],
		["waiting for a CPU", `${mean("runqueue")} tasks`],
		["disk requests", `${mean("disk")} at the device, ${mean("disk_queued")} queued`],
		["network", `${bytes("sent")} sent, ${bytes("received")} received`],
		["records lost", formatCount(value("lost"))],
		...describeCounters(rec, t),
	].filter(([, text]) => text !== "0");
}
