// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests clicks and keys in pictures of sums (flame graphs), in tables and in the strips.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
	PLOT, STAGE, boxesOf, clickBox, isNear, onPage, painted, showView, stateIs, stateOf,
} from "../reader.js";

const END = 200e6; // end of the story "chain", in ns

/**
 * Runs in the page: the widest box whose name begins with name must be wider (">") or narrower
 * ("<") than px.
 */
function widest(name, than, px) {
	const { w, label } = globalThis.rsp.scene().boxes;
	const most = Math.max(...w.filter((_, i) => label[i].startsWith(name)));

	return than === ">" ? most > px : most < px;
}

const labelled = (boxes, label) => boxes.find((box) => box.label.startsWith(label));

for (const [view, name] of [["consolidated", "compose"], ["graphs", "recv"]])
	test(`${view}: a click makes a box as wide as the picture, Esc undoes it`,
		onPage("chain", async (page) => {
			await showView(page, view);
			const box = labelled(await boxesOf(page), name);
			const { width } = await page.rect(STAGE);

			assert.ok(box.w < width / 2, `it is ${box.w} px wide already`);
			await clickBox(page, box);
			await page.until("it is wide", widest, name, ">", width / 2);
			// The first Escape closes the side panel, the second one ends the zoom.
			for (let i = 0; i < 2; i++) {
				await page.key("Escape");
				await painted(page);
			}
			await stateIs(page, { view });
			await page.until("it is as narrow as before", widest, name, "<", box.w + 1);
		}, { fragment: "graph=off" }));

test("a control path in the table leads to its time, by Enter", onPage("chain", async (page) => {
	await showView(page, "consolidated");
	await page.until("there is a path", () => document.querySelector("table.paths tr.action"));
	await page.evaluate(() => document.querySelector("table.paths tr.action").focus());
	await page.key("Enter");
	await stateIs(page, { from: 0, to: END }); // the only path is as long as the recording
}, { fragment: "from=50000000&to=150000000" }));

test("another process can be chosen by its pid", onPage("chain", async (page) => {
	await showView(page, "flame");
	await page.click(".chooser input");
	await page.type("30");
	await page.key("Enter");
	await page.until("it is chosen", () => {
		const { recording, state } = globalThis.rsp;

		return recording.process.pid[state.process] === 30;
	});
	await page.until("its stacks are there", () =>
		globalThis.rsp.scene().boxes.label.some((label) => label.includes("scan_table")));
}, { fragment: "detail=user" }));

test("the range can be dragged along the strips, a double click makes it whole",
	onPage("chain", async (page) => {
		const { x, width, cy } = await page.rect(PLOT);
		const grip = await page.rect(`${PLOT} .grip`);

		await page.drag({ x: grip.cx, y: grip.cy },
			{ x: grip.cx + width / 10, y: grip.cy });
		await painted(page);
		const { from, to } = await stateOf(page, "from", "to");

		isNear(from, END * 0.35, END * 0.005);
		isNear(to, END * 0.75, END * 0.005);
		await page.move(x + width * 0.1, cy);
		for (const count of [1, 2]) {
			await page.press({ count });
			await page.release({ count });
		}
		await stateIs(page, { from: 0, to: END });
	}, { fragment: "from=50000000&to=130000000" }));

test("options can be ticked, and are in the picture at once", onPage("chain", async (page) => {
	const countOfBoxes = () => page.evaluate(() => globalThis.rsp.scene().boxCount);
	const before = await countOfBoxes();

	await page.evaluate(() => [...document.querySelectorAll(".options label")]
		.find((label) => label.textContent === "Sleeps").querySelector("input").focus());
	await page.key(" ");
	await stateIs(page, { sleeps: true });
	await painted(page);
	assert.ok(await countOfBoxes() > before);
	await page.key("z");
	await stateIs(page, { sleeps: false });
}));
