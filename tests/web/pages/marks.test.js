// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests marks and counters.

import assert from "node:assert/strict";
import { test } from "node:test";

import { NAMES_WIDTH } from "../../../web/scale.js";
import { PLOT, STAGE, onPage, painted, showView } from "../reader.js";

const END = 3.9e9; // end of the recording, in ns; the requested span ends at 4e9
const tipOf = (page, where) => page.evaluate((selector) => {
	const tip = document.querySelector(`${selector} .tooltip`);

	return tip.hidden ? "" : tip.textContent;
}, where);

test("a mark is described where its line is, and only there", onPage("machine", async (page) => {
	await showView(page, "running");
	const { x, y, width, height } = await page.rect(STAGE);
	const end = await page.evaluate(() => globalThis.rsp.state.to);
	const at = (t) => x + NAMES_WIDTH + t / end * (width - NAMES_WIDTH);

	assert.ok(end >= END);
	await page.move(at(3e9), y + height - 20);
	await painted(page);
	assert.match(await tipOf(page, ".stage"), /cache\.service failed.*\+3\.000000 s/);
	await page.move(at(2e9), y + height - 20);
	await painted(page);
	assert.equal(await tipOf(page, ".stage"), "");
}));

test("strips tell of counters and marks", onPage("machine", async (page) => {
	const { x, width, cy } = await page.rect(PLOT);

	await page.move(x + width / 4, cy);
	await page.until("it is described", () => !document.querySelector(".strips .tooltip").hidden);
	assert.match(await tipOf(page, ".strips"),
		     /mark "v2\.1".*lack a CPU25 % of the time.*swap used.*CPU frequency, mean2\.40 GHz/);
}));
