// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests that the buttons for the occurrences of a finding lead to their boxes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { RULER_HEIGHT } from "../../../web/scale.js";
import { STAGE, boxesOf, onPage, painted, seen, stateOf, textOf } from "../reader.js";
import { hasPage } from "../reports.js";

const skip = (report) => hasPage(report) ? false : "nothing can be recorded here";

/** Returns the buttons of findings with a time and a thread: [{index, title}, …]. */
function buttonsOf(page) {
	return page.evaluate(() => {
		document.querySelector(".findings details")?.setAttribute("open", "");
		return [...document.querySelectorAll(".findings .evidence button")]
			.map(({ title }, index) => ({ index, title }))
			.filter(({ title }) => title.includes("in the flame view"));
	});
}

async function press(page, index) {
	await page.evaluate((wanted) => {
		document.querySelectorAll(".findings .evidence button")[wanted].focus();
	}, index);
	await page.key("Enter");
	await page.until("what it leads to is in sight", () => globalThis.rsp.state.top !== -2);
	await painted(page);
}

/** Returns the selected box as it is drawn, and the height of the stage without the ruler. */
async function chosenOn(page) {
	const { chosen } = await stateOf(page, "chosen");
	const drawn = await page.evaluate((ref) => globalThis.rsp.stage.picture.drawnRef(ref), chosen);
	const { height } = await page.rect(STAGE);
	const scale = await page.evaluate(() => globalThis.rsp.stage.scale);

	return { box: (await boxesOf(page)).findLast(({ ref }) => ref === drawn),
		 room: height / scale - RULER_HEIGHT };
}

/** Maximum share of the buttons that lead to another box of the same time. */
const MISSING_MAX = {
	chain: 0, pipeline: 0, tcp: 0, build: 1 / 4, threads: 1 / 4, served: 1 / 4,
	stored: 1 / 4, piped: 1 / 4,
};

for (const [report, missingMax] of Object.entries(MISSING_MAX))
	test(`${report}: evidence is chosen, in sight and described`, { skip: skip(report) },
		onPage(report, async (page) => {
			const buttons = await buttonsOf(page);
			const missing = [];

			assert.ok(buttons.length > 0, "there is no evidence");
			for (const { index, title } of buttons) {
				const [, name] = /flame view: (.*?) \[[\d/]+\] /.exec(title) ?? [];

				await press(page, index);
				await seen(page, ".side");
				const { box, room } = await chosenOn(page);

				assert.ok(box, `${title}: nothing is chosen`);
				assert.ok(box.y >= 0 && box.y + box.h <= room + 1,
					`${title}: ${box.y} of ${room} px`);
				const panel = await textOf(page, ".side");
				const beyond = await page.evaluate(() => {
					const { scrollWidth, clientWidth } = document.querySelector(".side");

					return scrollWidth - clientWidth;
				});

				assert.ok(beyond <= 0, `${title}: the panel is ${beyond} px too wide`);

				assert.ok(panel.includes(box.label), `${box.label} is not in: ${panel}`);
				if (!panel.includes(name))
					missing.push(`${title}: ${panel}`);
			}
			assert.ok(missing.length <= buttons.length * missingMax,
				`${missing.length} of ${buttons.length}: ${missing[0]}`);
		}, { width: 1280, height: 640 }));
