// SPDX-License-Identifier: GPL-2.0-or-later
import assert from "node:assert";
import { test } from "node:test";
import { flamePicture } from "../../../web/flame/picture.js";
import { Longest } from "../../../web/flame/longest.js";
import { PairIndex, PairMemo } from "../../../web/flame/pair-index.js";
import { RowTimes } from "../../../web/flame/row-times.js";
import { pseudoRowsOf } from "../../../web/flame/rows.js";
import { seenPieces } from "../../../web/flame/seen.js";
import { NAMES_WIDTH } from "../../../web/scale.js";
import { BUSY, INK, MARKED, Scene } from "../../../web/scene.js";
import { Maker } from "./maker.js";

/**
 * Makes a process make that computes for 300 ns, waits for cc1 for 600 ns, and computes for 100 ns.
 * During the wait, cc1 computes, reads the disk, and computes again, each for 200 ns.
 */
function makeAndCompiler() {
	const maker = new Maker({ end: 1000, target: 0 });
	const make = maker.process(10, "make"), cc1 = maker.process(11, "cc1");
	const waits = maker.wait({ stack: "main wait4 k:do_wait", syscall: "wait4" });
	const makeThread = maker.thread(make, 10, "make", { spans: [
		{ kind: "run", ns: 300, cpu: 0 },
		{ kind: "blocked", ns: 600, cause: "task", by: 1, wait: waits },
		{ kind: "run", ns: 100, cpu: 0 },
	] });

	maker.thread(cc1, 11, "cc1", { from: 250, spans: [{ kind: "run", ns: 650, cpu: 1 }] });
	const computes = { name: "make", stack: "main parse", category: "running_sampled" };
	const asks = { name: "make", stack: "main wait4 k:do_wait", syscall: "wait4" };
	const lexes = { name: "cc1", stack: "main lex", category: "running_sampled" };
	const reads = { name: "cc1", stack: "main read k:io", category: "disk_active", syscall: "read",
			object: "/a.c" };

	maker.explain(make, [{ thread: makeThread, pieces: [
		[0, 300, maker.chain(computes)],
		[300, 500, maker.chain(asks, lexes)],
		[500, 700, maker.chain(asks, reads)],
		[700, 900, maker.chain(asks, lexes)],
		[900, 1000, maker.chain(computes)],
	] }]);
	return maker.recording();
}

function stateOf(rec, more = {}) {
	return { from: 0, to: rec.end, process: 0, detail: "user", links: true, ...more };
}

/**
 * Draws the flame view. width: the width of the picture without the names, in px. focus: the refs
 * of hovered boxes.
 */
function drawn(rec, state, width = 1000, query = null, focus = []) {
	const picture = flamePicture(rec);
	const scene = new Scene();
	const all = width + NAMES_WIDTH;

	picture.update(state, query);
	picture.layout(scene, { from: state.from, to: state.to, width: all, top: 0, focus,
				height: picture.height(all) });
	return { picture, scene };
}

function allBoxesOf(scene) {
	const { x, y, w, h, ink, label, ref, flags } = scene.boxes;

	return x.map((_, i) => ({ x: x[i], y: y[i], w: w[i], h: h[i], ink: ink[i], label: label[i],
				  ref: ref[i], flags: flags[i] }));
}

/** x is relative to the right end of the names. */
function boxesOf(scene) {
	return allBoxesOf(scene).filter(({ x, ref }) => x >= NAMES_WIDTH && ref >= 0).map((box) =>
		({ ...box, x: Math.round((box.x - NAMES_WIDTH) * 1e6) / 1e6 }));
}

function headsOf(scene) {
	return allBoxesOf(scene).filter(({ x, label }) => x < NAMES_WIDTH && label);
}

const called = (boxes, label) => boxes.filter((box) => box.label === label);

test("the longest of neighbours", () => {
	const lengths = [3, 1, 4, 1, 5, 9, 2, 6, 5];
	const longest = new Longest(lengths.length, (i) => lengths[i]);

	for (let from = 0; from < lengths.length; from++)
		for (let to = from + 1; to <= lengths.length; to++) {
			const part = lengths.slice(from, to);

			assert.strictEqual(longest.of(from, to), from + part.indexOf(Math.max(...part)));
		}
	assert.strictEqual(new Longest(1, () => 7).of(0, 1), 0);
});

