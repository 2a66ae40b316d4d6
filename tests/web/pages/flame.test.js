// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests that the output of rspctl flame agrees with the flame graphs in the page.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { graphPicture } from "../../../web/graphs/picture.js";
import { Browser } from "../browser.js";
import { KINDS, foldedOf, svgUrlOf } from "../flames.js";
import { recordingIn } from "../reports.js";

const REPORTS = ["chain", "names", "loss", "deep", "crowd", "lives", "pipeline", "tcp"];

/** The kinds of rspctl flame, with their names in the page. */
const GRAPHS = { oncpu: "cpu", offcpu: "off", hotcold: "hot", wakeup: "wakeup" };

function totalOnPage(rec, graph) {
	const picture = graphPicture(rec);

	picture.update({ from: rec.meta.since, to: rec.meta.until, process: 0, graph, all: true,
			 frames: "all", icicle: false }, null);
	return picture.extent();
}

const totalOf = (report, kind) =>
	foldedOf(report, kind).reduce((sum, { weight }) => sum + weight, 0);

for (const report of REPORTS) {
	test(`${report}: totals are those of the page's graphs`, async () => {
		const rec = await recordingIn(report);

		for (const [kind, graph] of Object.entries(GRAPHS))
			assert.equal(totalOf(report, kind), totalOnPage(rec, graph), kind);
	});

	test(`${report}: kinds of waits add up`, () => {
		assert.equal(totalOf(report, "oncpu") + totalOf(report, "offcpu"),
			     totalOf(report, "hotcold"));
		assert.equal(totalOf(report, "chain"), totalOf(report, "offcpu"));
		for (const kind of ["disk", "network"])
			assert.ok(totalOf(report, kind) <= totalOf(report, "offcpu"), kind);
	});

	test(`${report}: every line is a stack and a weight`, () => {
		for (const kind of KINDS)
			for (const { frames, weight } of foldedOf(report, kind)) {
				assert.ok(weight > 0, `${frames}: ${weight}`);
				for (const frame of frames)
					assert.match(frame, /^[^\s\p{C}]+$/u);
			}
	});
}

/* --- pictures --------------------------------------------------------------------------------- */

let browser;

before(async () => { browser = await Browser.launch(); });
after(() => browser?.close());

function onSvg(report, kind, fn, fragment) {
	return async () => {
		const page = await browser.open(svgUrlOf(report, kind, fragment));

		try {
			await fn(page);
			assert.deepEqual(page.problems, []);
		} finally {
			await page.close();
		}
	};
}

/** Returns the visible boxes: [{name, x, y, width, found, above, cx, cy}, …]. */
const boxesOf = (page) => page.evaluate(() =>
	Array.from(document.querySelectorAll(".f"), (g) => {
		const { x, y, width, height } = g.querySelector("rect").getBoundingClientRect();

		return { name: g.querySelector("title").textContent.split("\n")[0], x, y, width,
			 cx: x + width / 2, cy: y + height / 2, found: g.matches(".found"),
			 above: g.matches(".above"), hidden: g.matches(".hidden") };
	}).filter(({ hidden }) => !hidden));

const named = (boxes, name) => boxes.filter((box) => box.name === name);

async function clickBox(page, name) {
	const [{ cx, cy }] = named(await boxesOf(page), name);

	await page.clickAt(cx, cy);
}

const textOf = (page, selector) =>
	page.evaluate((wanted) => document.querySelector(wanted).textContent, selector);

const widthIs = (page, name, share) => page.until(`${name} is ${share} wide`, (wanted, part) => {
	const widthOf = (g) => g.querySelector("rect").getBoundingClientRect().width;
	const boxes = [...document.querySelectorAll(".f")];
	const box = boxes.find((g) => g.querySelector("title").textContent.startsWith(`${wanted}\n`));

	return Math.abs(widthOf(box) / widthOf(boxes[0]) - part) < 0.01;
}, name, share);

test("svg: widths are shares of the total", onSvg("chain", "oncpu", async (page) => {
	const boxes = await boxesOf(page);
	const [all] = named(boxes, "all"), [render] = named(boxes, "render");

	// The function render ran for 45 of the 105 ms.
	assert.ok(Math.abs(render.width / all.width - 45 / 105) < 0.01);
	assert.ok(render.y < all.y, "callers are below");
}));

