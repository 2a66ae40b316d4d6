// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests that a search marks its results in all pictures.

import assert from "node:assert/strict";
import { test } from "node:test";

import { MARKED } from "../../../web/scene.js";
import {
	PICTURES, boxesOf, clickBox, onPage, painted, seen, showView, stateIs,
} from "../reader.js";

async function search(page, text) {
	await page.evaluate(() => document.activeElement.blur()); // else a text field could get "/"
	await page.key("/");
	await page.type(text);
	await stateIs(page, { query: text });
	await painted(page);
}

function foundIs(page, pattern) {
	return page.until(`the search says ${pattern}`, (source) => {
		const { textContent } = document.querySelector(".search");

		return new RegExp(source).test(textContent);
	}, pattern.source);
}

const marked = (boxes) => boxes.filter(({ flags }) => flags & MARKED);

for (const view of PICTURES)
	test(`${view}: what is found is marked, and nothing else`, onPage("chain", async (page) => {
		await showView(page, view);
		assert.deepEqual(marked(await boxesOf(page)), []);
		await search(page, view === "graphs" ? "render" : "server");
		await foundIs(page, /[1-9]\d* found/);
		const found = marked(await boxesOf(page));

		assert.ok(found.length > 0, "nothing is marked");
		for (const { label } of found)
			assert.match(label, /server|render/i);
	}, { fragment: "sleeps=1" }));

test("how much of a flame graph is found", onPage("chain", async (page) => {
	await showView(page, "graphs");
	await search(page, "render");
	await foundIs(page, /%/);
}));

test("what does not occur is not found, nor is what is no expression",
	onPage("chain", async (page) => {
		await search(page, "nowhere");
		await foundIs(page, /\b0 found/);
		await page.key("Escape");
		await stateIs(page, { query: "" });
		await search(page, "a(");
		await foundIs(page, /\b0 found/);
	}));

test("Esc leaves the box first, and a slash comes back to it", onPage("chain", async (page) => {
	const inBox = () => page.evaluate(() => document.activeElement.tagName === "INPUT");

	await showView(page, "flame");
	await clickBox(page, (await boxesOf(page)).find(({ label }) => label.includes("scan_table")));
	await seen(page, ".side");
	await search(page, "scan");
	await page.key("Escape");
	await stateIs(page, { query: "" });
	assert.ok(!await inBox());
	await seen(page, ".side");
	await search(page, "scan");
}, { fragment: "detail=user" }));

test("Esc leaves the filter of the table, too", onPage("chain", async (page) => {
	await showView(page, "utilization");
	await page.key("/");
	await page.type("hog");
	await page.key("Escape");
	await page.key("1");
	await stateIs(page, { view: "running" });
}));
