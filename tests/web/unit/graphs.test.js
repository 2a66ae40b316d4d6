// SPDX-License-Identifier: GPL-2.0-or-later
import assert from "node:assert";
import { test } from "node:test";
import { graphPicture } from "../../../web/graphs/picture.js";
import { WeightTree, eachVisibleNode } from "../../../web/graphs/tree.js";
import { INK, Scene } from "../../../web/scene.js";
import { Maker } from "./maker.js";

/**
 * Runs are with and without samples, and waits are for a task and for a disk. stands: the time in
 * ns of web's runs without samples that web's first sample represents.
 */
function story(stands = 0) {
	const maker = new Maker({ end: 1e6 });
	const web = [maker.process(1, "web"), maker.process(2, "web")];
	const db = maker.process(3, "db");
	const reads = maker.wait({ stack: "main serve read k:schedule", syscall: "read",
				   object: "pipe" });
	const syncs = maker.wait({ stack: "main sync k:io", syscall: "fsync", object: "/x" });

	maker.thread(web[0], 1, "web", { spans: [
		{ kind: "run", ns: 100000, cpu: 0 },
		{ kind: "blocked", ns: 300000, cause: "task", by: 2, wait: reads,
		  waker: "main answer write k:wake" },
		{ kind: "runnable", ns: 1000 },
		{ kind: "run", ns: 599000, cpu: 1 },
	], samples: [[10, "main f", stands], [40, "main g k:page_fault"], [99999, "main f"]] });
	maker.thread(web[1], 2, "web", { spans: [{ kind: "run", ns: 5000, cpu: 0 }],
					 samples: [[2, "main f"]] });
	maker.thread(db, 3, "db", { spans: [
		{ kind: "blocked", ns: 400000, cause: "disk", by: "vda", wait: syncs },
		{ kind: "run", ns: 600000, cpu: 0 },
	], samples: [[999000, "main answer"]] });
	return maker.recording();
}

function drawn(rec, change = {}, query = null) {
	const state = { from: 0, to: rec.end, process: 0, graph: "cpu", all: false,
			frames: "user", icicle: false, ...change };
	const picture = graphPicture(rec);
	const scene = new Scene();

	picture.update(state, query);
	const view = { from: 0, to: picture.extent() };

	picture.layout(scene, { ...view, width: picture.extent(), top: 0,
				height: picture.height(1000, view) });
	const { x, y, w, ink, label, ref } = scene.boxes;

	return { picture, boxes: x.map((_, i) => ({ x: x[i], y: y[i], w: w[i], ink: ink[i],
						     label: label[i], ref: ref[i] })) };
}

const widths = (boxes, label) => boxes.filter((box) => box.label === label).map(({ w }) => w);
const inks = (boxes, label) => boxes.filter((box) => box.label === label).map(({ ink }) => ink);

test("on CPU: a run's time is shared by its samples, what has none is unsampled", () => {
	const { picture, boxes } = drawn(story());

	assert.strictEqual(picture.extent(), 699000);
	assert.deepStrictEqual(widths(boxes, "web"), [699000]);
	assert.deepStrictEqual(widths(boxes, "main"), [100000]);
	assert.deepStrictEqual(widths(boxes, "f"), [66667]);
	assert.deepStrictEqual(widths(boxes, "g"), [33333]);
	assert.deepStrictEqual(widths(boxes, "[not sampled]"), [599000]);
	assert.deepStrictEqual(inks(boxes, "f"), [INK.run]);
});

test("on CPU: samples stand for runs without any, but for no more than there are", () => {
	const inferred = (stands) => drawn(story(stands));
	const some = inferred(200000), many = inferred(900000);

	assert.strictEqual(some.picture.extent(), 699000);
	assert.deepStrictEqual(widths(some.boxes, "main"), [300000]);
	assert.deepStrictEqual(widths(some.boxes, "[not sampled]"), [399000]);
	assert.strictEqual(many.picture.extent(), 699000);
	assert.deepStrictEqual(widths(many.boxes, "main"), [699000]);
	assert.deepStrictEqual(widths(many.boxes, "[not sampled]"), []);
});

test("of all processes, those of one name together", () => {
	const { picture, boxes } = drawn(story(), { all: true });

	assert.strictEqual(picture.extent(), 699000 + 5000 + 600000);
	assert.deepStrictEqual(widths(boxes, "web"), [704000]);
	assert.deepStrictEqual(widths(boxes, "db"), [600000]);
	assert.deepStrictEqual(widths(boxes, "f"), [71667]);
});

test("siblings stand in the order of their names", () => {
	const { boxes } = drawn(story());
	const x = (label) => boxes.find((box) => box.label === label).x;

	assert.ok(x("[not sampled]") < x("main"));
	assert.ok(x("f") < x("g"));
});

test("a range clips runs, the shares of samples and waits", () => {
	const on = drawn(story(), { from: 50000, to: 450000 });

	assert.strictEqual(on.picture.extent(), 50000 + 49000);
	assert.deepStrictEqual(widths(on.boxes, "g"), [16666]);
	assert.deepStrictEqual(widths(on.boxes, "f"), [33334]);
	const off = drawn(story(), { from: 50000, to: 150000, graph: "off" });

	assert.strictEqual(off.picture.extent(), 50000);
});

