// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests the running view of real recordings at the points of a grid: the box, its colour, its
// tooltip and its panel must agree with the data.

import assert from "node:assert/strict";
import { test } from "node:test";

import { CAUSE, KIND, spanEnd } from "../../../web/data/recording.js";
import { NAMES_WIDTH, RULER_HEIGHT } from "../../../web/scale.js";
import { BUSY, INK } from "../../../web/scene.js";
import {
	STAGE, boxesOf, clickBox, onPage, painted, seen, stateOf, textOf,
} from "../reader.js";
import { hasPage, recordingIn } from "../reports.js";

const RECORDINGS = ["build", "threads", "served", "stored"];
const STEP = { x: 31, y: 18 };
const WIDTH = 1280, HEIGHT = 1200;
const WIDE_PX = 3;

const BLOCKED_INKS = {
	[CAUSE.task]: INK.sleep, [CAUSE.disk]: INK.disk, [CAUSE.net]: INK.network,
	[CAUSE.sleep]: INK.timeout, [CAUSE.timeout]: INK.timeout,
	[CAUSE.hardware]: INK.interrupt, [CAUSE.kernel]: INK.interrupt,
};
const RUNS = /^ran( [\d,]+ times)?$/;
const READY = /^was (ready|put off)/;

const skip = (report) => hasPage(report) ? false : "nothing can be recorded here";

/** Runs in the page: returns the texts of the tooltip and of the panel at each point. */
function saidOf(places) {
	const stage = document.querySelector(".stage"), side = document.querySelector(".side");
	const { state } = globalThis.rsp;
	const textsOf = (node, heading) => node.hidden ? null : {
		title: node.querySelector(heading).textContent,
		rows: [...node.querySelectorAll("tr")].map((row) =>
			[...row.children].map((cell) => cell.textContent)),
	};
	const send = (type, [clientX, clientY]) => stage.dispatchEvent(new PointerEvent(type,
		{ clientX, clientY, button: type === "pointermove" ? -1 : 0, bubbles: true }));

	// The tooltips are read before the clicks, because a click hides the tooltip.
	const tips = places.map((place) => {
		send("pointermove", place);
		return textsOf(stage.querySelector(".tooltip"), "strong");
	});

	return places.map((place, i) => {
		send("pointerdown", place);
		send("pointerup", place);
		const panel = textsOf(side, "h2");

		state.set({ chosen: -1 });
		return { tip: tips[i], panel };
	});
}

function gridOn(boxes) {
	const points = [];

	for (let y = STEP.y / 2; y < HEIGHT; y += STEP.y)
		for (let x = NAMES_WIDTH + 1; x < WIDTH; x += STEP.x) {
			const box = boxes.findLast((one) => one.ref >= 0 && x >= one.x && y >= one.y &&
				x < one.x + Math.max(one.w, 1) && y < one.y + one.h);

			if (box && box.w >= WIDE_PX)
				points.push({ box, x, y });
		}
	return points;
}

function inkOf(rec, thread, span) {
	const { kind, cause } = rec.span;

	if (kind[span] === KIND.run)
		return INK.run;
	if (kind[span] === KIND.unexplained)
		return INK.unknown;
	if (kind[span] !== KIND.blocked)
		return INK.runqueue;
	const isLast = span + 1 === rec.thread.firstSpan[thread + 1] && rec.thread.to[thread] >= rec.end;

	return BLOCKED_INKS[cause[span]] ?? (isLast ? INK.sleep : INK.unknown);
}

function spansIn(rec, thread, from, to) {
	const { firstSpan } = rec.thread;
	const found = [];

	for (let i = firstSpan[thread]; i < firstSpan[thread + 1]; i++)
		if (rec.span.start[i] < to && spanEnd(rec, thread, i) > from)
			found.push(i);
	return found;
}

function threadsOf(rec, title) {
	const [, name, tid] = /^(.*?) \[(\d+)\] /.exec(title) ?? [];
	const all = Array.from({ length: rec.thread.count }, (_, thread) => thread);

	return all.filter((thread) => rec.thread.tid[thread] === Number(tid) &&
		(rec.string[rec.thread.name[thread]] || "?") === name);
}

/** Returns "" if the description of the point has no error. */
function wrong(rec, { from, pixel }, { box, x, tip, panel }) {
	if (!tip || JSON.stringify(tip) !== JSON.stringify(panel))
		return "the panel is not what the tooltip is";
	const time = (px) => from + (px - NAMES_WIDTH) * pixel;
	const what = tip.title.replace(/^.*?\] /, "");
	const spans = threadsOf(rec, tip.title).flatMap((thread) =>
		spansIn(rec, thread, time(x - 1), time(x + 1)).map((span) => ({ thread, span })));

	if (!spans.length)
		return "no such thread was there";
	if (box.flags & BUSY)
		return RUNS.test(what) && box.ink === INK.run ? "" : "no crowd of runs";
	const fits = ({ thread, span }) => {
		const kind = rec.span.kind[span];
		const said = kind === KIND.run ? RUNS.test(what)
			: kind === KIND.blocked || kind === KIND.unexplained || READY.test(what);
		const px = (spanEnd(rec, thread, span) - rec.span.start[span]) / pixel;

		return said && inkOf(rec, thread, span) === box.ink && px >= box.w - 1;
	};

	return spans.some(fits) ? "" : "no such span";
}

