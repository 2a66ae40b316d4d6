// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests that the call graph in the page equals that of `rspctl callgraph` exactly.

import assert from "node:assert/strict";
import { test } from "node:test";

import { NO_FUNCTION } from "../../../web/calls/graph.js";
import { MeasuredCalls } from "../../../web/calls/measured.js";
import { gone, onPage, painted, seen, showView, stateIs, stateOf } from "../reader.js";
import { callgraphOf, hasPage, recordingIn } from "../reports.js";

const GRAPHS = { cpu: "oncpu", off: "offcpu", hot: "hotcold" };
/**
 * "lives" is not in the list. It uses a process ID twice: the page shows two processes, but the
 * report only one.
 */
const REPORTS = ["chain", "names", "loss", "deep", "crowd", "threads", "build", "served",
		 "piped", "pipeline", "tcp"];

async function measuredOf(report, graph) {
	const rec = await recordingIn(report);
	const { since, until, target } = rec.meta;
	const calls = new MeasuredCalls(rec);

	calls.update({ graph, all: false, process: rec.explained[target]?.process ?? 0,
		       from: since, to: until });
	return calls.graph;
}

const keyOf = ({ name, module }) => `${name}@${module}`;
const byKey = (a, b) => a.key < b.key ? -1 : Number(a.key > b.key);
const sorted = (nodes) => nodes.map((node) => ({ ...node, key: keyOf(node) })).sort(byKey);

/** Maximum depth of the nodes in the report. */
const DEPTH_MAX = 200;

/** below: the member of a node that contains its children. */
function reported(nodes, below, depth = 1, lines = []) {
	for (const { key, self, total, [below]: children } of sorted(nodes)) {
		lines.push(`${depth} ${key} ${self} ${total}`);
		reported(children, below, depth + 1, lines);
	}
	return lines;
}

function shown(graph, nodes, childrenOf, depth = 1, lines = []) {
	const named = nodes.map((node) => ({ ...node, ...graph.functions[node.number],
					     self: node.self, total: node.total }));

	for (const node of sorted(named)) {
		lines.push(`${depth} ${node.key} ${node.self} ${node.total}`);
		if (depth < DEPTH_MAX)
			shown(graph, childrenOf(node), childrenOf, depth + 1, lines);
	}
	return lines;
}

for (const report of REPORTS)
	test(`${report}: functions and trees are those of the report`, async (context) => {
		if (!hasPage(report)) {
			context.skip("there is no such recording here");
			return;
		}
		for (const [key, kind] of Object.entries(GRAPHS)) {
			const graph = await measuredOf(report, key);
			const wanted = callgraphOf(report, kind);
			const list = (functions) => sorted(functions.filter(({ total }) => total > 0)
				.map(({ name, module, self, total }) => ({ name, module, self, total })));

			assert.equal(graph.total, wanted.total, kind);
			assert.deepEqual(list(graph.functions), list(wanted.functions), kind);
			assert.deepEqual(shown(graph, graph.calleesFrom(NO_FUNCTION),
				(node) => graph.calleesOf(node)),
				reported(wanted.descendants, "callees"), kind);
			assert.deepEqual(shown(graph, graph.callersFrom(NO_FUNCTION),
				(node) => graph.callersOf(node)),
				reported(wanted.callers, "callers"), kind);
		}
	});

const ROW = ".functions tbody tr";
const WANTED = `${ROW}[data-function^='user_100']`;
const TREE = "[role=treegrid]";

/** Returns the rows of a table as {function: [self, total]}. */
const timesOfRows = (page, selector) => page.evaluate((wanted) => Object.fromEntries(
	[...document.querySelectorAll(wanted)].map((row) => [row.dataset.function,
		[...row.querySelectorAll("[data-ns]")].map((cell) => Number(cell.dataset.ns))])),
selector);

test("the table on the screen has the report's numbers", onPage("pipeline", async (page) => {
	await page.evaluate(() => {
		const { state, recording: { meta } } = globalThis.rsp;

		state.set({ from: meta.since, to: meta.until });
	});
	await seen(page, ROW);
	await painted(page);
	const wanted = callgraphOf("pipeline", "oncpu").functions.filter(({ total }) => total > 0);

	await page.until("all functions are there", (count) =>
		document.querySelectorAll(".functions tbody tr").length === count, wanted.length);
	assert.deepEqual(await timesOfRows(page, ROW), Object.fromEntries(
		wanted.map(({ name, module, self, total }) =>
			[module ? `${name}@${module}` : name, [self, total]])));
}, { fragment: "view=calls" }));