test("pairs have numbers in the order in which they come", () => {
	const pairs = new PairIndex();
	const known = new Map();

	for (let i = 0; i < 20000; i++) {
		const a = i * i % 97 - 5, b = i * 31 % 1009;
		const key = `${a} ${b}`;

		if (!known.has(key))
			known.set(key, known.size);
		assert.strictEqual(pairs.of(a, b), known.get(key));
		assert.deepStrictEqual([pairs.first(known.get(key)), pairs.second(known.get(key))], [a, b]);
	}
	assert.strictEqual(pairs.count, known.size);
});

test("what is worked out for a pair may need what is for others", () => {
	const memo = new PairMemo();
	let made = 0;
	const power = (base, n) => n === 0 ? 1 : memo.of(base, n, () => {
		made++;
		return base * power(base, n - 1);
	});

	assert.deepStrictEqual([power(2, 10), power(2, 10), power(2, 5)], [1024, 1024, 32]);
	assert.strictEqual(made, 10);
});

test("pieces narrower than a pixel: the longest is seen", () => {
	const piece = { from: [], to: [] };

	for (let i = 0; i < 1000; i++) {
		piece.from.push(i);
		piece.to.push(i === 555 ? i + 1 : i + 0.5);
	}
	const longest = new Longest(1000, (i) => piece.to[i] - piece.from[i]);
	const seen = seenPieces(piece, longest, 0, 1000, { from: 0, to: 1000, width: 10 });

	assert.strictEqual(seen.piece.length, 10);
	assert.deepStrictEqual([seen.piece[5], seen.first[5], seen.last[5]], [555, 500, 599]);
	assert.deepStrictEqual([seen.from[5], seen.to[5]], [500, 600]);
});

test("frames join as long as the pseudo-stacks agree from below", () => {
	const rec = makeAndCompiler();
	const boxes = boxesOf(drawn(rec, stateOf(rec)).scene);

	assert.deepStrictEqual(called(boxes, "make").map(({ x, w, ink }) => [x, w, ink]),
			       [[0, 1000, INK.name]]);
	assert.deepStrictEqual(called(boxes, "cc1").map(({ x, w, ink }) => [x, w, ink]),
			       [[300, 600, INK.name]]);
	assert.deepStrictEqual(called(boxes, "parse").map(({ x, w, ink }) => [x, w, ink]),
			       [[0, 300, INK.run], [900, 100, INK.run]]);
	assert.deepStrictEqual(called(boxes, "wait4").map(({ x, w, ink }) => [x, w, ink]),
			       [[300, 600, INK.sleep]]);
	assert.deepStrictEqual(called(boxes, "read").map(({ x, w, ink }) => [x, w, ink]),
			       [[500, 200, INK.sleep]]);
	assert.deepStrictEqual(called(boxes, "disk I/O: /a.c").map(({ x, w, ink }) => [x, w, ink]),
			       [[500, 200, INK.disk]]);
});

test("what runs and sleeps has the shade of its share of running", () => {
	const rec = makeAndCompiler();
	const boxes = boxesOf(drawn(rec, stateOf(rec)).scene);

	// make ran for 400 of 1000 ns, cc1 for 400 of 600 ns.
	assert.deepStrictEqual(called(boxes, "main").map(({ x, w, ink }) => [x, w, ink]).sort(),
			       [[0, 1000, INK.both], [300, 600, INK.mostlyRun]]);
	const zoomed = boxesOf(drawn(rec, stateOf(rec, { from: 300, to: 450 })).scene);

	assert.deepStrictEqual(called(zoomed, "main").map(({ ink }) => ink).sort(),
			       [INK.run, INK.sleep].sort());
});

test("a pseudo-stack stands on the ground of its band, from below", () => {
	const rec = makeAndCompiler();
	const boxes = boxesOf(drawn(rec, stateOf(rec)).scene);
	const y = (label) => called(boxes, label)[0].y;

	assert.ok(y("make") > y("parse"));
	assert.ok(y("wait4") > y("cc1"));
	assert.ok(y("cc1") > y("read"));
	assert.ok(y("read") > y("disk I/O: /a.c"));
});

