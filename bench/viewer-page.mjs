// SPDX-License-Identifier: GPL-2.0-or-later
//
// viewer-page.mjs PAGE: measures the time to open a page in a headless Chromium, and the frame rate
// of its pictures while a mouse drags them. Prints lines for bench/viewer, with tabs between the
// columns: name, value, unit, explanation, goal.

import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { Browser } from "../tests/web/browser.js";

const ROUNDS = 3;
const SCREEN = { width: 1920, height: 1080 };
const SETTLED_MS = 1000;
const GOAL_FPS = 30;
const GOAL_S = 2;

/**
 * The ranges to drag: name, share of the recording, text. No range is the whole recording, because
 * it could not be dragged.
 */
const RANGES = [["out", 0.9, "9/10 of it"], ["in", 0.01, "1/100 of it"]];
const DRAG_PX = 48;
const STEP_PX = 4;
const SWEEPS = 6;
const FRAMES_MIN = 20;

/**
 * Runs in the page before all other scripts: measures when the first picture with data becomes
 * visible.
 */
function watchForPicture() {
	const look = () => {
		// The beginning of this frame shows that earlier changes have been painted.
		if (globalThis.rsp?.scene()?.boxCount > 0)
			globalThis.seenAfterMs = performance.now();
		else
			requestAnimationFrame(look);
	};

	requestAnimationFrame(look);
}

function print(name, value, unit, what, goal = "") {
	console.log([name, value, unit, what, goal].join("\t"));
}

function median(values) {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/**
 * Converts ms per frame to frames per second. The result is rounded, because the browser reports
 * the time of two refreshes of the screen as 33.3 or 33.4 ms.
 */
function fps(ms) {
	return Math.round(1000 / ms);
}

async function open(browser, url) {
	const page = await browser.open("about:blank", SCREEN);

	await page.ask("Page.addScriptToEvaluateOnNewDocument",
		{ source: `(${watchForPicture})()` });
	await page.goto(url);
	return { page, ms: await page.until("a picture", () => globalThis.seenAfterMs) };
}

/**
 * Sets a view, and a range in the middle of the recording. Waits until the page has updated
 * everything.
 */
async function look(page, view, share) {
	await page.evaluate((wanted, part) => {
		const { state, recording } = globalThis.rsp;
		const middle = recording.end / 2, half = recording.end * part / 2;

		state.set({ view: wanted, from: middle - half, to: middle + half });
	}, view, share);
	// The page updates tables only when the range has not changed for a moment.
	await pause(SETTLED_MS);
	await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
}

/**
 * Returns the times between frames, in ms, while the mouse moves to and fro with its button
 * pressed.
 */
async function drag(page) {
	const { cx, cy } = await page.rect(".stage canvas");

	await page.evaluate(() => {
		const frames = globalThis.frames = [];
		const next = (now) => {
			if (frames !== globalThis.frames)
				return;
			frames.push({ now, from: globalThis.rsp.state.from });
			requestAnimationFrame(next);
		};

		requestAnimationFrame(next);
	});
	await page.move(cx, cy);
	await page.press();
	for (let i = 0; i < SWEEPS; i++)
		for (let px = -DRAG_PX; px <= DRAG_PX; px += STEP_PX)
			await page.move(cx + (i % 2 ? -px : px), cy);
	const frames = await page.evaluate(() => {
		const { frames: all } = globalThis;

		globalThis.frames = null;
		return all;
	});

	await page.release();
	// Only frames in which the picture moved count: on a busy machine, the mouse may be slower
	// than the frames.
	const moved = frames.flatMap(({ now, from }, i) =>
		i > 0 && i + 1 < frames.length && from !== frames[i - 1].from
			? [frames[i + 1].now - now] : []);

	if (moved.length < FRAMES_MIN)
		throw new Error("the mouse drags, and the picture stays where it is");
	return moved;
}

async function measureDrags(page, name, what) {
	const drags = [];

	for (let i = 0; i < ROUNDS; i++)
		drags.push(await drag(page));
	print(name, fps(median(drags.map(median))), "frames/s", `usual frame, ${what} is seen`);
	// Other programs on the machine may delay a frame. The best of several drags has the fewest
	// delays.
	print(`${name}_worst`, fps(Math.min(...drags.map((ms) => Math.max(...ms)))), "frames/s",
		`its slowest frame, in the best of ${ROUNDS} drags`, `>= ${GOAL_FPS}`);
}

async function measure(browser, url) {
	const opened = [];
	let page = null;

	for (let i = 0; i < ROUNDS; i++) {
		await page?.close();
		const one = await open(browser, url);

		page = one.page;
		opened.push(one.ms);
	}
	print("runs", await page.evaluate(() => {
		const { kind } = globalThis.rsp.recording.span;

		return kind.reduce((count, one) => count + (one === 0 ? 1 : 0), 0);
	}), "runs", "");
	print("open", median(opened) / 1000, "s", "until a picture is seen", `<= ${GOAL_S}`);
	for (const view of ["running", "flame"])
		for (const [name, share, what] of RANGES) {
			await look(page, view, share);
			await measureDrags(page, `${view}_${name}`, what);
		}
	if (page.problems.length)
		throw new Error(page.problems.join("\n"));
}

const browser = await Browser.launch();

try {
	await measure(browser, pathToFileURL(process.argv[2]).href);
} finally {
	await browser.close();
}
