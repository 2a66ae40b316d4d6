// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests that each view of each recording shows something, at any size and with any colours.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
	PICTURES, STAGE, VIEWS, boxesOf, clickBox, coloursOf, countOf, onPage, painted, seen, showView,
	stateIs, stateOf,
} from "../reader.js";

const BLANK = 2; // number of colours on a canvas with only a background and a line

for (const report of ["chain", "pipeline", "tcp", "deep"])
	test(`${report}: every picture is painted, by its key`, onPage(report, async (page) => {
		for (const view of PICTURES) {
			await showView(page, view);
			assert.ok(await countOf(page, "boxes") > 0, `${view} has no boxes`);
			assert.ok((await coloursOf(page)).length > BLANK, `${view} is blank`);
		}
	}));

test("the utilization table has a row for each process", onPage("chain", async (page) => {
	await showView(page, "utilization");
	await page.until("its rows are there", (names) => {
		const text = [...document.querySelectorAll("table")]
			.filter((table) => table.checkVisibility())
			.map((table) => table.textContent).join(" ");

		return names.every((name) => text.includes(name));
	}, ["browser", "server", "database", "hog"]);
}));

test("a page may begin with the table", onPage("chain", async (page) => {
	await seen(page, "table.processes");
	await showView(page, "running");
	assert.ok(await countOf(page, "boxes") > 0);
}, { fragment: "view=utilization" }));

test("texts of the header that a narrow window cuts are in their tooltips", onPage("tcp", async (page) => {
	const texts = await page.evaluate(() =>
		[...document.querySelectorAll("header h1, header .about")]
			.map(({ textContent, title }) => [textContent, title]));

	assert.equal(texts.length, 2);
	for (const [text, title] of texts)
		assert.equal(title, text);
}, { width: 700, height: 500 }));

test("the panel of categories needs no scroll bar below", onPage("pipeline", async (page) => {
	await seen(page, "table.paths");
	const beyond = await page.evaluate(() => {
		const { scrollWidth, clientWidth } = document.querySelector(".categories");

		return scrollWidth - clientWidth;
	});

	assert.ok(beyond <= 0, `${beyond} px too wide`);
}, { fragment: "view=consolidated" }));

test("a large screen has larger letters, and boxes where they are seen",
	onPage("chain", async (page) => {
		const size = await page.evaluate(() =>
			parseFloat(getComputedStyle(document.body).fontSize));

		assert.ok(size >= 18, `letters of ${size} px`);
		await clickBox(page, (await boxesOf(page)).find(({ label }) => label === "database"));
		await stateIs(page, { view: "flame" });
		await painted(page);
		const box = (await boxesOf(page)).find(({ label }) => label.includes("scan_table"));

		await clickBox(page, box);
		await stateIs(page, { chosen: box.ref });
	}, { fragment: "detail=user", width: 3840, height: 2160 }));

for (const [width, height] of [[1280, 800], [3840, 2160]])
	test(`${width} x ${height}: nothing is beyond an edge`, onPage("chain", async (page) => {
		for (const view of VIEWS) {
			await showView(page, view);
			const overflow = await page.evaluate(() =>
				Math.max(...[document.documentElement, document.body].map(
					(one) => one.scrollWidth - innerWidth)));
			const header = await page.rect("header");

			assert.ok(overflow <= 0, `${view}: ${overflow} px too wide`);
			assert.ok(header.y >= 0 && header.height < height / 4, `${view}: header`);
		}
		for (const view of PICTURES) {
			await showView(page, view);
			const stage = await page.rect(STAGE);

			assert.ok(stage.height >= 200 && stage.y + stage.height <= height + 1,
				`${view}: ${stage.height} px high at ${stage.y}`);
			assert.ok(stage.width > width / 2, `${view}: ${stage.width} px wide`);
		}
	}, { width, height }));

test("themes and palettes are other colours", onPage("chain", async (page) => {
	const met = new Map();

	for (const key of ["t", "t", "c", "t"]) {
		await page.key(key);
		await painted(page);
		const { theme, palette } = await stateOf(page, "theme", "palette");
		const usual = (await coloursOf(page)).slice(0, 8).map(([colour]) => colour);

		met.set(`${theme} ${palette}`, usual.join());
	}
	assert.equal(met.size, 4);
	assert.notEqual(met.get("light usual"), met.get("dark usual"));
	assert.notEqual(met.get("dark usual"), met.get("dark blind"));
}));

test("the page is as wide as the window, also when that changes", onPage("chain", async (page) => {
	await page.resize(1000, 700);
	await painted(page);
	await page.until("the canvas is as narrow", (stage) => {
		const { right } = document.querySelector(stage).getBoundingClientRect();

		return right <= 1000;
	}, STAGE);
}));