test("a range that is dragged has other numbers", onPage("chain", async (page) => {
	await showView(page, "calls");
	await seen(page, ROW);
	const whole = await timesOfRows(page, ROW);

	await page.evaluate(() => globalThis.rsp.state.set({ from: 0, to: 30e6 }));
	await page.until("the numbers are others", (before) => {
		const rows = [...document.querySelectorAll(".functions tbody tr")];

		return JSON.stringify(before) !== JSON.stringify(Object.fromEntries(rows.map((row) =>
			[row.dataset.function, [...row.querySelectorAll("[data-ns]")].map((cell) =>
				Number(cell.dataset.ns))])));
	}, whole);
}));

const treeRows = (page) => page.evaluate(() =>
	[...document.querySelectorAll("[role=treegrid] tbody tr")].map((row) =>
		`${row.ariaLevel} ${row.querySelector(".name button").textContent}`));

const focusedRow = (page) => page.evaluate(() =>
	document.activeElement.closest("tr")?.dataset.function ?? "");

test("a click on a function shows its callers and callees, Escape all", onPage("deep", async (page) => {
	await showView(page, "calls");
	await page.evaluate((row) => document.querySelector(row).scrollIntoView(), WANTED);
	await page.click(`${WANTED} button`);
	await page.until("a function is selected", () => globalThis.rsp.state.func);
	const { func } = await stateOf(page, "func");

	assert.match(func, /^user_100/);
	await seen(page, ".callers tbody tr");
	const callers = await timesOfRows(page, ".callers tbody tr");

	assert.deepEqual(Object.keys(callers).map((one) => one.replace(/@.*/, "")), ["user_99"]);
	const rows = await treeRows(page);

	assert.equal(rows[0], "1 user_100");
	assert.equal(rows[1], "2 user_101");
	await page.reload();
	await seen(page, ".callers tbody tr");
	assert.equal((await stateOf(page, "func")).func, func);
	await page.key("Escape");
	await gone(page, ".callers tbody tr");
}));

test("the keyboard alone leads through the tree", onPage("deep", async (page) => {
	await showView(page, "calls");
	await seen(page, `${TREE} tbody tr`);
	await page.evaluate((tree) =>
		document.querySelector(`${tree} tbody tr[tabindex="0"]`).focus(), TREE);
	const before = await treeRows(page);

	await page.key("ArrowLeft");
	const closed = await treeRows(page);

	assert.ok(closed.length < before.length, "a row was closed");
	await page.key("ArrowRight");
	assert.deepEqual(await treeRows(page), before);
	await page.key("ArrowRight");
	const second = await focusedRow(page);

	await page.key("ArrowUp");
	assert.notEqual(await focusedRow(page), second);
	await page.key("ArrowDown");
	assert.equal(await focusedRow(page), second);
	await page.key("Enter");
	await stateIs(page, { func: second });
	await page.key("b");
	await stateIs(page, { upward: true });
}));

test("a search shows the functions that it finds", onPage("deep", async (page) => {
	await showView(page, "calls");
	await page.key("/");
	await page.type("user_12[01]");
	await page.until("two functions are left",
		() => document.querySelectorAll(".functions tbody tr").length === 2);
	await page.until("their number is told",
		() => document.querySelector(".search output").textContent.startsWith("2 found"));
}));

test("columns sort", onPage("pipeline", async (page) => {
	await showView(page, "calls");
	await page.click(".functions thead th:last-child button");
	const names = await page.evaluate(() =>
		[...document.querySelectorAll(".functions tbody .name button")]
			.map((one) => one.textContent));

	assert.ok(names.length > 3);
	assert.deepEqual(names, [...names].sort());
}));

test("a function that is not there is said to be so", onPage("chain", async (page) => {
	await page.until("it is said", () =>
		document.querySelector(".calls .warning")?.textContent.includes("nothing@here"));
}, { fragment: "view=calls&func=nothing%40here" }));
