// SPDX-License-Identifier: GPL-2.0-or-later
//
// The numbers on the screen are those of the report, to the nanosecond.

import assert from "node:assert/strict";
import { test } from "node:test";

import { onPage, showView, textOf } from "../reader.js";
import { jsonOf } from "../reports.js";

const withoutZeroes = (categories) =>
	Object.fromEntries(Object.entries(categories).filter(([, ns]) => ns > 0));

for (const report of ["chain", "names", "loss", "deep", "crowd", "pipeline", "tcp"]) {
	test(`${report}: headline and findings`, onPage(report, async (page) => {
		const json = jsonOf(report);
		const text = (await page.evaluate(() => document.body.textContent)).replace(/\s+/g, " ");

		for (const finding of [json.headline, ...json.findings.map((one) => one.text)])
			assert.ok(text.includes(finding.replace(/\s+/g, " ").replace(/\.$/, "")), `not there: ${finding}`);
	}));

	test(`${report}: the table of categories`, onPage(report, async (page) => {
		const json = jsonOf(report);

		await showView(page, "consolidated");
		await page.until("the table is there", () => document.querySelector("tr[data-category]"));
		const rows = await page.evaluate(() => [...document.querySelectorAll("tr[data-category]")].map(
			(row) => [row.dataset.category,
				  ...[...row.querySelectorAll("[data-ns]")].map((cell) => Number(cell.dataset.ns))]));

		assert.deepEqual(withoutZeroes(Object.fromEntries(rows.map(([key, paths]) => [key, paths]))),
			withoutZeroes(json.paths.categories));
		assert.deepEqual(withoutZeroes(Object.fromEntries(rows.map(([key, , own]) => [key, own]))),
			withoutZeroes(json.categories));
	}));
}

test("times of the story are written out", onPage("chain", async (page) => {
	await showView(page, "consolidated");
	await page.until("the table is there", () => document.querySelector("tr[data-category]"));
	const text = await textOf(page, "tr[data-category=network]");

	assert.match(text, /50\.0 ms/);
	assert.match(text, /25 %/);
}));
