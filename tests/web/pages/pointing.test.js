// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests the flame view of real recordings at the points of a grid: the box, its colour, its tooltip
// and its panel must agree with the data.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openRecording } from "../../../web/data/recording.js";
import { DEPTHS, HEADS } from "../../../web/flame/refs.js";
import { LABELLED_PX } from "../../../web/label.js";
import { NAMES_WIDTH, RULER_HEIGHT } from "../../../web/scale.js";
import { BUSY } from "../../../web/scene.js";
import { PseudoStacks, inksBetween } from "../pseudo-stacks.js";
import { STAGE, boxesOf, onPage, painted, stateOf } from "../reader.js";
import { hasPage, htmlOf } from "../reports.js";

const RECORDINGS = ["build", "threads", "served", "stored", "piped"];
const DETAILS = ["names", "user"];
const WIDTHS = [1280, 900];
const HEIGHT = 2400;

/** Distances between the points of the grid, and minimum width of the tested boxes, in px. */
const STEP = { x: 43, y: 15 };
const WIDE_PX = 8;
const ROW_PX = 15;
const TRIES_MAX = 20;

/** Maximum relative error of a text: texts have three digits. */
const ROUNDING = 0.006;
const UNITS = { ns: 1, "µs": 1e3, ms: 1e6, s: 1e9 };

/**
 * Runs in the page: returns the text of the tooltip at each point or, if clicks is set, of the
 * panel after a click.
 */
function saidAt(places, clicks) {
	const stage = document.querySelector(".stage");
	const { state } = globalThis.rsp;
	const textOf = (node) => node?.textContent ?? "";
	const contentOf = (node, heading) => ({
		title: textOf(node.querySelector(heading)),
		rows: [...node.querySelectorAll("tr")].map((row) =>
			[...row.children].map(textOf)),
		stacks: [...node.querySelectorAll("section")].map((part) =>
			[textOf(part.querySelector("h3")),
			 ...[...part.querySelectorAll("li")].map(textOf).reverse()]),
	});
	const send = (type, [clientX, clientY]) => stage.dispatchEvent(new PointerEvent(type,
		{ clientX, clientY, button: type === "pointermove" ? -1 : 0, bubbles: true }));

	return places.map((place) => {
		if (!clicks) {
			send("pointermove", place);
			const tip = stage.querySelector(".tooltip");

			return tip.hidden ? null : contentOf(tip, "strong");
		}
		send("pointerdown", place);
		send("pointerup", place);
		const side = document.querySelector(".side");
		const said = side.hidden ? null : contentOf(side, "h2");

		state.set({ chosen: -1 });
		return said;
	});
}

/** Converts a text such as "12.3 ms, 4 %" or "12.3 ms from +1.2 s" to ns. */
function nsOf(text) {
	const [, number, unit] = /^([\d.]+) (ns|µs|ms|s)\b/.exec(text) ?? [];

	return number === undefined ? NaN : Number(number) * UNITS[unit];
}

function said(rows, name) {
	return rows.find(([one]) => one === name)?.[1] ?? "";
}

/**
 * Returns the lanes whose lowest row is visible: [{name, top, ground}, …]; ground: the y of this
 * row.
 */
function lanesOf(boxes, height) {
	const heads = boxes.filter(({ x, ref }) => x === 0 && ref >= HEADS);

	return heads.filter(({ y, h }) => y + h <= height).map(({ y, h, ref }) => ({
		name: boxes.find((one) => one.ref === ref && one.label).label,
		top: Math.max(y, 0), ground: y + h - ROW_PX,
	}));
}

async function placesOn(page) {
	await painted(page);
	const { x, y } = await page.rect(STAGE);

	return JSON.stringify([x, y, ...(await boxesOf(page)).map((box) => [box.x, box.y, box.ref])]);
}

/**
 * Returns the result of fn(). If the picture moves meanwhile, calls fn() again: on a busy machine,
 * the elements around the picture may get their final size late.
 */
async function atRest(page, fn) {
	for (let tries = 0; tries < TRIES_MAX; tries++) {
		const before = await placesOn(page);
		const result = await fn();

		if (await placesOn(page) === before)
			return result;
	}
	throw new Error("the picture does not come to rest");
}

