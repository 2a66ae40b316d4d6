// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests links: names lead to flame views, findings to their evidence, and boxes to their details.

import assert from "node:assert/strict";
import { test } from "node:test";

import { NAMES_WIDTH } from "../../../web/scale.js";
import {
	boxesOf, clickBox, gone, onPage, painted, seen, showView, stateIs, stateOf, textOf,
} from "../reader.js";
import { jsonOf } from "../reports.js";

test("a name in the running view leads to its flame view", onPage("chain", async (page) => {
	const boxes = await boxesOf(page);
	const name = boxes.find(({ x, label, ref }) =>
		x < NAMES_WIDTH && ref >= 0 && /^database\b/.test(label));

	assert.ok(name, "there is no name 'database'");
	await clickBox(page, name);
	await stateIs(page, { view: "flame" });
	await painted(page);
	assert.equal(await page.evaluate(() => {
		const { recording, state } = globalThis.rsp;

		return recording.string[recording.process.name[state.process]];
	}), "database");
	assert.ok((await boxesOf(page)).some(({ label }) => label.includes("scan_table")));
}, { fragment: "detail=user" }));

test("a box leads to all that is known of it, Esc back", onPage("chain", async (page) => {
	await showView(page, "flame");
	const box = (await boxesOf(page)).find(({ label }) => label.includes("scan_table"));

	await clickBox(page, box);
	await seen(page, ".side");
	const text = await textOf(page, ".side");

	for (const part of ["scan_table", "database", "server", "browser"])
		assert.ok(text.includes(part), `${part} is not in: ${text}`);
	await page.key("Escape");
	await gone(page, ".side");
}, { fragment: "detail=user" }));

test("what is pointed at is described", onPage("chain", async (page) => {
	await showView(page, "flame");
	const box = (await boxesOf(page)).find(({ label }) => label.includes("scan_table"));

	await clickBox(page, box, { only: "move" });
	await page.until("it is described", () => [...document.querySelectorAll(".tooltip")]
		.some((tip) => tip.checkVisibility() && tip.textContent.includes("scan_table")));
	// After the zoom, another box is under the pointer.
	await page.key("+");
	await gone(page, ".stage .tooltip");
}, { fragment: "detail=user" }));

test("the evidence of a finding leads to its place", onPage("chain", async (page) => {
	const { findings, snapshot } = jsonOf("chain");
	const { evidence } = findings.find(({ text }) => text.includes("192.0.2.9"));
	const begin = evidence[0].at_ns - snapshot.since_ns, end = begin + evidence[0].ns;

	await page.evaluate(() => document.querySelector(".findings summary").focus());
	await page.key("Enter");
	await page.evaluate(() => {
		const finding = [...document.querySelectorAll(".findings li")]
			.find((element) => element.textContent.includes("192.0.2.9"));

		finding.querySelector("button").focus();
	});
	await page.key("Enter");
	await page.until("another range is shown", () => globalThis.rsp.state.from > 0);
	const { from, to } = await stateOf(page, "from", "to");

	assert.ok(from <= begin && to >= end, `${from} to ${to} has not ${begin} to ${end}`);
	assert.ok(to - from < 200e6);
}));

test("Esc leads back to where one was", onPage("chain", async (page) => {
	for (const view of ["flame", "graphs"]) {
		await showView(page, view);
		await page.until("the link has it",
			(wanted) => location.hash.includes(wanted), view);
	}
	await page.key("Escape");
	await stateIs(page, { view: "flame" });
	await page.key("Escape");
	await stateIs(page, { view: "running" });
}));

test("a place that is left at once is one to go back to", onPage("chain", async (page) => {
	await page.key("+");
	const { from, to } = await stateOf(page, "from", "to");

	assert.ok(from > 0);
	for (const key of ["2", "0", "3"])
		await page.key(key);
	await stateIs(page, { view: "consolidated", from: 0 });
	await page.key("Escape");
	await stateIs(page, { view: "flame", from: 0, to: 200e6 });
	await page.key("Escape");
	await stateIs(page, { view: "flame", from, to });
	await page.key("Escape");
	await stateIs(page, { view: "running", from, to });
	await page.key("Escape");
	await stateIs(page, { view: "running", from: 0, to: 200e6 });
}));

test("a question mark lists the keys, Esc closes the list", onPage("chain", async (page) => {
	await page.key("?");
	await page.until("the list is open", () => document.querySelector("dialog[open]"));
	assert.match(await textOf(page, "dialog"), /zoom/);
	await page.key("Escape");
	await page.until("the list is closed", () => !document.querySelector("dialog[open]"));
	await stateIs(page, { view: "running" });
}));

test("Tab leads to the views, the search, the range, the picture", onPage("chain", async (page) => {
	const met = new Set();

	for (let i = 0; i < 60; i++) {
		await page.key("Tab");
		met.add(await page.evaluate(() => {
			const { className, dataset, type, role } = document.activeElement;

			return [role, type, className, dataset.view, dataset.name].join(" ");
		}));
	}
	const all = [...met].join("\n");

	for (const wanted of [/^tab .*running/m, /search/, /slider.*from/, /stage/])
		assert.match(all, wanted);
}));
