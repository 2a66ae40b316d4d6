// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests that the flame view first shows only names, and shows the frames of a name on demand.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
	boxesOf, clickBox, onPage, painted, ready, seen, showView, stateIs, stateOf,
} from "../reader.js";

const labelsOf = async (page) => new Set((await boxesOf(page)).map(({ label }) => label));

async function drill(page, name) {
	await page.evaluate((wanted) => {
		[...document.querySelectorAll(".side button.drill")]
			.find(({ title }) => title.endsWith(` ${wanted}`)).focus();
	}, name);
	await page.key("Enter");
	await painted(page);
}

test("names at first, then the frames of one of them", onPage("chain", async (page) => {
	await showView(page, "flame");
	const before = await labelsOf(page);

	assert.ok(before.has("browser · read") && before.has("database · pread64"), [...before].join());
	assert.ok(!before.has("load_page") && !before.has("scan_table"));
	await clickBox(page, (await boxesOf(page)).find(({ label }) => label === "database · pread64"));
	await seen(page, ".side");
	await drill(page, "server");
	const after = await labelsOf(page);

	assert.ok(after.has("serve") && after.has("query"), [...after].join());
	assert.ok(!after.has("load_page") && !after.has("scan_table"));
	assert.match(await page.evaluate(() => document.querySelector(".side h2").textContent),
		/disk I\/O/);
	// The selected box is now higher in the picture, but must still be selected.
	const { chosen } = await stateOf(page, "chosen");

	assert.equal((await boxesOf(page)).find(({ ref }) => ref === chosen)?.label.slice(0, 8), "disk I/O");
	await drill(page, "database");
	assert.ok((await labelsOf(page)).has("scan_table"));
	for (const name of ["server", "database"])
		await drill(page, name);
	assert.deepEqual(await labelsOf(page), before);
}));

test("a link has the names whose frames are shown", onPage("chain", async (page) => {
	await showView(page, "flame");
	await clickBox(page, (await boxesOf(page)).find(({ label }) => label === "database · pread64"));
	await seen(page, ".side");
	for (const name of ["server", "database"])
		await drill(page, name);
	const labels = await labelsOf(page);

	await page.until("the link has it", () => location.hash.includes("drilled=server%0Adatabase"));
	await page.reload();
	await ready(page);
	await stateIs(page, { drilled: "server\ndatabase" });
	await painted(page);
	assert.deepEqual(await labelsOf(page), labels);
}));

test("flame graphs have frames all the same", onPage("chain", async (page) => {
	await showView(page, "graphs");
	assert.ok((await labelsOf(page)).has("load_page"));
}));
