// SPDX-License-Identifier: GPL-2.0-or-later
import assert from "node:assert";
import { test } from "node:test";
import { LABEL_PADDING, fittedLabel } from "../../../web/label.js";
import { CATEGORY_INK, colourOf, labelColourOf, paletteOf } from "../../../web/palette.js";
import { svgOf } from "../../../web/pen-svg.js";
import { atText } from "../../../web/flame/words.js";
import { formatInstant, tickStep, ticksOf } from "../../../web/scale.js";
import { INK, Scene } from "../../../web/scene.js";
import { STRIP_NAMES_WIDTH, layoutStrips, stripsOf } from "../../../web/strips.js";
import { CATEGORIES } from "./maker.js";

const PALETTES = ["light", "dark"].flatMap((theme) =>
	["usual", "blind"].map((palette) => paletteOf(theme, palette)));

/** Converts a component of an sRGB colour (0 to 255) to linear light. */
function linear(component) {
	const c = component / 255;

	return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

/** Returns the luminance of a colour, as WCAG defines it. */
function luminance(colour) {
	const [r, g, b] = [1, 3, 5].map((at) => linear(parseInt(colour.slice(at, at + 2), 16)));

	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
	const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);

	return (high + 0.05) / (low + 0.05);
}

test("labels can be read on all boxes, in all palettes", () => {
	for (const palette of PALETTES)
		for (const [name, ink] of Object.entries(INK)) {
			if (["text", "muted", "grid", "link", "event"].includes(name))
				continue;
			const ratio = contrast(colourOf(palette, ink), labelColourOf(palette, ink));

			assert.ok(ratio >= 4.5, `${name}: ${ratio.toFixed(1)}`);
		}
});

test("running, waiting for a CPU, and both are told apart without colours", () => {
	for (const palette of PALETTES)
		for (const ink of [INK.both, INK.runqueue]) {
			const ratio = contrast(colourOf(palette, ink), colourOf(palette, INK.run));

			assert.ok(ratio >= 1.2, `${ink}: ${ratio.toFixed(2)}`);
		}
});

/** Converts a colour to OKLab. There, distances agree with visible differences. */
function labOf(colour) {
	const [r, g, b] = [1, 3, 5].map((at) => linear(parseInt(colour.slice(at, at + 2), 16)));
	const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
	const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
	const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);

	return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
		1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
		0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}

function distance(a, b) {
	const [one, other] = [labOf(a), labOf(b)];

	return Math.hypot(...one.map((value, i) => value - other[i]));
}

test("the colours of boxes differ, also from the paler ones", () => {
	const inks = Object.entries(INK).filter(([, ink]) => ink <= INK.lost);

	for (const { colours, busy } of PALETTES)
		for (const [a, one] of inks)
			for (const [b, other] of inks.filter(([, ink]) => ink !== one)) {
				const full = distance(colours[one], colours[other]);
				const pale = distance(busy[one], colours[other]);

				assert.ok(full >= 0.055, `${a}, ${b}: ${full.toFixed(3)}`);
				assert.ok(pale >= 0.04, `pale ${a}, ${b}: ${pale.toFixed(3)}`);
			}
	for (const { colours, busy } of PALETTES)
		assert.ok(distance(busy[INK.run], colours[INK.runqueue]) >= 0.08);
});

test("texts can be read on the page, and on a name", () => {
	for (const palette of PALETTES) {
		const onHead = contrast(colourOf(palette, INK.ownHead), colourOf(palette, INK.text));
		const others = contrast(colourOf(palette, INK.ownHead), colourOf(palette, INK.faint));

		assert.ok(onHead >= 4.5, `on a name: ${onHead.toFixed(1)}`);
		assert.ok(others >= 1.2, `names of the process and of others: ${others.toFixed(1)}`);
	}
	for (const palette of PALETTES)
		for (const ink of [INK.text, INK.muted, INK.event])
			assert.ok(contrast(palette.background, colourOf(palette, ink)) >= 4.5);
});

test("each category has an ink", () => {
	for (const { key } of CATEGORIES)
		assert.ok(CATEGORY_INK[key] !== undefined, key);
});

test("labels are cut where their box ends", () => {
	const widthOf = (text) => text.length * 10;

	assert.equal(fittedLabel("short", 60, widthOf), "short");
	assert.equal(fittedLabel("a longer one", 60, widthOf), "a lo…");
	assert.equal(fittedLabel("a longer one", 20, widthOf), "");
	assert.equal(fittedLabel("", 60, widthOf), "");
});

