// SPDX-License-Identifier: GPL-2.0-or-later
import assert from "node:assert";
import { test } from "node:test";
import { COUNTER_STRIPS, counterAt, describeCounters } from "../../../web/counters.js";
import { layoutMarkLines, layoutMarks, markAt } from "../../../web/marks.js";
import { INK, Scene } from "../../../web/scene.js";
import { describeStrips, layoutStrips, stripsOf } from "../../../web/strips.js";
import { Maker } from "./maker.js";

const S = 1e9;

/**
 * Makes a recording of 4 s with readings of memory and pressure at 1 s (no pressure), 2 s and 3 s.
 */
function machine(marks = []) {
	const maker = new Maker({ end: 4 * S, bins: 40 });
	const counters = [
		{ key: "pressure_cpu", text: "", unit: "ppm" },
		{ key: "memory_total", text: "", unit: "bytes" },
		{ key: "memory_available", text: "", unit: "bytes" },
	];

	maker.strips({
		"strip.cpu": new Float64Array(40), "counter.at": [S, 2 * S, 3 * S],
		"counter.value": [0, 500_001, 1, 1001, 1001, 1001, 751, 251, 1],
	});
	return maker.recording({ marks, counters });
}

test("pressure is of the time before its reading, other counters of the nearest one", () => {
	const rec = machine();

	assert.equal(counterAt(rec, "pressure_cpu", 1.1 * S), 500_000);
	assert.equal(counterAt(rec, "pressure_cpu", 2 * S), 500_000);
	assert.equal(counterAt(rec, "pressure_cpu", 2.1 * S), 0);
	assert.equal(counterAt(rec, "memory_available", 1.4 * S), 750);
	assert.equal(counterAt(rec, "memory_available", 1.6 * S), 250);
	assert.equal(counterAt(rec, "memory_available", 3.9 * S), 0);
});

test("where no reading tells anything, a counter is unknown and not zero", () => {
	const rec = machine();

	assert.ok(Number.isNaN(counterAt(rec, "pressure_cpu", 0.5 * S)));
	assert.ok(Number.isNaN(counterAt(rec, "pressure_cpu", 3.5 * S)));
	assert.ok(Number.isNaN(counterAt(rec, "swap_total", S)));
	assert.ok(Number.isNaN(counterAt(rec, "memory_total", 6 * S)));
});

test("counters that tell anything have strips below the others", () => {
	const rec = machine();
	const strips = stripsOf(rec);
	const scene = new Scene();

	assert.deepEqual(strips.map(({ name }) => name),
			 ["CPU", "Run queue", "CPU stall", "Memory"]);
	assert.ok(strips.every(({ y, height }, i) => i === 0 ||
		y >= strips[i - 1].y + strips[i - 1].height));
	const memory = strips.at(-1);

	assert.equal(memory.max, 1000);
	assert.equal(memory.layers[0].values[12], 250);
	assert.equal(memory.layers[0].values[25], 1000);
	layoutStrips(scene, strips, 84 + 400);
	assert.ok(scene.boxes.ink.includes(INK.both));
});

test("an instant of the strips has the time that rulers and findings show", () => {
	const rec = { ...machine(), origin: S };

	assert.deepEqual(describeStrips(rec, 1.6 * S)[0], ["at", "+0.600000 s"]);
});

test("a recording without counters has no strips of them", () => {
	assert.deepEqual(stripsOf(new Maker({ end: 4 * S }).recording()).map(({ name }) => name),
			 ["CPU", "Run queue"]);
	assert.equal(new Set(COUNTER_STRIPS.map(({ name }) => name)).size, COUNTER_STRIPS.length);
});

test("an instant is described with what the counters say", () => {
	const rec = machine();

	assert.deepEqual(describeCounters(rec, 1.6 * S),
			 [["some tasks lack a CPU", "50 % of the time"],
			  ["memory used", "750 B of 1000 B"]]);
	assert.ok(describeStrips(rec, 1.6 * S).some(([name]) => name === "memory used"));
});

const MARKS = [
	{ at: S, kind: "text", text: "v2" }, { at: S + 1, kind: "failed", text: "a.service failed" },
	{ at: 1.01 * S, kind: "started", text: "a.service started" },
	{ at: 3.99 * S, kind: "breach", text: "SLO checkout was breached" },
];
const VIEW = { from: 0, to: 4 * S, width: 500, height: 200 };

test("marks are lines over the whole height, one for each pixel", () => {
	const scene = new Scene();

	layoutMarks(scene, MARKS, VIEW, 100);
	assert.deepEqual(scene.lines.x1, [200, 201, 499]);
	assert.ok(scene.lines.y2.every((y) => y === 200));
	assert.ok(scene.lines.ink.every((ink) => ink === INK.event));
});

test("labels lie beside one another, and not beyond the edge", () => {
	const scene = new Scene();

	layoutMarks(scene, MARKS, VIEW, 100);
	assert.deepEqual(scene.texts.text, ["v2", "a.service started",
						 "SLO checkout was breached"]);
	assert.notEqual(scene.texts.y[0], scene.texts.y[1]);
	assert.ok(scene.boxes.x.every((x, i) => x + scene.boxes.w[i] <= 500));
	assert.ok(scene.boxes.ref.every((ref) => ref === -1));
});

test("marks outside of the range are not drawn", () => {
	const scene = new Scene();

	layoutMarkLines(scene, MARKS, { ...VIEW, from: 2 * S, to: 3 * S }, 100);
	assert.equal(scene.lines.x1.length, 0);
});

test("the pointer finds the nearest mark", () => {
	assert.equal(markAt(MARKS, VIEW, 100, 201.4), 2);
	assert.equal(markAt(MARKS, VIEW, 100, 198), 0);
	assert.equal(markAt(MARKS, VIEW, 100, 300), -1);
	assert.equal(markAt([], VIEW, 100, 200), -1);
});
