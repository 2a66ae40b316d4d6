// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests use without a mouse and with poor sight.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { boxesOf, onPage, painted, seen, showView, stateOf, textOf } from "../reader.js";

/** The path of axe.min.js from the npm package axe-core, which Debian does not package. */
const AXE = process.env.RSP_AXE ?? "";
const TABS_MAX = 60;

function reasonToSkip() {
	if (!existsSync(AXE))
		return "RSP_AXE is not the path of axe.min.js (npm install axe-core)";
	return process.env.RSP_BROWSER === "firefox" ? "axe-core is run in Chromium only" : false;
}

/** Returns the problems that axe-core finds on the current page: ["rule: element", …]. */
async function findingsOn(page) {
	const violations = await page.evaluate(async () => {
		const result = await globalThis.axe.run(document, { resultTypes: ["violations"] });

		return result.violations.map(({ id, nodes }) =>
			({ id, targets: nodes.map(({ target, failureSummary }) =>
				`${target.join(" ")} (${failureSummary})`) }));
	});

	return violations.flatMap(({ id, targets }) => targets.map((target) => `${id}: ${target}`));
}

/** If the view is a picture, selects the widest box that opens the side panel. */
function openPanel(page) {
	return page.evaluate(() => {
		const { stage, state } = globalThis.rsp;
		const { ref, w } = stage.scene.boxes;
		const all = ref.map((one, i) => ({ one, w: w[i] }))
			.filter(({ one }) => one >= 0 && !stage.picture?.click?.(one));

		if (stage.picture && all.length)
			state.set({ chosen: all.reduce((a, b) => b.w > a.w ? b : a).one });
	});
}

for (const theme of ["light", "dark"])
	for (const report of ["chain", "requests"])
		test(`${report}, ${theme}: axe-core finds nothing in any view`, { skip: reasonToSkip() },
			onPage(report, async (page) => {
				await page.ask("Runtime.evaluate", { expression: readFileSync(AXE, "utf8") });
				const views = await page.evaluate(() =>
					[...document.querySelectorAll("[role=tab]")].map(({ dataset }) =>
						dataset.view));

				await page.evaluate(() =>
					document.querySelector(".findings details")?.setAttribute("open", ""));
				for (const view of views) {
					await showView(page, view);
					await openPanel(page);
					await painted(page);
					assert.deepEqual(await findingsOn(page), [], view);
				}
				await page.key("?");
				assert.deepEqual(await findingsOn(page), [], "help");
			}, { fragment: `theme=${theme}` }));

/**
 * Returns the number of key presses. isIt() is called in the page. what: the wanted element, for
 * messages.
 */
async function tabTo(page, what, isIt) {
	for (let i = 0; i < TABS_MAX; i++) {
		await page.key("Tab");
		if (await page.evaluate(isIt))
			return i + 1;
	}
	throw new Error(`${TABS_MAX} times Tab do not lead to ${what}`);
}

test("the keyboard alone leads from the first sentence to the function", onPage("chain", async (page) => {
	const labels = async () => (await boxesOf(page)).map(({ label }) => label);

	await tabTo(page, "the evidence of the answer", () =>
		document.activeElement.closest(".answer .evidence") !== null);
	await page.key("Enter");
	await page.until("it is in sight", () => globalThis.rsp.state.top !== -2);
	await seen(page, ".side");
	const { view, chosen } = await stateOf(page, "view", "chosen");

	assert.equal(view, "flame");
	assert.ok(chosen >= 0);
	assert.ok(!(await labels()).includes("load_page"));
	const tabs = await tabTo(page, "the frames of the browser", () =>
		document.activeElement.matches(".drill[title$=' browser']"));

	assert.ok(tabs <= 8, `${tabs} times Tab`);
	assert.match(await textOf(page, ".side"), /\brender\b/);
	await page.key("Enter");
	await painted(page);
	assert.ok((await labels()).includes("load_page"), "the functions are not in the picture");
	// From here on, the test presses letters, which zoom and move, brackets, which follow
	// links, and Escape, which closes the panel.
	const before = await stateOf(page, "from", "to");

	await page.key("w");
	const after = await stateOf(page, "from", "to");

	assert.ok(after.to - after.from < before.to - before.from);
	await page.key("Escape");
	assert.equal((await stateOf(page, "chosen")).chosen, -1);
}));

test("the list of keys begins at its top", onPage("chain", async (page) => {
	await page.key("?");
	const { top, focus } = await page.evaluate(() => ({
		top: document.querySelector("dialog").scrollTop,
		focus: document.activeElement.getAttribute("aria-label"),
	}));

	assert.deepEqual([top, focus], [0, "Close"]);
	await page.key("Enter");
	assert.equal(await page.evaluate(() => document.querySelector("dialog").open), false);
}, { height: 400 }));

/* Without a screen, the window of Firefox may be inactive. Then no element matches :focus-visible. */
test("the picture with the focus has a frame", {
	skip: process.env.RSP_BROWSER === "firefox" ? "its window may be inactive" : false,
}, onPage("chain", async (page) => {
	await tabTo(page, "the picture", () => document.activeElement.matches(".stage"));
	// The canvas covers the stage, so the frame belongs to the canvas.
	assert.equal(await page.evaluate(() =>
		getComputedStyle(document.querySelector(".stage canvas")).outlineStyle), "solid");
}));
