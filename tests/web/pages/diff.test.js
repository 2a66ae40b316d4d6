// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests the page of `rspctl diff`.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Browser } from "../browser.js";
import { jsonOf, urlOf } from "../reports.js";

const REPORTS = ["diff-peers", "diff-same", "diff-names"];
const SIZES = [[1280, 800], [3840, 2160]];

let browser;

before(async () => { browser = await Browser.launch(); });
after(() => browser?.close());

function onDiff(report, fn, size = {}) {
	return async () => {
		const page = await browser.open(urlOf(report, ""), size);

		try {
			await page.until("the graph has its controls",
				() => document.querySelector("svg .control"));
			await fn(page);
			assert.deepEqual(page.problems, []);
		} finally {
			await page.close();
		}
	};
}

const textOf = (page, selector) => page.evaluate((wanted) =>
	document.querySelector(wanted).textContent, selector);

/**
 * Returns the rows of the table whose data-table is key: {name: [before, after, change,
 * isSignificant], …}; times in ns.
 */
const rowsOf = (page, table) => page.evaluate((key) => Object.fromEntries(
	[...document.querySelectorAll(`[data-table=${key}] tbody tr`)].map((row) => [
		row.lastElementChild.textContent,
		[...[...row.querySelectorAll("[data-ns]")].slice(0, 3).map((one) =>
			Number(one.dataset.ns)), row.className === "significant"],
	])), table);

for (const report of REPORTS)
	test(`${report}: answer and figures are those of the report`, onDiff(report, async (page) => {
		const json = jsonOf(report);

		assert.equal(await textOf(page, ".answer"), json.answer);
		assert.equal(await textOf(page, ".method"), json.method);
		for (const table of ["sums", "categories", "causes", "chains", "oncpu_self",
				     "oncpu_total", "offcpu_total"]) {
			const wanted = new Map(json[table].map((row) => [row.name,
				[row.before, row.after, row.change, row.significant]]));

			for (const [name, figures] of Object.entries(await rowsOf(page, table)))
				assert.deepEqual(figures, wanted.get(name), `${table}: ${name}`);
		}
		const shown = await rowsOf(page, "oncpu_self");

		assert.equal(Object.keys(shown).length, json.oncpu_self.length);
	}));

test("each link of a function finds its boxes, and shows them", onDiff("diff-peers", async (page) => {
	const count = await page.evaluate(() => document.querySelectorAll("a.frame").length);

	assert.ok(count > 10, `${count} links`);
	for (let i = 0; i < count; i++) {
		const found = await page.evaluate((index) => {
			const link = document.querySelectorAll("a.frame")[index];

			link.click();
			return { hash: link.hash, name: link.textContent };
		}, i);

		await page.until(`boxes of ${found.name} are marked`, ({ hash, name }) =>
			location.hash === hash && [...document.querySelectorAll(".f.found")].some((box) =>
				name.startsWith(box.querySelector("title").textContent.split("\n")[0])),
		found);
	}
	const { y } = await page.rect(".graph");

	assert.ok(y < 400, `the graph begins at ${y}`);
}));

test("long tables are folded until their button is pressed", onDiff("diff-peers", async (page) => {
	const visible = () => page.evaluate(() =>
		[...document.querySelectorAll("[data-table=causes] tbody tr")]
			.filter((row) => row.checkVisibility()).length);

	assert.equal(await visible(), 10);
	await page.evaluate(() => document.querySelector("[data-table=causes] .more").click());
	assert.ok(await visible() > 10);
}));

test("the button chooses the other theme", onDiff("diff-peers", async (page) => {
	const ground = () => page.evaluate(() =>
		[document.body, document.querySelector("svg .page")].map((one) => {
			const { backgroundColor, fill } = getComputedStyle(one);

			return one === document.body ? backgroundColor : fill;
		}));
	const light = await ground();

	await page.click("#theme");
	const dark = await ground();

	assert.equal(light[0], light[1]);
	assert.equal(dark[0], dark[1]);
	assert.notEqual(light[0], dark[0]);
}));

test("names make no elements", onDiff("diff-names", async (page) => {
	const [tags, scripts, text] = await page.evaluate(() => [
		[...new Set([...document.querySelectorAll("*")].map((one) => one.tagName))],
		document.scripts.length, document.body.textContent,
	]);

	for (const tag of ["IMG", "B", "IFRAME", "LINK"])
		assert.ok(!tags.includes(tag), `there is an element ${tag}`);
	assert.equal(scripts, 1); // the graph itself is an element of SVG
	assert.ok(text.includes("<script>x()</"));
}));

for (const [width, height] of SIZES)
	test(`${width} x ${height}: nothing is beyond an edge`, onDiff("diff-peers", async (page) => {
		const [over, graph, letters] = await page.evaluate(() => [
			document.documentElement.scrollWidth - innerWidth,
			document.querySelector("svg").getBoundingClientRect().width,
			parseFloat(getComputedStyle(document.body).fontSize),
		]);

		assert.ok(over <= 0, `${over} px too wide`);
		assert.ok(graph > width * 0.9 && graph <= width, `the graph is ${graph} px wide`);
		assert.ok(width < 3000 || letters >= 18, `letters of ${letters} px`);
	}, { width, height }));
