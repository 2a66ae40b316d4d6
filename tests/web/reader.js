// SPDX-License-Identifier: GPL-2.0-or-later
//
// Functions for tests of pages that tests/web/run made. A test fails if the page causes an error on
// the console, a dialog or a request.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";

import { RULER_HEIGHT } from "../../web/scale.js";
import { urlOf } from "./reports.js";

const { Browser } = await import(process.env.RSP_BROWSER === "firefox" ? "./firefox.js" : "./browser.js");
const FAILURES = process.env.RSP_FAILURES;

/** Selectors of the canvas of the pictures, and of the area for dragging in the strips. */
export const STAGE = ".stage canvas";
export const PLOT = ".strips .plot";

/**
 * The views in the order of their keys, 1 to 6. Pages with requests also have the view "requests",
 * with the key 7.
 */
export const VIEWS = ["running", "flame", "consolidated", "graphs", "calls", "utilization"];
export const PICTURES = VIEWS.filter((view) => view !== "calls" && view !== "utilization");
const KEYS = [...VIEWS, "requests"];
const TIME_VIEWS = ["running", "flame", "requests"];

let browser;

before(async () => { browser = await Browser.launch(); });
after(() => browser?.close());

/**
 * Returns a function for node:test, which opens the page of a story or recording and calls
 * fn(page). options: the fragment of the URL; width, height.
 */
export function onPage(report, fn, { fragment = "", ...size } = {}) {
	return async (context) => {
		const page = await browser.open(urlOf(report, fragment), size);

		try {
			await ready(page);
			await fn(page);
			await painted(page);
			await page.gather();
			assert.deepEqual(page.problems, []);
		} catch (error) {
			await keep(page, context.name);
			throw error;
		} finally {
			await page.close();
		}
	};
}

/** Waits until the page has painted its recording, or has reported an error. */
export function ready(page) {
	return page.until("the page is ready", () => globalThis.rsp?.scene() !== undefined);
}

/** Waits until all earlier changes have been painted, which is certain after two frames. */
export function painted(page) {
	return page.evaluate(() => new Promise((done) => {
		requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
	}));
}

/** stateOf(page, "from", "to") returns {from, to}. */
export function stateOf(page, ...names) {
	return page.evaluate((wanted) => Object.fromEntries(
		wanted.map((name) => [name, globalThis.rsp.state[name]])), names);
}

export function stateIs(page, values) {
	return page.until(`the state is ${JSON.stringify(values)}`, (wanted) => {
		const { state } = globalThis.rsp;

		return Object.entries(wanted).every(([name, value]) => state[name] === value);
	}, values);
}

export async function showView(page, view) {
	await page.key(String(KEYS.indexOf(view) + 1));
	await stateIs(page, { view });
	await painted(page);
}

export function textOf(page, selector = "body") {
	return page.evaluate((wanted) => document.querySelector(wanted)?.innerText ?? "", selector);
}

/** Returns the number of "boxes", "lines" or "texts" in the last painted scene. */
export function countOf(page, what) {
	return page.evaluate((wanted) => {
		const [column] = Object.values(globalThis.rsp.scene()[wanted]);

		return column.length;
	}, what);
}

export function boxesOf(page) {
	return page.evaluate(() => {
		const columns = Object.entries(globalThis.rsp.scene().boxes);

		return columns[0][1].map((_, i) =>
			Object.fromEntries(columns.map(([name, values]) => [name, values[i]])));
	});
}

/**
 * Clicks the visible part of a painted box. If only is "move", moves the pointer there and does not
 * click.
 */
export async function clickBox(page, { x, y, w, h }, { only } = {}) {
	const stage = await page.rect(STAGE);
	const scale = await page.evaluate(() => globalThis.rsp.stage.scale);
	const { view } = await stateOf(page, "view");
	const ruler = TIME_VIEWS.includes(view) ? RULER_HEIGHT : 0;
	const left = Math.max(x, 0), right = Math.min(x + Math.max(w, 1), stage.width / scale);
	const place = [stage.x + (left + right) / 2 * scale, stage.y + (ruler + y + h / 2) * scale];

	if (only === "move")
		await page.move(...place);
	else
		await page.clickAt(...place);
	await painted(page);
}

/** Returns [[colour, pixels], …], the most frequent colour first. */
export function coloursOf(page) {
	return page.evaluate((stage) => {
		const canvas = document.querySelector(stage), { width, height } = canvas;
		const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
		const counts = new Map();

		for (const pixel of new Uint32Array(data.buffer))
			counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
		return [...counts].sort((a, b) => b[1] - a[1]);
	}, STAGE);
}

export function seen(page, selector) {
	return page.until(`${selector} is seen`,
		(wanted) => document.querySelector(wanted)?.checkVisibility(), selector);
}

export function gone(page, selector) {
	return page.until(`${selector} is gone`,
		(wanted) => !document.querySelector(wanted)?.checkVisibility(), selector);
}

export function isNear(value, wanted, tolerance) {
	assert.ok(Math.abs(value - wanted) <= tolerance,
		`${value} is not ${wanted} ± ${tolerance}`);
}

/* Saves a picture of the page after a failure, for the person who examines the failure. */
async function keep(page, name) {
	const path = join(FAILURES, `${name.replace(/\W+/g, "-")}.png`);

	try {
		mkdirSync(FAILURES, { recursive: true });
		writeFileSync(path, await page.screenshot());
	} catch {
		// If no picture can be made, the test's error is all that is known.
	}
}