test("how much is shown", () => {
	const rec = makeAndCompiler();
	const labels = (detail) => new Set(boxesOf(drawn(rec, stateOf(rec, { detail })).scene)
		.map(({ label }) => label).filter((label) => label));

	assert.ok(labels("all").has("do_wait"));
	assert.ok(!labels("user").has("do_wait"));
	assert.deepStrictEqual([...labels("names")].sort(),
			       ["cc1", "cc1 · read", "disk I/O: /a.c", "lex", "make", "make · wait4",
				"parse"]);
});

test("gaps narrower than a pixel do not separate, wider ones do", () => {
	const maker = new Maker({ end: 1000 });
	const process = maker.process(1, "a");
	const thread = maker.thread(process, 1, "a", {});
	const chain = maker.chain({ name: "a", stack: "main", category: "running_sampled" });

	maker.explain(process, [{ thread, pieces: [[0, 100, chain], [101, 200, chain],
						   [300, 400, chain]] }]);
	const rec = maker.recording();
	const xs = (width) => called(boxesOf(drawn(rec, stateOf(rec), width).scene), "main")
		.map(({ x, w }) => [x, w]);

	assert.deepStrictEqual(xs(500), [[0, 100], [150, 50]]);
	assert.strictEqual(xs(5000).length, 3);
});

test("what costs is the pixels, not the pieces", () => {
	const maker = new Maker({ end: 1e6 });
	const process = maker.process(1, "a");
	const thread = maker.thread(process, 1, "a", {});
	const chains = ["f", "g", "h"].map((stack) =>
		maker.chain({ name: "a", stack: `main ${stack}`, category: "running_sampled" }));
	const pieces = Array.from({ length: 50000 }, (_, i) => [i * 20, i * 20 + 20, chains[i % 3]]);

	maker.explain(process, [{ thread, pieces }]);
	const rec = maker.recording();
	const boxes = boxesOf(drawn(rec, stateOf(rec), 100).scene);

	assert.ok(boxes.length < 100 * 3);
	assert.ok(boxes.some(({ flags }) => flags & BUSY));
	assert.strictEqual(called(boxes, "main")[0].w, 100);
});

test("a description has the time, the share and the whole pseudo-stack", () => {
	const rec = makeAndCompiler();
	const { picture, scene } = drawn(rec, stateOf(rec));
	const box = called(boxesOf(scene), "disk I/O: /a.c")[0];
	const { title, rows, stacks } = picture.describe(box.ref);

	assert.strictEqual(title, "disk I/O: /a.c");
	assert.deepStrictEqual(rows.find(([name]) => name === "this box")[1],
			       "200 ns from +0.000000 s");
	const { "in the range": share, path, ...others } = Object.fromEntries(rows);

	assert.strictEqual(share, "200 ns on this stack, 20 % of all paths");
	assert.strictEqual(path, "Main path: make [10]");
	// The box has one piece, so its stacks and its time on them are those of the box.
	assert.deepStrictEqual(Object.keys(others), ["process", "category", "this box"]);
	assert.deepStrictEqual(stacks.map((stack) => stack.title),
			       ["cc1 [11] disk I/O: /a.c", "make [10] waits in wait4 for cc1"]);
	assert.deepStrictEqual(stacks[0].frames,
			       ["main (program)", "read (program)", "io (vmlinux)"]);
	assert.strictEqual(picture.click(box.ref), null);
});

test("the time of a stack stays the same when its frames are shown", () => {
	const rec = makeAndCompiler();
	const state = stateOf(rec, { detail: "names", drilled: "" });
	const { picture, scene } = drawn(rec, state);
	const { ref } = called(boxesOf(scene), "disk I/O: /a.c")[0];
	const rangeOf = (one) => Object.fromEntries(picture.describe(one).rows)["in the range"];
	const before = rangeOf(ref);
	const { drilled, chosen } = picture.drill(state, ref, "cc1");

	picture.update({ ...state, drilled }, null);
	picture.height(1000 + NAMES_WIDTH);
	assert.strictEqual(before, "200 ns on this stack, 20 % of all paths");
	assert.strictEqual(rangeOf(chosen), before);
});

