// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests of pages: each opens one that tests/web/run made, does as a reader would, and looks at what
// there is to be seen. None leaves an error on the console, a dialog or a request behind.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Browser } from "./browser.js";
import { urlOf } from "./reports.js";

const FAILURES = process.env.RSP_FAILURES;

export const VIEWS = ["running", "flame", "consolidated", "graphs", "utilization"];
export const PICTURES = VIEWS.filter((view) => view !== "utilization");

let browser;

before(async () => { browser = await Browser.launch(); });
after(() => browser?.close());

/**
 * A test on the page of a story or a recording. options: fragment, of the URL; width, height.
 */
export function onPage(name, report, fn, { fragment = "", ...size } = {}) {
	test(name, async () => {
		const page = await browser.open(urlOf(report, fragment), size);

		try {
			await ready(page);
			await fn(page);
			await painted(page);
			assert.deepEqual(page.problems, []);
		} catch (error) {
			await keep(page, name);
			throw error;
		} finally {
			await page.close();
		}
	});
}

/** The page has read its recording and painted something, or said why not. */
export function ready(page) {
	return page.until("the page is ready", () => globalThis.rsp?.scene() !== undefined);
}

/** What was done so far has been painted: that takes a frame, which begins after the next one. */
export function painted(page) {
	return page.evaluate(() => new Promise((done) => {
		requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
	}));
}

/** Of the state: stateOf(page, "from", "to") -> {from, to}. */
export function stateOf(page, ...names) {
	return page.evaluate((wanted) => Object.fromEntries(
		wanted.map((name) => [name, globalThis.rsp.state[name]])), names);
}

/** Until the state has these values. */
export function stateIs(page, values) {
	return page.until(`the state is ${JSON.stringify(values)}`, (wanted) =>
		Object.entries(wanted).every(([name, value]) => globalThis.rsp.state[name] === value),
	values);
}

/** The boxes that were painted last: [{x, y, w, h, ink, ref, label, flags}, …]. */
export function boxesOf(page) {
	return page.evaluate(() => {
		const b = globalThis.rsp.scene().boxes;

		return b.x.map((_, i) => Object.fromEntries(Object.keys(b).map((key) => [key, b[key][i]])));
	});
}

/** How many colours a canvas shows: of a blank one it is one. */
export function coloursOf(page, selector) {
	return page.evaluate((wanted) => {
		const canvas = document.querySelector(wanted);
		const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);

		return new Set(new Uint32Array(data.buffer)).size;
	}, selector);
}

/* What there was to be seen when a test failed, for whoever looks into it. */
async function keep(page, name) {
	try {
		mkdirSync(FAILURES, { recursive: true });
		writeFileSync(join(FAILURES, `${name.replace(/[^\w]+/g, "-")}.png`), await page.screenshot());
	} catch {
		// The page cannot even be painted: the error says what is known.
	}
}
