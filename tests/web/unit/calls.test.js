// SPDX-License-Identifier: GPL-2.0-or-later
import assert from "node:assert";
import { test } from "node:test";
import { NO_FUNCTION } from "../../../web/calls/graph.js";
import { MeasuredCalls } from "../../../web/calls/measured.js";
import { Maker } from "./maker.js";

const END = 1e6;

/** In a sample of the first run, f calls itself. One of the waits has no stack. */
function story(change = {}) {
	const maker = new Maker({ end: END });
	const app = maker.process(1, "app"), other = maker.process(2, "other");
	const reads = maker.wait({ stack: "main f k:schedule", syscall: "read", object: "pipe" });
	const nowhere = maker.wait({});

	maker.thread(app, 1, "app", { spans: [
		{ kind: "run", ns: 300000, cpu: 0 },
		{ kind: "blocked", ns: 400000, wait: reads },
		{ kind: "run", ns: 100000, cpu: 0 },
		{ kind: "blocked", ns: 200000, wait: nowhere },
	], samples: [[10, "main f g f"], [20, "main f"], [30, "main h"], [700010, "main h k:fault"]] });
	maker.thread(other, 2, "other", { spans: [{ kind: "run", ns: END, cpu: 1 }],
					  samples: [[5, "main"]] });
	return measured(maker.recording(), change);
}

function measured(rec, change) {
	const calls = new MeasuredCalls(rec);

	calls.update({ graph: "cpu", all: false, process: 0, from: 0, to: rec.end, ...change });
	return calls;
}

const timesOf = ({ graph }) => Object.fromEntries(graph.functions.filter(({ total }) => total > 0)
	.map(({ name, self, total }) => [name, [self, total]]));

/** Returns a tree as text, such as "f 200 (g 100 (f 100))". */
function treeText(graph, nodes, childrenOf) {
	return nodes.map((node) => {
		const below = treeText(graph, childrenOf(node), childrenOf);
		const text = `${graph.functions[node.number].name} ${node.total / 1000}`;

		return below ? `${text} (${below})` : text;
	}).join(", ");
}

const down = (graph, number = NO_FUNCTION) => treeText(graph, graph.calleesFrom(number),
	(node) => graph.calleesOf(node));
const up = (graph, number = NO_FUNCTION) => treeText(graph, graph.callersFrom(number),
	(node) => graph.callersOf(node));

test("a recursive function counts once per stack in totals, processes are no functions", () => {
	const calls = story();

	assert.strictEqual(calls.graph.total, 400000);
	assert.deepStrictEqual(timesOf(calls), {
		main: [0, 400000], f: [200000, 200000], g: [0, 100000], h: [100000, 200000],
		fault: [100000, 100000],
	});
});

test("the tree of callees begins with the outermost functions, the longest first", () => {
	const { graph } = story();

	assert.strictEqual(down(graph), "main 400 (f 200 (g 100 (f 100)), h 200 (fault 100))");
});

test("the tree of a function begins with its outermost call", () => {
	const { graph } = story();

	assert.strictEqual(down(graph, graph.find("f@program")), "f 200 (g 100 (f 100))");
	assert.strictEqual(up(graph, graph.find("f@program")), "f 200 (main 200)");
	assert.strictEqual(graph.find("f"), NO_FUNCTION);
});

test("bottom-up: functions by their own time, below each its callers", () => {
	assert.strictEqual(up(story().graph), "f 200 (g 100 (f 100 (main 100)), main 100), " +
		"fault 100 (h 100 (main 100)), h 100 (main 100)");
});

test("a wait is a function of its call and object; without a stack it says so", () => {
	assert.deepStrictEqual(timesOf(story({ graph: "off" })), {
		main: [0, 400000], f: [0, 400000], schedule: [0, 400000], "read: pipe": [400000, 400000],
		"[no stack]": [200000, 200000],
	});
});

test("another range has other times", () => {
	const calls = story({ from: 150000, to: 720000 });

	assert.strictEqual(calls.graph.total, 170000);
	assert.deepStrictEqual(timesOf(calls).fault, [20000, 20000]);
	assert.strictEqual(timesOf(calls).g, undefined);
});

test("of all processes", () => {
	assert.deepStrictEqual(timesOf(story({ all: true })).main, [END, END + 400000]);
});

test("the place stands for a run, if the file says so, and is inferred", () => {
	const maker = new Maker({ end: END });
	const app = maker.process(1, "app");
	const wait = maker.wait({ stack: "main poll" });

	// Cause 1 ("task") of a run means that the run gets the stack with which it left its CPU.
	maker.thread(app, 1, "app", { spans: [
		{ kind: "run", ns: 1000, cause: "task", cpu: 0 }, { kind: "blocked", ns: 500, wait },
		{ kind: "run", ns: 3000, cpu: 0 }, { kind: "blocked", ns: 500, wait },
	] });
	const calls = measured(maker.recording(), {});

	assert.deepStrictEqual(timesOf(calls),
		{ main: [0, 1000], poll: [1000, 1000], "[not sampled]": [3000, 3000] });
	assert.strictEqual(calls.inferred, 1000);
});

test("code without symbols is one function of its module", () => {
	const maker = new Maker({ end: END });
	const app = maker.process(1, "app");

	maker.thread(app, 1, "app", { spans: [{ kind: "run", ns: 1000, cpu: 0 }],
				      samples: [[1, "program+0x10 program+0x20"], [2, "0x1234"]] });
	assert.deepStrictEqual(timesOf(measured(maker.recording(), {})),
		{ "program (no symbols)": [1000, 1000] });
});

test("what is shown is worked out once", () => {
	const calls = story();
	const same = { graph: "cpu", all: false, process: 0, from: 0, to: END };

	assert.strictEqual(calls.update(same), false);
	assert.strictEqual(calls.update({ ...same, from: 10 }), true);
});