/** Makes a process a that runs in f for 2 ns, in g for 996 ns, and in f for 2 ns. */
function narrowAndWide() {
	const maker = new Maker({ end: 1000 });
	const process = maker.process(1, "a");
	const thread = maker.thread(process, 1, "a", {});
	const runs = (name) => maker.chain({ name: "a", stack: name, category: "running_sampled" });

	maker.explain(process, [{ thread, pieces: [[0, 2, runs("f")], [2, 998, runs("g")],
						   [998, 1000, runs("f")]] }]);
	return maker.recording();
}

test("a box is described, whatever narrow thing lies in the same pixel", () => {
	const rec = narrowAndWide();
	const { picture, scene } = drawn(rec, stateOf(rec), 100);
	const [box] = called(boxesOf(scene), "g");
	const { title, rows, stacks } = picture.describe(box.ref);

	assert.ok(box.w > 99);
	assert.strictEqual(title, "g");
	assert.deepStrictEqual(Object.fromEntries(rows)["this box"], "996 ns from +0.000000 s");
	assert.deepStrictEqual(stacks[0].frames, ["g (program)"]);
	assert.strictEqual(picture.drawnRef(box.ref), box.ref);
});

/**
 * Makes a process a that runs in f, g and h in turn, each time for 10 ns in f (one pixel), and for
 * 8 ns in g and in h. Then a waits for 700 ns.
 */
function manyNarrow() {
	const maker = new Maker({ end: 1000 });
	const process = maker.process(1, "a");
	const thread = maker.thread(process, 1, "a", {});
	const chains = ["f", "g", "h"].map((stack) =>
		maker.chain({ name: "a", stack, category: "running_sampled" }));
	const waits = maker.chain({ name: "a", stack: "read", category: "timeout" });
	const pieces = Array.from({ length: 30 }, (_, i) =>
		[i * 10, i * 10 + (i % 3 ? 8 : 10), chains[i % 3]]);

	maker.explain(process, [{ thread, pieces: [...pieces, [300, 1000, waits]] }]);
	return maker.recording();
}

test("boxes that are drawn as one are described as that, with their times", () => {
	const rec = manyNarrow();
	const { picture, scene } = drawn(rec, stateOf(rec), 100);
	const [box] = boxesOf(scene).filter(({ flags }) => flags & BUSY);
	const { title, rows } = picture.describe(box.ref);

	assert.strictEqual(box.w, 30);
	assert.strictEqual(box.label, "f, g and 1 other");
	assert.strictEqual(title, box.label);
	assert.deepStrictEqual(rows.slice(0, 5), [
		["this box", "298 ns from +0.000000 s"], ["each too short to be seen", "3 kinds"],
		["f", "100 ns, 34 %"], ["g", "80 ns, 27 %"], ["h", "80 ns, 27 %"],
	]);
});

test("what waits for a CPU neither runs nor sleeps", () => {
	const maker = new Maker({ end: 1000 });
	const process = maker.process(1, "a");
	const thread = maker.thread(process, 1, "a", {});
	const does = (stack, category) => maker.chain({ name: "a", stack, category });

	maker.explain(process, [{ thread, pieces: [
		[0, 100, does("f", "running_sampled")], [100, 600, does("f", "preempted")],
		[700, 1000, does("g", "preempted")],
	] }]);
	const rec = maker.recording();
	const boxes = boxesOf(drawn(rec, stateOf(rec)).scene);

	assert.deepStrictEqual(called(boxes, "f").map(({ ink }) => ink), [INK.run]);
	assert.deepStrictEqual(called(boxes, "g").map(({ ink }) => ink), [INK.runqueue]);
	assert.deepStrictEqual(Object.fromEntries(describedAs(rec, "f"))["waited for a CPU"],
			       "500 ns, 83 %");
	const names = boxesOf(drawn(rec, stateOf(rec, { detail: "names" })).scene);

	assert.deepStrictEqual(called(names, "a").map(({ w }) => w), [600, 300]);
});

function describedAs(rec, label) {
	const { picture, scene } = drawn(rec, stateOf(rec));

	return picture.describe(called(boxesOf(scene), label)[0].ref).rows;
}