test("a sample that comes a little late belongs to the run before", () => {
	const maker = new Maker({ end: 1e6 });

	maker.process(1, "a");
	maker.thread(0, 1, "a", { spans: [{ kind: "run", ns: 1000, cpu: 0 },
					  { kind: "blocked", ns: 5000 },
					  { kind: "run", ns: 1000, cpu: 0 }],
				  samples: [[1500, "late"], [6000, "next"]] });
	const { boxes } = drawn(maker.recording());

	assert.deepStrictEqual([widths(boxes, "late"), widths(boxes, "next")], [[1000], [1000]]);
});

test("off CPU: the stack, and on it the call with its object, in the colour of its cause", () => {
	const { picture, boxes } = drawn(story(), { graph: "off", all: true });

	assert.strictEqual(picture.extent(), 700000);
	assert.deepStrictEqual(widths(boxes, "fsync: /x"), [400000]);
	assert.deepStrictEqual(inks(boxes, "fsync: /x"), [INK.disk]);
	assert.deepStrictEqual(inks(boxes, "serve"), [INK.sleep]);
});

test("hot and cold: what runs and waits has the shade of its share", () => {
	const { picture, boxes } = drawn(story(), { graph: "hot" });

	assert.strictEqual(picture.extent(), 999000);
	// main ran for 100 us with a sample, and waited for 300 us.
	assert.deepStrictEqual(inks(boxes, "main"), [INK.mostlySleep]);
	assert.deepStrictEqual(inks(boxes, "f"), [INK.run]);
	assert.deepStrictEqual(inks(boxes, "read"), [INK.sleep]);
});

test("wakeups: over the wait the waker, his stack reversed", () => {
	const { picture, boxes } = drawn(story(), { graph: "wakeup", all: true });
	const { stacks } = picture.describe(boxes.filter(({ label }) => label === "main")
		.map(({ ref }) => ref).find((ref) => picture.describe(ref).stacks.length === 2));

	assert.deepStrictEqual(stacks.map(({ title }) => title), ["db", "web"]);
	assert.deepStrictEqual(stacks[0].frames, ["write", "answer", "main"]);
	assert.deepStrictEqual(stacks[1].frames, ["main", "serve", "read", "read: pipe"]);
	assert.deepStrictEqual(widths(boxes, "disk: vda"), [400000]);
	assert.deepStrictEqual(inks(boxes, "write"), [INK.run]);
});

test("frames of the kernel are shown if asked for", () => {
	assert.deepStrictEqual(widths(drawn(story(), { frames: "all" }).boxes, "page_fault"), [33333]);
	assert.deepStrictEqual(widths(drawn(story(), { frames: "names" }).boxes, "main"), []);
});

test("a node keeps its number when the range changes", () => {
	const rec = story();
	const picture = graphPicture(rec);
	const state = { from: 0, to: rec.end, process: 0, graph: "cpu", all: false, frames: "user" };
	const refOf = (label) => {
		const scene = new Scene();

		picture.layout(scene, { from: 0, to: picture.extent(), width: 1000, top: 0,
					height: 500 });
		return scene.boxes.ref[scene.boxes.label.indexOf(label)];
	};

	picture.update(state, null);
	const ref = refOf("g");

	picture.update({ ...state, from: 40000 }, null);
	assert.strictEqual(refOf("g"), ref);
});

test("a search tells the share, each nanosecond once", () => {
	assert.deepStrictEqual(drawn(story(), {}, /^(main|g)$/).picture.matched(),
			       { count: 2, ns: 100000 });
});

test("an empty range says so", () => {
	const picture = graphPicture(story());
	const scene = new Scene();

	picture.update({ from: 1000, to: 2000, process: 2, graph: "cpu", all: false }, null);
	picture.layout(scene, { from: 0, to: 0, width: 100, top: 0, height: 100 });
	assert.strictEqual(picture.extent(), 0);
	assert.deepStrictEqual(scene.texts.text, ["Nothing ran in this range."]);
});

test("only what is wide enough to be seen is looked at", () => {
	const children = 100000;
	const parents = new Array(children + 1).fill(0);
	const own = new Float64Array(children + 1).fill(1);

	own[1] = children;
	const tree = new WeightTree(parents, own, (a, b) => a - b);
	const seen = [];

	eachVisibleNode(tree, { from: 0, to: tree.extent, width: 1000 }, (node) => seen.push(node));
	assert.deepStrictEqual(seen, [0, 1]);
});

/**
 * Makes a shell, its child, a grandchild whose process ID is lower than that of the child, and a
 * process that is not a descendant of the shell.
 */
function family(command) {
	const maker = new Maker({ end: 1000, command, target: 0 });
	const names = ["grandchild", "shell", "child", "other"];
	const processes = names.map((name, i) => maker.process(i + 1, name));
	const parents = [2, -1, 1, -1];

	names.forEach((name, i) => maker.thread(processes[i], i + 1, name, {
		spans: [{ kind: "run", ns: 1000, cpu: 0 }], parent: parents[i],
	}));
	maker.explain(processes[1], []);
	return maker.recording();
}

test("a recorded command has its descendants with it, other processes do not", () => {
	const names = (rec, change) => ["grandchild", "shell", "child", "other"]
		.filter((name) => widths(drawn(rec, change).boxes, name).length);

	assert.deepStrictEqual(names(family("make"), { process: 1 }), ["grandchild", "shell", "child"]);
	assert.deepStrictEqual(names(family("make"), { process: 2 }), ["child"]);
	assert.deepStrictEqual(names(family(""), { process: 1 }), ["shell"]);
});
