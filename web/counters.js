// SPDX-License-Identifier: GPL-2.0-or-later
//
// Converts the counters of the machine (pressure, memory, CPU frequency) to curves for the strips
// (docs/pictures.md), and to texts for one instant.
import { formatBytes, formatShare } from "./format.js";

/**
 * Maximum distance between an instant and the reading that is used for it. The recorder reads about
 * once a second.
 */
const REACH_NS = 2e9;
const PPM = 1e6;

/** Returns the value of the counter at the instant, or NaN if it is unknown. */
export function counterAt(rec, key, t) {
	const counter = rec.counters?.find((one) => one.key === key);

	return counter ? counter.values[readingAt(rec, counter, t)] ?? NaN : NaN;
}

/**
 * Returns the index of the reading for an instant, or -1 if no reading is near. A reading of
 * pressure covers the time before it, so the next reading is used.
 */
function readingAt(rec, counter, t) {
	const at = rec.counterAt;
	let low = 0, high = at.length;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (at[middle] < t)
			low = middle + 1;
		else
			high = middle;
	}
	if (counter.unit !== "ppm" && low > 0 && !(at[low] - t <= t - at[low - 1]))
		low--;
	return low < at.length && Math.abs(at[low] - t) <= REACH_NS ? low : -1;
}

function usedAt(rec, total, free, t) {
	return counterAt(rec, total, t) - counterAt(rec, free, t);
}

/** Returns the value in the middle of each bin of the strips; 0 if it is unknown. */
function binsOf(rec, valueAt) {
	const { count } = rec.strip;
	const values = new Float64Array(count);

	for (let bin = 0; bin < count; bin++)
		values[bin] = valueAt((bin + 0.5) * rec.end / count) || 0;
	return values;
}

function highestOf(rec, key) {
	const values = rec.counters.find((one) => one.key === key)?.values ?? [];

	return values.reduce((max, value) => Math.max(max, value || 0), 0);
}

/** A strip of pressure is shown only if the pressure reaches this value. */
const LEAST_PPM = PPM / 100;

const pressure = (key) => (rec) => highestOf(rec, key) < LEAST_PPM ? null : {
	values: binsOf(rec, (t) => counterAt(rec, key, t)), max: PPM,
};
const used = (total, free) => (rec) => {
	const values = binsOf(rec, (t) => usedAt(rec, total, free, t));

	return values.some((value) => value > 0) ? { values, max: highestOf(rec, total) } : null;
};
const clock = (key, fastest) => (rec) => highestOf(rec, key) === 0 ? null : {
	values: binsOf(rec, (t) => counterAt(rec, key, t)), max: highestOf(rec, fastest),
};

/** The strips of counters. make(rec) returns {values, max}, or null if the strip would be empty. */
export const COUNTER_STRIPS = [
	{ name: "CPU stall", ink: "runqueue", make: pressure("pressure_cpu") },
	{ name: "Mem stall", ink: "interrupt", make: pressure("pressure_memory") },
	{ name: "I/O stall", ink: "disk", make: pressure("pressure_io") },
	{ name: "Memory", ink: "both", make: used("memory_total", "memory_available") },
	{ name: "Swap", ink: "queue", make: used("swap_total", "swap_free") },
	{ name: "CPU clock", ink: "timeout", make: clock("cpu_frequency", "cpu_frequency_max") },
];

export function describeCounters(rec, t) {
	const rows = [];
	const stall = (name, key) => {
		const value = counterAt(rec, key, t);

		if (value > 0)
			rows.push([name, `${formatShare(value, PPM)} of the time`]);
	};
	const memory = (name, total, free) => {
		const value = usedAt(rec, total, free, t);

		if (value > 0)
			rows.push([name, `${formatBytes(value)} of ` +
				formatBytes(counterAt(rec, total, t))]);
	};
	const load = counterAt(rec, "load", t), hz = counterAt(rec, "cpu_frequency", t);

	stall("some tasks lack a CPU", "pressure_cpu");
	stall("some tasks lack memory", "pressure_memory");
	stall("some tasks wait for I/O", "pressure_io");
	memory("memory used", "memory_total", "memory_available");
	memory("swap used", "swap_total", "swap_free");
	if (load >= 0)
		rows.push(["load of the last minute", (load / 100).toFixed(2)]);
	if (hz > 0)
		rows.push(["CPU frequency, mean", `${(hz / 1e9).toFixed(2)} GHz`]);
	return rows;
}
