// SPDX-License-Identifier: GPL-2.0-or-later
import assert from "node:assert";
import { test } from "node:test";
import { TASK_COLUMNS, sortedRows } from "../../../web/panels/usage-columns.js";
import { usageOf } from "../../../web/panels/usage.js";
import { Maker } from "./maker.js";

function story() {
	const maker = new Maker({ end: 1000, cpus: 2, bins: 2 });
	const first = maker.process(1, "a"), second = maker.process(9, "b");

	maker.thread(first, 1, "a", { spans: [
		{ kind: "run", ns: 100, cpu: 0 },
		{ kind: "blocked", ns: 200, cause: "task", by: 2 },
		{ kind: "runnable", ns: 50 },
		{ kind: "run", ns: 150, cpu: 1 },
		{ kind: "preempted", ns: 100 },
		{ kind: "run", ns: 100, cpu: 1 },
		{ kind: "blocked", ns: 300 },
	], samples: [[10, "main f"], [20, "main k:sys"], [360, "main"], [720, ""]] });
	maker.thread(first, 2, "a2", { from: 500, spans: [{ kind: "run", ns: 500, cpu: 0 }] });
	maker.thread(second, 9, "b", { spans: [{ kind: "run", ns: 500, cpu: 0 }] });
	maker.strips({ "irq.hard": [10, 20, 30, 40], "irq.soft": [1, 2, 3, 4] });
	return maker.recording();
}

test("threads, over all", () => {
	const { thread } = usageOf(story(), 0, 1000);
	const first = Object.fromEntries(Object.entries(thread).map(([name, column]) =>
		[name, column[0]]));

	assert.deepStrictEqual(first, { running: 350, waiting: 150, blocked: 500, runs: 3,
					migrations: 1, wakeups: 1, user: 2, kernel: 1 });
});

test("processes are the sums of their threads", () => {
	const { process } = usageOf(story(), 0, 1000);

	assert.deepStrictEqual([...process.running], [850, 500]);
	assert.deepStrictEqual([...process.runs], [4, 1]);
});

test("CPUs: who ran, who waited for it, interrupts, the rest is idle", () => {
	const { cpu } = usageOf(story(), 0, 1000);

	assert.deepStrictEqual([...cpu.running], [1100, 250]);
	assert.deepStrictEqual([...cpu.waiting], [0, 150]);
	assert.deepStrictEqual([...cpu.idle], [0, 750]);
	assert.deepStrictEqual([...cpu.migrations], [0, 1]);
	assert.deepStrictEqual([...cpu.hard], [30, 70]);
	assert.deepStrictEqual([...cpu.soft], [3, 7]);
	assert.deepStrictEqual([[...cpu.user], [...cpu.kernel]], [[1, 1], [1, 0]]);
});

test("a range clips all of it", () => {
	const { thread, cpu } = usageOf(story(), 50, 450);

	assert.strictEqual(thread.running[0], 50 + 100);
	assert.strictEqual(thread.blocked[0], 200);
	assert.strictEqual(thread.waiting[0], 50);
	assert.strictEqual(thread.wakeups[0], 1);
	assert.strictEqual(thread.migrations[0], 1);
	assert.strictEqual(thread.running[1], 0);
	assert.deepStrictEqual([thread.user[0], thread.kernel[0]], [1, 0]);
	assert.deepStrictEqual([...cpu.hard], [10 * 400 / 500, 30 * 400 / 500]);
});

test("parts of a range add up to it", () => {
	const rec = story();
	const all = usageOf(rec, 0, 1000).thread;
	const parts = [[0, 333], [333, 1000]].map(([from, to]) => usageOf(rec, from, to).thread);

	for (const name of ["running", "waiting", "blocked", "wakeups", "migrations", "user", "kernel"])
		assert.deepStrictEqual(parts[0][name].map((n, i) => n + parts[1][name][i]), all[name],
				       name);
});

test("rows in the order of a column, or of names", () => {
	const usage = { running: [5, 9, 7], user: [0, 1, 1], kernel: [0, 1, 3] };
	const names = ["c", "a", "b"];
	const order = (key, ascending) =>
		sortedRows([0, 1, 2], usage, TASK_COLUMNS, { key, ascending }, 10, (i) => names[i]);

	assert.deepStrictEqual(order("running", false), [1, 2, 0]);
	assert.deepStrictEqual(order("running", true), [0, 2, 1]);
	assert.deepStrictEqual(order("user", false), [1, 2, 0]);
	assert.deepStrictEqual(order("name", true), [1, 2, 0]);
});

test("without interrupts there are none", () => {
	const maker = new Maker({ end: 100, cpus: 1 });

	maker.process(1, "a");
	maker.thread(0, 1, "a", { spans: [{ kind: "run", ns: 100, cpu: 0 }] });
	assert.deepStrictEqual([...usageOf(maker.recording(), 0, 100).cpu.hard], [0]);
});
