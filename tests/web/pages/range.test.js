// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests that all pictures and tables show the same range.

import assert from "node:assert/strict";
import { test } from "node:test";

import { NAMES_WIDTH } from "../../../web/scale.js";
import { PLOT, STAGE, isNear, onPage, painted, showView, stateIs, stateOf } from "../reader.js";

const END = 200e6; // end of the story "chain", in ns

const rangeOf = (page) => stateOf(page, "from", "to");
const ZOOMED = { fragment: "from=50000000&to=150000000" };

function tableOf(page) {
	return page.evaluate(() => Object.fromEntries(
		[...document.querySelectorAll("tr[data-category]")].map((row) => {
			const { ns } = row.querySelector("[data-ns]").dataset;

			return [row.dataset.category, Number(ns)];
		})));
}

test("dragging in the strips makes a range, and tables are of it", onPage("chain", async (page) => {
	await showView(page, "consolidated");
	const before = await tableOf(page);
	const { x, width, cy } = await page.rect(PLOT);

	await page.drag({ x: x + width * 0.5, y: cy }, { x: x + width * 0.7, y: cy });
	await page.until("the range is narrower", () => globalThis.rsp.state.from > 0);
	const { from, to } = await rangeOf(page);

	isNear(from, END * 0.5, END * 0.005);
	isNear(to, END * 0.7, END * 0.005);
	// The table follows the range while the mouse moves.
	await page.until("the table is of the range", ({ ns, error }) => {
		const cell = document.querySelector("tr[data-category=network] [data-ns]");

		return Math.abs(Number(cell.dataset.ns) - ns) <= error;
	}, { ns: to - from, error: END * 0.005 });
	const { network, ...others } = await tableOf(page);

	assert.equal(before.network, 50e6);
	isNear(network, to - from, END * 0.005);
	assert.ok(Object.values(others).every((ns) => ns <= END * 0.005), JSON.stringify(others));
}));

test("a range in the link: the table has its times and no others", onPage("chain", async (page) => {
	await showView(page, "consolidated");
	await page.until("the table is there", () => document.querySelector("tr[data-category]"));
	assert.deepEqual(await tableOf(page),
		{ running_sampled: 10e6 + 20e6, network: 50e6 });
}, { fragment: "from=90000000&to=170000000" }));

test("the wheel zooms at the pointer", onPage("chain", async (page) => {
	const { x, y, width, cy } = await page.rect(STAGE);
	const plot = width - NAMES_WIDTH;

	for (const share of [0.25, 0.75]) {
		const before = await rangeOf(page);
		const atPointer = ({ from, to }) => from + share * (to - from);

		await page.wheel(x + NAMES_WIDTH + share * plot, cy, -400);
		await page.until("it is zoomed", (seen) => {
			const { from, to } = globalThis.rsp.state;

			return to - from < seen;
		}, before.to - before.from);
		isNear(atPointer(await rangeOf(page)), atPointer(before), END / plot * 2);
	}
	await page.wheel(x + NAMES_WIDTH + plot / 2, y + 100, 5000);
	await stateIs(page, { from: 0, to: END });
}));

test("dragging pans, as far as there is anything", onPage("chain", async (page) => {
	const { x, width, cy } = await page.rect(STAGE);
	const plot = width - NAMES_WIDTH;
	const start = x + NAMES_WIDTH + plot / 2;

	await page.drag({ x: start, y: cy }, { x: start - plot / 4, y: cy });
	await painted(page);
	const { from, to } = await rangeOf(page);

	isNear(from, 75e6, 1e6);
	isNear(to - from, 100e6, 2);
	await page.drag({ x: x + width - 10, y: cy }, { x: x + NAMES_WIDTH + 10, y: cy });
	await stateIs(page, { to: END });
	isNear((await rangeOf(page)).from, END - 100e6, 2);
}, ZOOMED));

test("shift-drag chooses what lies between", onPage("chain", async (page) => {
	const { x, width, cy } = await page.rect(STAGE);
	const plot = width - NAMES_WIDTH;
	const at = (share) => ({ x: x + NAMES_WIDTH + plot * share, y: cy });

	await page.drag(at(0.6), at(0.2), { shift: true });
	await page.until("the range is narrower", () => globalThis.rsp.state.from > 0);
	const { from, to } = await rangeOf(page);

	isNear(from, END * 0.2, END * 0.01);
	isNear(to, END * 0.6, END * 0.01);
}));

test("arrows, plus, minus and zero move and zoom", onPage("chain", async (page) => {
	const width = ({ from, to }) => to - from;
	const before = await rangeOf(page);

	await page.click(STAGE); // gives the focus to the stage
	await page.key("ArrowRight");
	const right = await rangeOf(page);

	assert.ok(right.from > before.from && Math.abs(width(right) - width(before)) <= 2);
	await page.key("ArrowLeft");
	isNear((await rangeOf(page)).from, before.from, 2);
	await page.key("+");
	assert.ok(width(await rangeOf(page)) < width(before));
	await page.key("-");
	isNear(width(await rangeOf(page)), width(before), 4);
	await page.key("0");
	await stateIs(page, { from: 0, to: END });
}, ZOOMED));

test("the ends of the range can be moved by keys", onPage("chain", async (page) => {
	await page.evaluate(() => document.querySelector(".handle[data-name=from]").focus());
	await page.key("ArrowRight");
	await page.until("the range begins later", () => globalThis.rsp.state.from > 0);
	assert.equal((await rangeOf(page)).to, END);
}));
