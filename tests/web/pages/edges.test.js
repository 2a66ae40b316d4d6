// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests recordings with almost no data, or with very much.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
	STAGE, VIEWS, boxesOf, clickBox, countOf, onPage, painted, seen, showView, textOf,
} from "../reader.js";

/** Maximum number of boxes in a view: about fifty rows with one box per pixel. */
const BOXES_MAX = 20_000;

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
		const inPicture = await page.evaluate(
			() => globalThis.rsp.scene().texts.text.join(" "));

		assert.match(`${await textOf(page)} ${inPicture}`, /\b(nothing|no |none)/i, view);
	}
}));

test("loss: the page says how much was lost", onPage("loss", async (page) => {
	assert.match(await textOf(page), /1,?000,?000|1M|1\.00 M/);
}));

test("crowd: five thousand processes can be scrolled through", onPage("crowd", async (page) => {
	const boxes = () => countOf(page, "boxes");

	await page.click(STAGE);
	await page.key("Escape");
	assert.ok(await boxes() < BOXES_MAX, "far more is painted than there is to see");
	await page.key("End");
	await page.until("it is at the end", () => globalThis.rsp.state.top > 50_000);
	await painted(page);
	assert.ok(await boxes() > 0 && await boxes() < BOXES_MAX);
}));

test("deep: the whole stack is in the details", onPage("deep", async (page) => {
	await showView(page, "flame");
	const frame = (await boxesOf(page)).find(({ label, y, h }) =>
		/^(user|kernel)_/.test(label) && y >= 0 && h > 8);

	await clickBox(page, frame);
	await seen(page, ".side");
	const text = await textOf(page, ".side");

	for (const name of ["user_127", "user_1", "kernel_127", "kernel_1"])
		assert.match(text, new RegExp(`\\b${name}\\b`));
}));