/**
 * Returns the drawing as {boxes, at, …}. boxes: [{box, lane, depth}, …]. at(x, y): converts a place
 * in the drawing to px of the page. x begins at the time axis, y below the ruler.
 */
async function drawnOn(page) {
	const boxes = await boxesOf(page);
	const { x: left, y: top, width, height } = await page.rect(STAGE);
	const scale = await page.evaluate(() => globalThis.rsp.stage.scale);
	const lanes = lanesOf(boxes, height / scale - RULER_HEIGHT);
	const all = boxes.filter(({ x, ref }) => x >= NAMES_WIDTH && ref >= 0)
		.map((box) => ({ ...box, x: box.x - NAMES_WIDTH }));

	return {
		width: width / scale - NAMES_WIDTH, lanes,
		at: (x, y) => [left + (x + NAMES_WIDTH) * scale, top + (y + RULER_HEIGHT) * scale],
		boxes: lanes.flatMap(({ name, top: upper, ground }) =>
			all.filter(({ y }) => y >= upper && y <= ground).map((box) =>
				({ box, lane: name, depth: Math.round((ground - box.y) / ROW_PX) + 1 }))),
	};
}

/** Returns the points of a grid that are on boxes: [{x, box, lane, depth, place}, …]. */
function pointsOf({ width, lanes, at, boxes }) {
	const points = [];

	for (const { top, ground } of lanes)
		for (let y = ground + ROW_PX / 2; y > top; y -= STEP.y)
			for (let x = STEP.x / 2; x < width; x += STEP.x) {
				const one = boxes.findLast(({ box }) => x >= box.x && y >= box.y &&
					x < box.x + Math.max(box.w, 1) && y < box.y + box.h);

				if (one)
					points.push({ ...one, x, place: at(x, y) });
			}
	return points;
}

async function contextOf(page, rec, detail, width) {
	const { from, to, process } = await stateOf(page, "from", "to", "process");

	return {
		stacks: new PseudoStacks(rec, detail), from, width, pixel: (to - from) / width,
		paths: rec.explained.find((one) => one.process === process).paths.list,
		nameOf: ({ thread }) => rec.string[rec.thread.name[thread]],
	};
}

async function look(page, rec, detail) {
	const drawn = await drawnOn(page);
	const points = pointsOf(drawn).filter(({ box }) => box.w >= WIDE_PX);
	const context = await contextOf(page, rec, detail, drawn.width);
	const places = points.map(({ place }) => place);
	const tips = await page.evaluate(saidAt, places, false);
	const panels = await page.evaluate(saidAt, places, true);

	return points.map((point, i) => ({
		...point, ...dataAt(context, point), tip: tips[i], panel: panels[i],
	}));
}

/**
 * Returns the wide boxes that are not merged from several boxes, each with its beginning, its end,
 * and the times in its tooltip.
 */
async function coloursIn(page, rec, detail) {
	const drawn = await drawnOn(page);
	const context = await contextOf(page, rec, detail, drawn.width);
	const { from, pixel } = context;
	const wide = drawn.boxes.filter(({ box }) => box.w >= WIDE_PX && !(box.flags & BUSY));
	const tips = await page.evaluate(saidAt, wide.map(({ box }) =>
		drawn.at(Math.max(box.x, 0) + 1, box.y + box.h / 2)), false);

	return wide.map((one, i) => ({
		...one, pixel, begin: from + one.box.x * pixel,
		end: from + (one.box.x + one.box.w) * pixel,
		times: [said(tips[i]?.rows ?? [], "this box"), onStack(tips[i]?.rows ?? [])].join(),
	}));
}

function pathOf(paths, { ref }) {
	const piece = Math.floor(ref / DEPTHS);

	return paths.find(({ firstPiece, pieces }) => piece >= firstPiece && piece < firstPiece + pieces);
}