test("svg: a click zooms, the reset and Escape undo it", onSvg("chain", "oncpu", async (page) => {
	await clickBox(page, "database");
	await widthIs(page, "database", 1);
	const boxes = await boxesOf(page);

	assert.deepEqual(named(boxes, "browser"), []);
	assert.ok(named(boxes, "sort_rows")[0].width > 100);
	assert.ok(named(boxes, "all")[0].above);
	await page.click(".control");
	await widthIs(page, "database", 15 / 105);
	await clickBox(page, "database");
	await widthIs(page, "database", 1);
	await page.key("Escape");
	await widthIs(page, "database", 15 / 105);
}));

test("svg: a link shows the same zoom and search", onSvg("chain", "oncpu", async (page) => {
	await clickBox(page, "database");
	await widthIs(page, "database", 1);
	await page.key("/");
	await page.type("sort");
	await page.until("the search is in the URL", () => location.hash.includes("search=sort"));
	await page.reload();
	await widthIs(page, "database", 1);
	assert.deepEqual((await boxesOf(page)).filter(({ found }) => found).map(({ name }) => name),
		["sort_rows"]);
	await page.evaluate(() => history.back());
	await widthIs(page, "database", 15 / 105);
}));

test("svg: a search marks names and says how much they are", onSvg("chain", "oncpu", async (page) => {
	await page.key("/");
	await page.type("^(main|render|compose)$");
	await page.until("it says 75 of 105 ms, once each",
		() => /5 found: 75\.0 ms, 71\.4 %/.test(document.querySelector(".matched").textContent));
	assert.deepEqual(new Set((await boxesOf(page)).filter(({ found }) => found)
		.map(({ name }) => name)), new Set(["main", "render", "compose"]));
	await page.key("Escape");
	await page.until("nothing is marked", () => !document.querySelector(".found"));
}));

test("svg: what is no expression is searched for as it is", onSvg("names", "wakeup", async (page) => {
	await page.key("/");
	await page.type("<<(");
	await page.until("nothing is found",
		() => document.querySelector(".matched").textContent.startsWith("0 found"));
}));

test("svg: it can be turned upside down", onSvg("chain", "oncpu", async (page) => {
	await page.evaluate(() => { location.hash = "inverted=1"; });
	await page.until("the root is at the top", () => {
		const [all, process] = Array.from(document.querySelectorAll(".f rect"),
						  (rect) => rect.getBoundingClientRect().y);

		return all < process;
	});
}));

test("svg: the pointer shows weight and share", onSvg("chain", "oncpu", async (page) => {
	const [{ cx, cy }] = named(await boxesOf(page), "render");

	await page.move(cx, cy);
	await page.until("they are shown", () =>
		/render.*45\.0 ms, 43 %, samples: \d+/
			.test(document.querySelector(".details").textContent));
}));

test("svg: names are text, whatever they look like", onSvg("names", "wakeup", async (page) => {
	const names = (await boxesOf(page)).map(({ name }) => name).join("\n");

	for (const name of ["<script>x()</", "\"><img/src=x>", "'</script>", "&lt<b&gt", "</script>"])
		assert.ok(names.includes(name), name);
	const tags = await page.evaluate(() =>
		[...new Set([...document.querySelectorAll("*")].map(({ tagName }) => tagName))].sort());

	assert.deepEqual(tags, ["foreignObject", "g", "input", "rect", "script", "style", "svg",
				"text", "title"]);
	assert.equal(await page.evaluate(() => document.querySelectorAll("script").length), 1);
	for (const { cx, cy } of await boxesOf(page))
		await page.move(cx, cy);
}));

test("svg: an empty graph says so", onSvg("empty", "disk", async (page) => {
	assert.match(await textOf(page, "svg"), /Nothing waited for a disk\./);
}));

test("svg: losses are told", onSvg("loss", "oncpu", async (page) => {
	assert.match(await textOf(page, ".warning"), /\d+ records were lost/);
}));

for (const kind of KINDS)
	test(`svg: ${kind} of a recording is drawn`, onSvg("tcp", kind, (page) =>
		page.until("the script has run", () => {
			const has = (selector) => document.querySelector(selector) !== null;

			return has(".f") === has(".control");
		})));
