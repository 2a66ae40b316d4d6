// SPDX-License-Identifier: GPL-2.0-or-later
import assert from "node:assert";
import { test } from "node:test";
import { consolidatedPicture } from "../../../web/consolidated/picture.js";
import { INK, MARKED, Scene } from "../../../web/scene.js";
import { Maker } from "./maker.js";

/**
 * Makes a process a that runs in f for 100, 100 and 50 ns, and in g for 300 ns. In h, a waits for b
 * for 450 ns, while b runs in x.
 */
function story() {
	const maker = new Maker({ end: 1000 });
	const process = maker.process(1, "a");
	const thread = maker.thread(process, 1, "a", {});
	const other = maker.thread(process, 2, "a2", {});
	const runs = (stack) => maker.chain({ name: "a", stack, category: "running_sampled" });
	const waits = maker.chain({ name: "a", stack: "main h", syscall: "read" },
				  { name: "b", stack: "main x", category: "running_unsampled" });

	maker.explain(process, [
		{ thread, pieces: [[0, 100, runs("main f")], [100, 400, runs("main g")],
				   [400, 500, runs("main f")], [500, 950, waits]] },
		{ thread: other, pieces: [[0, 50, runs("main f")]] },
	]);
	maker.process(2, "b");
	return maker.recording();
}

function drawn(rec, change = {}, query = null, zoom = null) {
	const state = { from: 0, to: 1000, process: 0, detail: "user", icicle: false, ...change };
	const picture = consolidatedPicture(rec);
	const scene = new Scene();

	picture.update(state, query);
	const view = zoom ?? { from: 0, to: picture.extent() };

	picture.layout(scene, {
		...view, width: 1000, top: 0, height: picture.height(1000, view),
	});
	const { x, y, w, ink, label, ref, flags } = scene.boxes;

	return { picture, scene, boxes: x.map((_, i) => ({ x: x[i], y: y[i], w: w[i], ink: ink[i],
		label: label[i], ref: ref[i], flags: flags[i] })) };
}

const called = (boxes, label) => boxes.filter((box) => box.label === label);
const spans = (boxes, label) => called(boxes, label).map(({ x, w }) => [x, w]);

test("equal pseudo-stacks of all paths are gathered, the longest first", () => {
	const { picture, boxes } = drawn(story());

	assert.strictEqual(picture.extent(), 1000);
	assert.deepStrictEqual(spans(boxes, "h"), [[0, 450]]);
	assert.deepStrictEqual(spans(boxes, "x"), [[0, 450]]);
	assert.deepStrictEqual(spans(boxes, "g"), [[450, 300]]);
	assert.deepStrictEqual(spans(boxes, "f"), [[750, 250]]);
});

test("the picture is as high as what is zoomed to, before that is drawn", () => {
	const { picture } = drawn(story());
	const shallow = picture.height(1000, { from: 760, to: 990 });

	assert.ok(shallow < picture.height(1000, { from: 0, to: 1000 }));
});

test("what is not in the range does not count", () => {
	const { picture, boxes } = drawn(story(), { from: 50, to: 150 });

	assert.strictEqual(picture.extent(), 100);
	assert.deepStrictEqual(spans(boxes, "f"), [[0, 500]]);
	assert.deepStrictEqual(spans(boxes, "g"), [[500, 500]]);
	assert.deepStrictEqual(spans(boxes, "h"), []);
});

test("frames that run are red, that wait blue, that do both purple", () => {
	const { boxes } = drawn(story());
	const inks = (label) => called(boxes, label).map(({ ink }) => ink);

	assert.deepStrictEqual(inks("h"), [INK.sleep]);
	assert.deepStrictEqual(inks("g"), [INK.run]);
	assert.deepStrictEqual(inks("main").sort(), [INK.run, INK.both].sort());
	assert.deepStrictEqual(inks("b"), [INK.name]);
});

test("from below, or from above as an icicle", () => {
	const y = (boxes, label) => called(boxes, label)[0].y;
	const below = drawn(story()).boxes, above = drawn(story(), { icicle: true }).boxes;

	assert.ok(y(below, "a") > y(below, "h") && y(below, "h") > y(below, "x"));
	assert.ok(y(above, "a") < y(above, "h") && y(above, "h") < y(above, "x"));
});

test("a box is zoomed to, and then fills the width", () => {
	const rec = story();
	const { picture, boxes } = drawn(rec);
	const zoom = picture.focus(called(boxes, "g")[0].ref);

	assert.deepStrictEqual(zoom, { from: 450, to: 750 });
	assert.deepStrictEqual(spans(drawn(rec, {}, null, zoom).boxes, "g"), [[0, 1000]]);
});

test("a description has the pseudo-stack from the box to the ground", () => {
	const { picture, boxes } = drawn(story());
	const { title, rows, stacks } = picture.describe(called(boxes, "x")[0].ref);

	assert.strictEqual(title, "x");
	assert.deepStrictEqual(rows[0], ["time in the range", "450 ns, 45 %"]);
	assert.deepStrictEqual(stacks, [{ title: "b", frames: ["main", "x"] },
					{ title: "a", frames: ["main", "h"] }]);
});

test("a search counts what is above what it found, once", () => {
	const { picture, boxes } = drawn(story(), {}, /^(main|f)$/);

	assert.deepStrictEqual(picture.matched(), { count: 3, ns: 1000 });
	assert.ok(boxes.every(({ label, flags }) =>
		Boolean(flags & MARKED) === /^(main|f)$/.test(label)));
	assert.deepStrictEqual(drawn(story(), {}, /x/).picture.matched(), { count: 1, ns: 450 });
});

test("nothing to show is said in words", () => {
	const unexplained = drawn(story(), { process: 1 });

	assert.match(unexplained.scene.texts.text[0], /rspctl html --pid 2/);
	assert.strictEqual(unexplained.picture.extent(), 0);
	assert.match(drawn(story(), { from: 960, to: 1000 }).scene.texts.text[0], /No control path/);
});