/**
 * Makes random pieces. A chain has one to four hops with some frames each, and mostly begins with
 * the same hops as the other chains.
 */
function randomPaths(random) {
	const maker = new Maker({ end: 1e6 });
	const process = maker.process(1, "a");
	const thread = maker.thread(process, 1, "a", {});
	const pick = (...values) => values[Math.floor(random() * values.length)];
	const hop = (category) => ({ name: random() < 0.9 ? "a" : pick("b", "c"), category,
				     stack: pick("main", "main f", "main f g", "") });
	const chains = Array.from({ length: 40 }, () => maker.chain(
		...Array.from({ length: Math.floor(random() * 4) }, () => hop()),
		hop(pick("running_sampled", "preempted", "timeout"))));
	const path = (first) => {
		let at = first;

		return { thread, pieces: Array.from({ length: 300 }, () => {
			const from = at, to = at += Math.floor(random() * 100) + 1;

			return [from, to, pick(...chains)];
		}) };
	};

	maker.explain(process, [path(0), path(50)]);
	return maker.recording();
}

test("the times of a row within some pieces are those of the pieces that have it", () => {
	let seed = 1;
	const rec = randomPaths(() => (seed = seed * 16807 % 2147483647) / 2147483647);
	const rows = pseudoRowsOf(rec, { detail: "user" });
	const { list } = rec.explained[0].paths;
	const times = new RowTimes(rec, rows, list);

	for (const { firstPiece, pieces } of list)
		for (let i = 0; i < 500; i++) {
			const first = firstPiece + i % pieces;
			const last = Math.min(first + i * 7 % 90, firstPiece + pieces - 1);
			const row = rows.rowAt(rows.topOf(rec.piece.hop[first]), 1 + i % 6);

			assert.deepStrictEqual(times.of(row, first, last),
					       sumOf(rec, rows, row, first, last));
		}
});

/** Computes the result of RowTimes.of() piece by piece. */
function sumOf(rec, rows, row, first, last) {
	const sum = { ns: 0, run: 0, ready: 0 };

	for (let piece = first; piece <= last; piece++) {
		const hop = rec.piece.hop[piece], ns = rec.piece.ns[piece];
		const { key } = rec.meta.categories[rec.piece.category[piece]];

		if (rows.rowAt(rows.topOf(hop), rows.depth[row]) !== row)
			continue;
		const isOfLeaf = rows.depth[row] > rows.depth[rows.topOf(rec.hop.parent[hop])];

		sum.ns += ns;
		sum.run += isOfLeaf && key === "running_sampled" ? ns : 0;
		sum.ready += isOfLeaf && key === "preempted" ? ns : 0;
	}
	return sum;
}

test("a search marks boxes and tells the time that it finds, once", () => {
	const rec = makeAndCompiler();
	const { picture, scene } = drawn(rec, stateOf(rec), 1000, /^(cc1|lex)$/);
	const marked = boxesOf(scene).filter(({ flags }) => flags & MARKED).map(({ label }) => label);

	assert.deepStrictEqual([...new Set(marked)].sort(), ["cc1", "lex"]);
	assert.deepStrictEqual(picture.matched(), { count: 2, ns: 600 });
});

test("a process without an explanation says how to get one", () => {
	const rec = makeAndCompiler();
	const { scene, picture } = drawn(rec, stateOf(rec, { process: 1 }));

	assert.match(scene.texts.text[0], /rspctl html --pid 11/);
	assert.strictEqual(picture.matched(), null);
	assert.strictEqual(scene.boxCount, 0);
});

/** Makes two paths, of threads a and b. b works until 700 ns. a waits for b from 200 to 600 ns. */
function twoPaths(withSpans) {
	const maker = new Maker({ end: 1000 });
	const process = maker.process(1, "a");
	const first = maker.thread(process, 1, "a", { spans: withSpans ? [
		{ kind: "run", ns: 200, cpu: 0 },
		{ kind: "blocked", ns: 400, cause: "task", by: 1 },
		{ kind: "run", ns: 400, cpu: 0 },
	] : [] });
	const second = maker.thread(process, 2, "b", { spans: withSpans
		? [{ kind: "run", ns: 700, cpu: 1 }] : [] });
	const runs = (name) => maker.chain({ name, stack: "main", category: "running_sampled" });
	const waits = maker.chain({ name: "a", stack: "main join", category: "other_path",
				    object: "b" });

	maker.explain(process, [
		{ thread: first, pieces: [[0, 200, runs("a")], [200, 600, waits],
					  [600, 1000, runs("a")]] },
		{ thread: second, pieces: [[0, 700, runs("b")]] },
	]);
	return maker.recording();
}