for (const report of RECORDINGS)
	test(`${report}: what is pointed at in the running view is what the data say`,
		{ skip: skip(report) }, async (context) => {
			const rec = await recordingIn(report);
			const wrongs = [];
			let count = 0;

			await onPage(report, async (page) => {
				await painted(page);
				const points = gridOn(await boxesOf(page));
				const { x: left, y: top, width } = await page.rect(STAGE);
				const { from, to } = await stateOf(page, "from", "to");
				const said = await page.evaluate(saidOf, points.map(({ x, y }) =>
					[left + x, top + RULER_HEIGHT + y]));
				const place = { from, pixel: (to - from) / (width - NAMES_WIDTH) };

				count = points.length;
				points.forEach((point, i) => {
					const why = wrong(rec, place, { ...point, ...said[i] });

					if (why)
						wrongs.push(`${why}: ${JSON.stringify([point, said[i]])}`);
				});
			}, { fragment: "sleeps=1", width: WIDTH, height: HEIGHT })(context);
			assert.ok(count > 200, `${count} points`);
			assert.equal(wrongs.length, 0, `${wrongs.length} of ${count}: ${wrongs[0]}`);
		});

test("rows stay while one zooms", onPage("chain", async (page) => {
	const names = async () => (await boxesOf(page)).filter(({ x, label }) => label && x < NAMES_WIDTH)
		.map(({ label }) => label);
	const before = await names();

	for (let i = 0; i < 12; i++)
		await page.key("w");
	await painted(page);
	const { from, to } = await stateOf(page, "from", "to");

	assert.ok(to - from < 10e6, `${to - from} ns`);
	assert.deepEqual(await names(), before);
}));

test("a link of the panel leads to who woke it, keys back and forth",
	onPage("chain", async (page) => {
		const boxes = await boxesOf(page);
		const server = boxes.find(({ x, label }) => x < NAMES_WIDTH && label === "server");
		const run = boxes.filter(({ x, y, ref, ink }) => x >= NAMES_WIDTH && ref >= 0 &&
			ink === INK.run && Math.abs(y - server.y) < 9).at(-1);

		await clickBox(page, run);
		await seen(page, ".side");
		const title = () => textOf(page, ".side h2");

		assert.match(await title(), /^server \[20\] ran/);
		await page.evaluate(() => {
			[...document.querySelectorAll(".side tr")].find((row) =>
				row.children[0].textContent === "woken by").querySelector("button").focus();
		});
		await page.key("Enter");
		await painted(page);
		assert.match(await title(), /^database \[30\] ran/);
		assert.ok(await page.evaluate(() => globalThis.rsp.scene().lines.ink.length) > 0);
		await page.key("]");
		await painted(page);
		assert.match(await title(), /^server \[20\] was ready|^server \[20\] ran/);
		await page.key("[");
		await painted(page);
		assert.match(await title(), /^database \[30\] ran/);
		// A disk woke the thread "database", so this wakeup has no link to a waker.
		await page.key("[");
		await painted(page);
		assert.match(await title(), /^database \[30\] ran/);
		const { chosen } = await stateOf(page, "chosen");

		await page.key(".");
		await page.key(",");
		assert.equal((await stateOf(page, "chosen")).chosen, chosen);
	}));

test("a double click zooms to the box, one beside boxes shows all", onPage("chain", async (page) => {
	const boxes = await boxesOf(page);
	const run = boxes.filter(({ x, w, ink }) => x >= NAMES_WIDTH && ink === INK.run && w > 20)
		.sort((a, b) => a.w - b.w)[0];
	const twice = async (box) => {
		await clickBox(page, box);
		await page.press({ count: 2 });
		await page.release({ count: 2 });
		await painted(page);
		return stateOf(page, "from", "to", "chosen");
	};
	const before = await stateOf(page, "from", "to");
	const { from, to, chosen } = await twice(run);
	const share = run.w / (WIDTH - NAMES_WIDTH);

	assert.equal(chosen, run.ref);
	assert.ok((to - from) / (before.to - before.from) < share * 1.3, `${from} to ${to}`);
	await page.key("Escape");
	await painted(page);
	const { height } = await page.rect(STAGE);

	await twice({ x: WIDTH / 2, y: height - RULER_HEIGHT - 20, w: 1, h: 1 });
	assert.deepEqual(await stateOf(page, "from", "to"), { from: 0, to: 200e6 });
}));
