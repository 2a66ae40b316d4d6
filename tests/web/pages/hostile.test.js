// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests that names are shown as text. If a script in a name ran, it would open a dialog, which is a
// problem of the page (page.js).

import assert from "node:assert/strict";
import { test } from "node:test";

import { PICTURES, VIEWS, boxesOf, clickBox, onPage, painted, showView } from "../reader.js";

/** Number of boxes to describe per view, enough to include each name. */
const BOXES = 6;
const NAMES = ["<script>x()</", "\"><img/src=x>", "'</script>", "&lt<b&gt"];

const tagsOf = (page) => page.evaluate(() =>
	[...new Set([...document.querySelectorAll("*")].map((element) => element.tagName))].sort());

/** Opens all views, descriptions and details, which show names. */
async function lookAround(page) {
	for (const view of VIEWS) {
		await showView(page, view);
		const boxes = !PICTURES.includes(view) ? [] : (await boxesOf(page)).filter(
			({ ref, w, y, h }) => ref >= 0 && w > 8 && y >= 0 && h > 5);

		for (const box of boxes.slice(0, BOXES))
			await clickBox(page, box, { only: "move" });
		if (boxes.length)
			await clickBox(page, boxes.at(-1));
		await painted(page);
	}
}

test("names make no elements", onPage("names", async (page) => {
	await lookAround(page);
	const tags = await tagsOf(page);

	for (const tag of ["IMG", "B", "svg", "IFRAME", "LINK"])
		assert.ok(!tags.includes(tag), `there is an element ${tag}`);
	assert.equal(await page.evaluate(() => document.querySelectorAll("script").length), 1);
}));

test("names are shown as they are", onPage("names", async (page) => {
	const labels = (await boxesOf(page)).map(({ label }) => label).join("\n");

	for (const name of NAMES)
		assert.ok(labels.includes(name), `${name} is not in the running view`);
	await showView(page, "utilization");
	await page.until("all names are in the table", (names) => {
		const text = document.body.innerText;

		return names.every((name) => text.includes(name));
	}, NAMES);
}));