/** least and most are the bounds of a row's time in the box. */
function dataAt({ stacks, paths, from, pixel, width, nameOf }, { x, box, depth }) {
	const path = pathOf(paths, box);
	const time = (px) => from + px * pixel;
	const here = stacks.piecesIn(path, time(Math.floor(x) - 1), time(Math.floor(x) + 2));
	const left = Math.max(box.x, 0), right = Math.min(box.x + box.w, width);
	const surely = stacks.piecesIn(path, time(left + 1), time(right - 1));
	const perhaps = stacks.piecesIn(path, time(left - 1), time(right + 1));
	const rows = new Map(here.flatMap((piece) => {
		const row = stacks.rowsOf(piece)[depth - 1];

		return row ? [[row.key, row]] : [];
	}));

	return {
		name: nameOf(path), pixel, isCut: box.x < 1 || box.x + box.w > width - 1,
		labels: new Set(perhaps.map((piece) => stacks.rowsOf(piece)[depth - 1]?.label)),
		rows: [...rows.values()].map((row) => ({
			...row, least: stacks.timesOf(surely, depth, row.key),
			most: stacks.timesOf(perhaps, depth, row.key),
		})),
	};
}

/* --- rules ---------------------------------------------------------------------------------- */

const isMerged = ({ box, tip }) => Boolean(box.flags & BUSY) &&
	said(tip?.rows ?? [], "each too short to be seen") !== "";

/** Returns the time on the stack of a box; without such a row, the time of the box. */
const onStack = (rows) => said(rows, "on this stack") || said(rows, "this box");

function isBetween(ns, least, most) {
	return ns >= least * (1 - ROUNDING) - 1 && ns <= most * (1 + ROUNDING) + 1;
}

/**
 * Returns whether the tooltip describes this box: its title is the label of the box, and its time
 * is more than half of the time that the box covers.
 */
function isDescribed({ box, tip, pixel }) {
	return tip?.title === box.label &&
		nsOf(said(tip.rows, "this box")) > (box.w / 2) * pixel;
}

/** Returns whether the time in the tooltip is that of a row with this label in the data. */
function isMeasured({ rows, tip }) {
	const ns = nsOf(onStack(tip?.rows ?? []));

	return rows.some(({ label, least, most }) =>
		label === tip?.title && isBetween(ns, least.ns, most.ns));
}

function isAsWide({ box, tip, pixel, isCut }) {
	const ns = nsOf(said(tip?.rows ?? [], "this box"));

	return isBetween(ns, (box.w - 2) * pixel, isCut ? Infinity : (box.w + 2) * pixel);
}

function inksOf({ box, rows }) {
	return rows.filter(({ label }) => label === box.label).flatMap(({ kind, ink, least, most }) =>
		kind === "frame" ? inksBetween(least, most) : [ink]);
}

function isColoured(point) {
	return inksOf(point).includes(point.box.ink);
}

function isInPanel({ box, tip, panel, rows }) {
	const isNamed = ({ label, kind }) => label === box.label && (kind !== "frame" ||
		panel.stacks.flat().some((line) => line === label || line.startsWith(`${label} (`)));

	return panel !== null && panel.title === tip?.title &&
		JSON.stringify(panel.rows) === JSON.stringify(tip.rows) && rows.some(isNamed);
}

/**
 * Checks a box that represents several parts: returns whether the data contain each named part, and
 * the times of the parts fit into the box.
 */
function isMergedRightly({ box, tip, panel, labels, pixel }) {
	const parts = tip.rows.slice(2, tip.rows.findIndex(([one]) => one === "the stacks are of"));
	const times = parts.map(([, text]) => nsOf(text));
	const sum = times.reduce((all, ns) => all + ns, 0);

	// A box without room for all names has the name of its longest part as its label.
	return panel?.title === tip.title &&
		(tip.title === box.label || (box.w < LABELLED_PX && labels.has(box.label))) &&
		parts.every(([label]) => labels.has(label) || /^[\d,]+ others?$/.test(label)) &&
		parts.length >= 2 && sum <= (box.w + 2) * pixel * (1 + ROUNDING);
}

function isInItsLane({ lane, name }) {
	return lane === name || lane.startsWith(`${name} [`);
}