for (const withSpans of [true, false])
	test(`a link from the path that was waited for, told by ${withSpans ? "waker" : "name"}`, () => {
		const rec = twoPaths(withSpans);
		const { lines } = drawn(rec, stateOf(rec)).scene;

		assert.deepStrictEqual(lines.x1, [NAMES_WIDTH + 600]);
		assert.notStrictEqual(lines.y1[0], lines.y2[0]);
	});

test("a box that is pointed at has its links, on both sides; others have none", () => {
	const rec = twoPaths(true);
	const { scene } = drawn(rec, stateOf(rec));
	const linksOf = (label) => {
		const { ref } = called(boxesOf(scene), label).at(-1);

		return drawn(rec, stateOf(rec, { links: false }), 1000, null, [ref]).scene.lines.x1;
	};

	assert.deepStrictEqual(linksOf("join"), [NAMES_WIDTH + 600]);
	assert.deepStrictEqual(linksOf("b"), [NAMES_WIDTH + 600]);
	assert.deepStrictEqual(drawn(rec, stateOf(rec, { links: false })).scene.lines.x1, []);
});

test("what waits leads to what it waits for and back, in the panel and by keys", () => {
	const rec = twoPaths(true);
	const { picture, scene } = drawn(rec, stateOf(rec));
	const [wait] = called(boxesOf(scene), "other path: b");
	const [worker] = called(boxesOf(scene), "b");
	const leads = (ref, name) => picture.describe(ref).rows.find(([one]) => one === name);
	const [, title, change] = leads(wait.ref, "waits for");

	assert.strictEqual(title, "Path 1: b [1/2]");
	assert.strictEqual(picture.describe(change.chosen).title, "main");
	assert.deepStrictEqual(picture.follow(wait.ref, "waker"), change);
	assert.strictEqual(leads(worker.ref, "is awaited by"), undefined); // at the beginning of b
	assert.strictEqual(picture.follow(worker.ref, "waker"), null);
	assert.strictEqual(picture.describe(picture.follow(wait.ref, "next").chosen).title, "main");
	assert.strictEqual(picture.follow(picture.follow(wait.ref, "previous").chosen, "previous"), null);
});

test("lanes: the main path first, each below the other, its name leads to its time", () => {
	const rec = twoPaths(true);
	const { picture, scene } = drawn(rec, stateOf(rec, { from: 0, to: 1000 }));
	const heads = headsOf(scene);

	assert.deepStrictEqual(heads.map(({ label }) => label), ["a [1]", "b [1/2]"]);
	assert.deepStrictEqual(scene.texts.text, ["main path", "path 1"]);
	assert.ok(heads[0].y < heads[1].y);
	assert.deepStrictEqual(picture.click(heads[1].ref), { from: 0, to: 700 });
	// A lane without time in the range keeps its place.
	assert.deepStrictEqual(headsOf(drawn(rec, stateOf(rec, { from: 800, to: 900 })).scene)
		.map(({ label }) => label), ["a [1]", "b [1/2]"]);
});

/** Makes the paths of make, which always runs, and of three compilers, at most two at a time. */
function parallelBuild() {
	const maker = new Maker({ end: 1000 });
	const process = maker.process(1, "make");
	const path = (tid, name, from, to) => ({
		thread: maker.thread(process, tid, name, {}),
		pieces: [[from, to, maker.chain({ name, stack: "main", category: "running_sampled" })]],
	});

	maker.explain(process, [path(1, "make", 0, 1000), path(2, "cc1", 0, 400), path(3, "cc1", 100, 600),
				path(4, "cc1", 400, 900)]);
	return maker.recording();
}

