// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests the view of requests.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
	STAGE, boxesOf, clickBox, coloursOf, countOf, onPage, painted, ready, seen, showView,
	stateIs, stateOf, textOf,
} from "../reader.js";

const SLOW = { at: 420e6, ns: 100e6 }; // in the story "requests"
const TABLE = ".requests table.rows";
const DIFFERENCES = ".requests table.differences";

async function slowPoint(page) {
	const points = (await boxesOf(page)).filter(({ ref }) => ref >= 0);

	return points.reduce((a, b) => b.y < a.y ? b : a);
}

function cellsOfTable(selector) {
	return [...document.querySelectorAll(`${selector} tbody tr`)].map((row) =>
		[...row.cells].map((cell) => cell.textContent));
}

test("the table has what the report has", onPage("requests", async (page) => {
	await showView(page, "requests");
	const rows = await page.evaluate(cellsOfTable, TABLE);

	const one = ["1", "1.0", "99.4 ms", "99.4 ms", "99.4 ms", "99.4 ms", "0"];

	assert.deepEqual(rows, [
		["web [10]", "port 80", "41", "41", "1.00 ms", "1.00 ms", "100 ms", "100 ms", "0"],
		["backend [30]", "port 81", ...one],
		["web [10] calls", "backend [10.0.0.1:81]", ...one],
	]);
}));

test("each request is a point, the slow one on top of all", onPage("requests", async (page) => {
	await showView(page, "requests");
	const points = (await boxesOf(page)).filter(({ ref }) => ref >= 0);
	const slow = await slowPoint(page);

	assert.equal(points.length, 41);
	assert.equal(points.at(-1).ref, slow.ref);
	assert.ok(points.slice(0, -1).every(({ ink }) => ink !== slow.ink));
	assert.ok((await coloursOf(page)).length > 3);
}));

test("a click on a request shows its time in the flame view", onPage("requests", async (page) => {
	await showView(page, "requests");
	await clickBox(page, await slowPoint(page));
	await stateIs(page, { view: "flame" });
	const { from, to, chosen } = await stateOf(page, "from", "to", "chosen");

	assert.ok(from < SLOW.at && from > SLOW.at - SLOW.ns, `from ${from}`);
	assert.ok(to > SLOW.at + SLOW.ns && to < SLOW.at + 2 * SLOW.ns, `to ${to}`);
	assert.ok(chosen >= 0);
	await seen(page, ".side");
	assert.match(await textOf(page, ".side"), /backend/);
}));

test("by keys, too", onPage("requests", async (page) => {
	await showView(page, "requests");
	await page.evaluate((stage) => document.querySelector(stage).parentElement.focus(), STAGE);
	await page.key("ArrowRight", { shift: true });
	await painted(page);
	await page.key("Enter");
	await stateIs(page, { view: "flame" });
}));

test("slow beside typical is what the report says", onPage("requests", async (page) => {
	await showView(page, "requests");
	await seen(page, DIFFERENCES);
	const [stage, most] = await page.evaluate(cellsOfTable, DIFFERENCES);

	assert.deepEqual(stage, ["+99.400", "99.400", "0.000",
				 "waiting for backend [10.0.0.1:81]"]);
	assert.deepEqual(most, ["+98.700", "98.700", "0.000",
				"waiting for backend [30], which was sleeping"]);
}));

test("two spans that are dragged are compared", onPage("requests", async (page) => {
	await showView(page, "requests");
	await painted(page);
	const { x, cy, width } = await page.rect(STAGE);
	const at = (share) => ({ x: x + width * share, y: cy });
	const drag = (from, to) => page.drag(at(from), at(to), { ctrl: true });

	await drag(0.4, 0.6);
	await page.until("A is a span", () => /^\d+-\d+$/.test(globalThis.rsp.state.groupA));
	await drag(0.65, 0.9);
	await page.until("B is a span", () => /^\d+-\d+$/.test(globalThis.rsp.state.groupB));
	await seen(page, DIFFERENCES);
	const rows = await page.evaluate(cellsOfTable, DIFFERENCES);
	const { from, to } = await stateOf(page, "from", "to");

	assert.match(rows[0][3], /backend/);
	assert.ok(to - from > 900e6, "the range has changed");
}));

test("another row has other points; a link shows them again", onPage("requests", async (page) => {
	await showView(page, "requests");
	await page.click(`${TABLE} tr[data-row="1"] button`);
	await stateIs(page, { row: 1 });
	await painted(page);
	assert.equal((await boxesOf(page)).filter(({ ref }) => ref >= 0).length, 1);
	await page.until("the link has it", () => location.hash.includes("row=1"));
	await page.reload();
	await ready(page);
	await stateIs(page, { view: "requests", row: 1 });
}));

test("the slowest have a sentence, and lead to their time", onPage("requests", async (page) => {
	await showView(page, "requests");
	assert.match(await textOf(page, ".requests .slowest li"), /100 ms at \+0\.420 s.*backend/s);
	await page.evaluate(() =>
		document.querySelector(".requests .slowest li button").scrollIntoView());
	await page.click(".requests .slowest li button");
	await stateIs(page, { view: "flame" });
}));

test("without requests there is no such view", onPage("chain", async (page) => {
	await page.key("7");
	await painted(page);
	await stateIs(page, { view: "running" });
	assert.equal(await page.evaluate(() =>
		document.querySelectorAll('[data-view="requests"]').length), 0);
}, { fragment: "view=requests&row=7&groupA=x" }));

for (const [width, height] of [[1280, 800], [2560, 1440]])
	for (const theme of ["light", "dark"])
		test(`${width} x ${height}, ${theme}: all is within the page`,
			onPage("requests", async (page) => {
				await seen(page, TABLE);
				const beyond = await page.evaluate(() =>
					document.documentElement.scrollWidth - innerWidth);
				const stage = await page.rect(STAGE);

				assert.ok(beyond <= 0, `${beyond} px too wide`);
				assert.ok(stage.height >= 120, `points on ${stage.height} px`);
				assert.ok(await countOf(page, "boxes") >= 41);
			}, { fragment: `view=requests&theme=${theme}`, width, height }));

test("a page whose only requests went to the recorder has no view of requests", onPage("recorder", async (page) => {
	const views = await page.evaluate(() =>
		[...document.querySelectorAll("[role=tab]")].map(({ dataset }) => dataset.view));

	assert.ok(views.includes("running") && !views.includes("requests"), views.join());
}));