const HOLDS = {
	"in the lane of another thread": isInItsLane,
	"described as something else": isDescribed,
	"of another time than the data have": isMeasured,
	"of another length than is drawn": isAsWide,
	"of another colour than the data have": isColoured,
	"another thing in the panel": isInPanel,
};

/** Returns the points that break each rule: {rule: [point, …]}. */
function failuresOf(points) {
	const failures = Object.fromEntries(Object.keys(HOLDS).map((name) => [name, []]));

	failures["not what was drawn as one"] = [];
	for (const point of points)
		if (isMerged(point)) {
			if (!isMergedRightly(point))
				failures["not what was drawn as one"].push(point);
		} else {
			for (const [name, holds] of Object.entries(HOLDS))
				if (!holds(point))
					failures[name].push(point);
		}
	return failures;
}

function textOf({ x, box, depth, lane, tip, panel, rows }) {
	return JSON.stringify({ x, box, depth, lane, tip, panel: panel?.title,
		rows: rows.map(({ label, kind, ink, least, most }) => ({ label, kind, ink, least, most })) });
}

function assertHolds(points, what) {
	const failures = failuresOf(points);
	const counts = Object.entries(failures).map(([name, all]) => `${all.length} ${name}`);
	const [first] = Object.values(failures).flat();

	assert.ok(!first, `${what}: of ${points.length} points on wide boxes ${counts.join(", ")}; ` +
		`the first: ${first && textOf(first)}`);
}

/* --- on pages ---------------------------------------------------------------------------------- */

async function recordingIn(report) {
	const [, text] = /<script id="recording"[^>]*>([^<]*)<\/script>/.exec(htmlOf(report));

	return openRecording(text);
}

const fragment = (detail, range = "") => `view=flame&detail=${detail}${range}`;

function rangesOf(rec) {
	const middle = rec.end / 2, half = rec.end / 20;

	return ["", `&from=${Math.round(middle - half)}&to=${Math.round(middle + half)}`];
}

const skip = (report) => hasPage(report) ? false : "nothing can be recorded here";

for (const report of RECORDINGS)
	test(`${report}: wide boxes are what is said of them, and what the data say`,
		{ skip: skip(report) }, async (context) => {
			const rec = await recordingIn(report);
			const wide = [];

			for (const detail of DETAILS)
				for (const [i, range] of rangesOf(rec).entries())
					await onPage(report, async (page) => {
						wide.push(...await atRest(page, () => look(page, rec, detail)));
					}, { fragment: fragment(detail, range), width: WIDTHS[i], height: HEIGHT })(
						context);
			assert.ok(wide.length > 300, `${wide.length} points`);
			assertHolds(wide, report);
		});

/**
 * Finds boxes of the same lane, depth, label and times in drawings of different widths. Returns
 * pairs of boxes: [[box, box], …].
 */
function pairsOf(some, others) {
	return some.flatMap((one) => {
		const off = 2 * Math.max(one.pixel, others[0].pixel);
		const other = others.find(({ lane, depth, box, begin, end, times }) =>
			lane === one.lane && depth === one.depth && box.label === one.box.label &&
			times === one.times &&
			Math.abs(begin - one.begin) < off && Math.abs(end - one.end) < off);

		return other ? [[one, other]] : [];
	});
}

for (const report of RECORDINGS)
	test(`${report}: what is drawn has the same colour at any width`, { skip: skip(report) },
		async (context) => {
			const rec = await recordingIn(report);
			const found = [];

			for (const width of WIDTHS)
				await onPage(report, async (page) => {
					found.push(await atRest(page, () => coloursIn(page, rec, "user")));
				}, { fragment: fragment("user"), width, height: HEIGHT })(context);
			const pairs = pairsOf(...found);
			const other = pairs.filter(([a, b]) => a.box.ink !== b.box.ink);

			/* If runs are short, most boxes are merged in the narrower drawing. */
			assert.ok(pairs.length >= 10,
				`of ${found[0].length} boxes ${pairs.length} are there at both widths`);
			assert.equal(other.length, 0, `of ${pairs.length} boxes ${other.length} have another ` +
				`colour, the first: ${JSON.stringify(other[0]?.map(({ box }) => box))}`);
		});