test("no cut label is wider than its box, although letters differ in width", () => {
	const widthOf = (text) => [...text].reduce((sum, one) => sum + ("mw".includes(one) ? 10 : 3), 0);

	for (let width = 22; width < 140; width++) {
		const text = fittedLabel("mmmmm: iiiiiiiiii wwww", width, widthOf);

		assert.ok(widthOf(text) <= width - 2 * LABEL_PADDING, `${width}: ${text}`);
	}
	assert.equal(fittedLabel("mmmmmiiiii", 49, widthOf), "mmmm…");
});

test("an SVG has what the scene has, and names are no markup", () => {
	const scene = new Scene();

	scene.box(10, 5, 200, 15, INK.run, 1, "<script>alert(1)</script> & \u0007");
	scene.line(0, 0, 5, 5);
	scene.text(3, 4, "\"quoted\"");
	const svg = svgOf([{ scene, dy: 20 }], 300, 100, PALETTES[0]);

	assert.ok(svg.startsWith("<svg xmlns="));
	assert.ok(!svg.includes("<script"));
	assert.ok(svg.includes("&lt;script&gt;alert(1)&lt;/script&gt; &amp; \ufffd"));
	assert.ok(svg.includes("&quot;quoted&quot;"));
	assert.equal(svg.match(/<rect /g).length, 2);
	assert.equal(svg.match(/<path /g).length, 1);
});

test("ticks are round, and far enough apart to be read", () => {
	assert.equal(tickStep(960, 1e9), 1e8);
	assert.equal(tickStep(960, 1.1e9), 2e8);
	assert.deepEqual(ticksOf(95, 1100, 960).map(({ at }) => at),
			 [200, 400, 600, 800, 1000]);
});

test("labels of ticks tell them apart", () => {
	assert.equal(formatInstant(1.2e9, 1e8, 2e9), "1.2 s");
	assert.equal(formatInstant(1_204_350_000, 1000, 2e9), "1.204\u2009350 s");
	assert.equal(formatInstant(5e6, 5e6, 9e7), "5 ms");
	assert.equal(formatInstant(0, 100, 900), "0 ns");
});

test("instants are told from the beginning of what was asked for", () => {
	const rec = { origin: 1e9 };

	assert.deepEqual([1e9, 2_204_350_999, 999_000_000].map((t) => atText(rec, t)),
			 ["+0.000000 s", "+1.204350 s", "\u22120.001000 s"]);
	assert.equal(atText(rec, 1_036_999_999, 3), "+0.036 s");
	assert.deepEqual(ticksOf(-2e6, 1e6, 300).map(({ text }) => text), ["-2 ms", "-1 ms", "0 ms", "1 ms"]);
});

test("a strip shows small values, but not tiny ones", () => {
	const zeros = new Float64Array(4);
	const strip = {
		count: 4, cpu: zeros, runqueue: zeros, disk: [1, 1000, 50, 0], disk_queued: [0, 0, 50, 1],
		sent: zeros, received: zeros, lost: zeros,
	};
	const scene = new Scene();

	layoutStrips(scene, stripsOf({ end: 40, meta: { cpus: 2 }, strip }), STRIP_NAMES_WIDTH + 4);
	const { ink, h } = scene.boxes;
	const of = (wanted) => h.filter((_, i) => ink[i] === wanted);

	assert.deepEqual([of(INK.run), of(INK.disk), of(INK.queue)], [[], [13, 1], [1]]);
});

test("strips without anything are left out, but for CPU and run queue", () => {
	const zeros = new Float64Array(4);
	const strip = {
		count: 4, cpu: [10, 20, 0, 0], runqueue: zeros, disk: zeros, disk_queued: zeros,
		sent: zeros, received: zeros, lost: [0, 0, 0, 1],
	};
	const strips = stripsOf({ end: 40, meta: { cpus: 2 }, strip });
	const scene = new Scene();

	assert.deepEqual(strips.map(({ name }) => name), ["CPU", "Run queue", "Lost"]);
	layoutStrips(scene, strips, STRIP_NAMES_WIDTH + 400);
	// In the second quarter, both CPUs are busy, so the columns have the full height.
	const full = scene.boxes.h.filter((h, i) => scene.boxes.ink[i] === INK.run && h === 20);

	assert.equal(full.length, 100);
	assert.equal(scene.boxes.ink.filter((ink) => ink === INK.lost).length, 100);
});
