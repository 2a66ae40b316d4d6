// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests that the numbers in the page equal those in the report exactly.

import assert from "node:assert/strict";
import { test } from "node:test";

import { onPage, showView, textOf } from "../reader.js";
import { jsonOf } from "../reports.js";

const plain = (text) => text.replace(/\s+/g, " ").replace(/\.$/, "");

const withoutZeroes = (categories) =>
	Object.fromEntries(Object.entries(categories).filter(([, ns]) => ns > 0));

async function columnsOf(page) {
	await page.until("the table is there", () => document.querySelector("tr[data-category]"));
	return page.evaluate(() => [0, 1].map((column) => Object.fromEntries(
		[...document.querySelectorAll("tr[data-category]")].map((row) => {
			const cell = row.querySelectorAll("[data-ns]")[column];

			return [row.dataset.category, Number(cell.dataset.ns)];
		}))));
}

for (const report of ["chain", "names", "loss", "deep", "crowd", "pipeline", "tcp"])
	test(`${report}: findings and categories`, onPage(report, async (page) => {
		const { headline, findings, categories, paths } = jsonOf(report);
		const text = plain(await page.evaluate(() => document.body.textContent));

		for (const sentence of [headline, ...findings.map((finding) => finding.text)])
			assert.ok(text.includes(plain(sentence)), `not there: ${sentence}`);
		await showView(page, "consolidated");
		const [all, own] = await columnsOf(page);

		assert.deepEqual(withoutZeroes(all), withoutZeroes(paths.categories));
		assert.deepEqual(withoutZeroes(own), withoutZeroes(categories));
	}));

test("times of the story are written out", onPage("chain", async (page) => {
	await showView(page, "consolidated");
	await page.until("the table is there", () => document.querySelector("tr[data-category]"));
	const text = await textOf(page, "tr[data-category=network]");

	assert.match(text, /50\.0 ms/);
	assert.match(text, /25 %/);
}));
