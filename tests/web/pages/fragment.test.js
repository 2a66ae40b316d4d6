// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests that a link contains the whole view.

import assert from "node:assert/strict";
import { test } from "node:test";

import { boxesOf, onPage, painted, ready, showView, stateIs, stateOf } from "../reader.js";

const SEEN = [
	"view", "from", "to", "process", "graph", "icicle", "query", "palette", "theme", "sleeps",
];

test("a reload shows what was seen before", onPage("chain", async (page) => {
	await showView(page, "graphs");
	await page.key("i");
	await page.key("c");
	await page.key("/");
	await page.type("load");
	await page.key("Enter");
	await stateIs(page, { query: "load", icicle: true, palette: "blind" });
	await page.until("the link has it", () => location.hash.includes("query=load"));
	await painted(page);
	const state = await stateOf(page, ...SEEN), boxes = await boxesOf(page);

	await page.reload();
	await ready(page);
	await stateIs(page, state);
	await painted(page);
	assert.deepEqual(await boxesOf(page), boxes);
}));

test("a link that was edited by hand does no harm", onPage("chain", async (page) => {
	await stateIs(page, { view: "running", process: 0, from: 0, to: 200e6 });
}, {
	fragment: "view=nonsense&from=x&to=1e99&process=-7&chosen=9999999&graph=&__proto__=1&<b>=1",
}));

test("a range beyond the recording is one within it", onPage("chain", async (page) => {
	const { from, to } = await stateOf(page, "from", "to");

	assert.ok(from >= 0 && from < to && to <= 200e6, `${from} to ${to}`);
}, { fragment: "from=190000000&to=900000000" }));