test("paths that are not at work at the same time share a lane", () => {
	const rec = parallelBuild();
	const { picture, scene } = drawn(rec, stateOf(rec));
	const heads = headsOf(scene);

	assert.deepStrictEqual(heads.map(({ label }) => label), ["make [1]", "cc1", "cc1 [1/3]"]);
	assert.deepStrictEqual(called(boxesOf(scene), "cc1").map(({ x, w, y }) => [x, w, y < heads[2].y]),
			       [[0, 400, true], [400, 500, true], [100, 500, false]]);
	const { title, rows } = picture.describe(heads[1].ref);

	assert.strictEqual(title, "cc1: 2 paths, one after the other");
	const [, path, change] = rows.at(-1);

	assert.strictEqual(path, "Path 1: cc1 [1/2]");
	assert.strictEqual(picture.describe(change.chosen).title, path);
	assert.strictEqual(picture.click(heads[1].ref), null);
	assert.deepStrictEqual(picture.timesOf(heads[1].ref), { from: 0, to: 900 });
});

test("a path whose last pieces are short ends where the next path of its lane begins", () => {
	const maker = new Maker({ end: 10_000 });
	const process = maker.process(1, "make");
	const runs = maker.chain({ name: "cc1", stack: "main", category: "running_sampled" });
	const path = (tid, ...pieces) => ({
		thread: maker.thread(process, tid, "cc1", {}),
		pieces: pieces.map(([from, to]) => [from, to, runs]),
	});

	// With 100 ns per pixel, the path of thread 2 ends in the pixel in which that of thread 3
	// begins.
	maker.explain(process, [path(1, [0, 10_000]), path(2, [0, 4990], [4991, 5010], [5020, 5030]),
				path(3, [5040, 9000])]);
	const rec = maker.recording();
	const boxes = called(boxesOf(drawn(rec, stateOf(rec), 100).scene), "cc1");
	const lane = boxes.filter(({ y }) => y === boxes.at(-1).y).sort((a, b) => a.x - b.x);

	assert.ok(lane.length >= 2);
	lane.slice(1).forEach((box, i) => assert.ok(lane[i].x + lane[i].w <= box.x, JSON.stringify(lane)));
});

test("a band's ground stays where it is when the band grows", () => {
	const rec = makeAndCompiler();
	const { picture } = drawn(rec, stateOf(rec, { from: 0, to: 300 }));
	const key = picture.anchorAt(5);
	const low = picture.yOfAnchor(key);

	picture.update(stateOf(rec), null);
	picture.height(1000);
	assert.ok(picture.yOfAnchor(key) > low);
	assert.strictEqual(picture.height(1000) - picture.yOfAnchor(key),
			   drawn(rec, stateOf(rec, { to: 300 })).picture.height(1000) - low);
});

test("whose a lane is can be read as long as any of it is seen", () => {
	const rec = makeAndCompiler();
	const { picture } = drawn(rec, stateOf(rec));
	const scene = new Scene();

	picture.layout(scene, { from: 0, to: rec.end, width: 1000, top: 25, height: 100 });
	const [head] = headsOf(scene);

	assert.deepStrictEqual([head.label, head.y], ["make [10]", 0]);
});

test("at first the ground of the main path is in sight", () => {
	const rec = makeAndCompiler();
	const { picture } = drawn(rec, stateOf(rec));
	const height = picture.height(1000);

	assert.strictEqual(picture.wantedTop(height - 50), 50);
	assert.strictEqual(picture.wantedTop(height + 50), 0);
});

test("kernel threads without user frames say what they call", () => {
	const maker = new Maker({});
	const process = maker.process(1, "a");
	const thread = maker.thread(process, 1, "a", {});
	const chain = maker.chain({ name: "a", stack: "main fsync", syscall: "fsync" },
				  { name: "jbd2", stack: "k:kthread k:commit", object: "commit" },
				  { name: "kworker", stack: "k:kthread k:work",
				    category: "running_unsampled" });

	maker.explain(process, [{ thread, pieces: [[0, 1000, chain]] }]);
	const rows = pseudoRowsOf(maker.recording(), { detail: "user" });
	const labels = [];

	for (let row = rows.topOf(chain); row; row = rows.parent[row])
		labels.unshift(rows.label(row));
	assert.deepStrictEqual(labels, ["a", "main", "fsync", "jbd2", "commit", "kworker", "work"]);
});
