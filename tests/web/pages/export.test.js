// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests pictures in files.

import assert from "node:assert/strict";
import { test } from "node:test";

import { PICTURES, onPage, showView } from "../reader.js";

const TAGS = ["svg", "g", "rect", "path", "line", "text", "title"];
const PNG_SIGNATURE = "89504e470d0a1a0a";

const clickText = (page, text) => page.evaluate((wanted) => [...document.querySelectorAll("button")]
	.find((button) => button.textContent.trim() === wanted).click(), text);

function parsed(page, svg) {
	return page.evaluate((text) => {
		const root = new DOMParser().parseFromString(text, "image/svg+xml");

		const all = [...root.querySelectorAll("*")];

		return {
			error: root.querySelector("parsererror")?.textContent ?? "",
			texts: all.map((element) => element.textContent),
			tags: [...new Set(all.map((element) => element.tagName))],
		};
	}, svg);
}

for (const view of PICTURES)
	test(`${view}: SVG`, onPage("names", async (page) => {
		await showView(page, view);
		const { name, bytes } = await page.download(() => clickText(page, "SVG"));
		const { error, texts, tags } = await parsed(page, bytes.toString());

		assert.match(name, /\.svg$/);
		assert.equal(error, "");
		assert.ok(texts.includes(view === "graphs" ? "operator<<" : "<script>x()</"),
			texts.join("; "));
		assert.deepEqual(tags.filter((tag) => !TAGS.includes(tag)), []);
	}));

test("PNG", onPage("names", async (page) => {
	const { name, bytes } = await page.download(() => clickText(page, "PNG"));

	assert.match(name, /\.png$/);
	assert.equal(bytes.subarray(0, 8).toString("hex"), PNG_SIGNATURE);
	assert.ok(bytes.readUInt32BE(16) > 100 && bytes.readUInt32BE(20) > 50, "it is too small");
}));
