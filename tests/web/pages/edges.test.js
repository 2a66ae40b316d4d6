// SPDX-License-Identifier: GPL-2.0-or-later
//
// Recordings with next to nothing in them, or very much: all views can be visited, and say what is.

import assert from "node:assert/strict";
import { test } from "node:test";

import { VIEWS, countOf, boxesOf, clickBox, onPage, showView, textOf } from "../reader.js";

async function visitAll(page) {
	for (const view of [...VIEWS, ...[...VIEWS].reverse()]) {
		await showView(page, view);
		for (const key of ["+", "ArrowRight", "i", "s", "0"])
			await page.key(key);
	}
}

for (const report of ["empty", "single", "loss", "crowd", "deep"])
	test(`${report}: every view can be visited`, onPage(report, visitAll));

test("empty: the page says that there is nothing", onPage("empty", async (page) => {
	for (const view of VIEWS) {
		await showView(page, view);
		const painted = await page.evaluate(() => globalThis.rsp.scene().texts.text.join(" "));

		assert.match(`${await textOf(page)} ${painted}`, /\b(nothing|no |none)/i, view);
	}
}));

test("loss: the page says how much was lost", onPage("loss", async (page) => {
	assert.match(await textOf(page), /1,?000,?000|1M|1\.00 M/);
}));

test("crowd: five thousand processes can be scrolled through", onPage("crowd", async (page) => {
	const seen = new Set();

	await page.click(".stage canvas");
	await page.key("Escape");
	for (let i = 0; i < 3; i++) {
		for (const { label } of await boxesOf(page))
			seen.add(label);
		assert.ok(await countOf(page, "boxes") < 20_000, "far more is painted than there is to see");
		await page.key("End");
		await page.until("it is at the end", () => globalThis.rsp.state.top > 0);
	}
	assert.ok([...seen].some((label) => label.includes("5099")) ||
		[...seen].filter((label) => label.includes("worker")).length > 0);
}));

test("deep: the whole stack is in the details", onPage("deep", async (page) => {
	await showView(page, "flame");
	const boxes = await boxesOf(page);
	const box = boxes.find(({ label }) => /user_127|kernel_1\b/.test(label)) ?? boxes.find(({ ref }) => ref >= 0);

	await clickBox(page, box);
	await page.until("details are shown", () => document.querySelector(".side")?.checkVisibility());
}));
