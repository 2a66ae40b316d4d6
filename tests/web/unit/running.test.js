// SPDX-License-Identifier: GPL-2.0-or-later
import assert from "node:assert";
import { test } from "node:test";
import { WAKEUP_CLASSES, wakeupsOf } from "../../../web/data/wakeups.js";
import { NAMES_WIDTH } from "../../../web/scale.js";
import { orderOfProcesses } from "../../../web/running/order.js";
import { runningPicture } from "../../../web/running/picture.js";
import { wasActive } from "../../../web/running/rows.js";
import { eachSeen, gallop } from "../../../web/running/spans.js";
import { BUSY, INK, MARKED, Scene } from "../../../web/scene.js";
import { Maker } from "./maker.js";

const WIDTH = NAMES_WIDTH + 1000;
const STATE = { from: 0, to: 1_000_000, process: 0, sleeps: false, links: true, idle: false };

/** Makes a thread that runs for run ns of each period. */
function regular(maker, process, tid, run, period) {
	const spans = [];

	for (let at = 0; at < 1_000_000; at += period)
		spans.push({ kind: "run", ns: run, cpu: 0 }, { kind: "blocked", ns: period - run });
	maker.thread(process, tid, `t${tid}`, { spans });
}

function seen(rec, range, pixelNs) {
	const found = [];

	eachSeen(rec, 0, range, pixelNs, (...one) => found.push(one));
	return found;
}

test("what is wide enough is seen as it is", () => {
	const maker = new Maker({ end: 1_000_000 });

	regular(maker, maker.process(1, "a"), 1, 100_000, 250_000);
	assert.deepEqual(seen(maker.recording(), { from: 0, to: 500_000 }, 1000), [
		[0, 1, 0, 100_000], [1, 2, 100_000, 250_000],
		[2, 3, 250_000, 350_000], [3, 4, 350_000, 500_000],
	]);
});

test("runs with gaps under a pixel are one crowd", () => {
	const maker = new Maker({ end: 1_000_000 });

	regular(maker, maker.process(1, "a"), 1, 10, 100);
	assert.deepEqual(seen(maker.recording(), { from: 0, to: 1_000_000 }, 1000),
			 [[0, 19_999, 0, 999_910]]);
});

test("a short run between long sleeps is no crowd", () => {
	const maker = new Maker({ end: 1_000_000 });

	regular(maker, maker.process(1, "a"), 1, 10, 250_000);
	const all = seen(maker.recording(), { from: 0, to: 1_000_000 }, 1000);
	const runs = all.filter(([first]) => first % 2 === 0);

	assert.deepEqual(runs.map(([first, end]) => end - first), [1, 1, 1, 1]);
});

test("the picture has no more boxes than pixels, however many spans there are", () => {
	const maker = new Maker({ end: 1_000_000 });

	regular(maker, maker.process(1, "a"), 1, 3, 7);
	const { boxes } = painted(maker.recording(), STATE);

	assert.ok(boxes.x.length < 1000, `${boxes.x.length} boxes`);
	assert.ok(boxes.flags.some((flags) => flags & BUSY));
});

test("galloping finds the first greater value", () => {
	const values = [1, 3, 3, 7, 9];

	assert.deepEqual([0, 1, 3, 8, 9, 10].map((value) => gallop(values, 0, 5, value)),
			 [0, 1, 3, 4, 5, 5]);
	assert.equal(gallop(values, 2, 5, 3), 3);
});

function painted(rec, state, query = null) {
	const picture = runningPicture(rec);
	const scene = new Scene();

	picture.update(state, query);
	picture.layout(scene, { ...state, width: WIDTH, top: 0, height: 400 });
	scene.status = picture.status();
	return scene;
}

function family() {
	const maker = new Maker({ end: 1_000_000 });
	const shell = maker.process(1, "sh"), stranger = maker.process(2, "cron");
	const compiler = maker.process(3, "cc1"), idle = maker.process(4, "idler");
	const wait = maker.wait({ stack: "main wait_for k:schedule", syscall: "wait4" });

	maker.thread(shell, 1, "sh", { spans: [
		{ kind: "run", ns: 100_000, cpu: 0 },
		{ kind: "blocked", ns: 800_000, cause: "task", by: 2, wait },
		{ kind: "run", ns: 100_000, cpu: 0 },
	] });
	maker.thread(stranger, 2, "cron", { spans: [{ kind: "run", ns: 500_000, cpu: 1 }] });
	maker.thread(compiler, 3, "cc1", {
		from: 100_000, spans: [{ kind: "run", ns: 800_000, cpu: 0 }],
		samples: [[500_000, "main parse"]],
	});
	maker.thread(idle, 4, "idler", { spans: [{ kind: "blocked", ns: 1_000_000 }] });
	return maker.recording();
}

test("those that talk stand together", () => {
	const rec = family();

	assert.deepEqual(orderOfProcesses(rec, wakeupsOf(rec), 0), [0, 2, 1, 3]);
});

test("those that talk most are nearer than the one that started it all", () => {
	const maker = new Maker({ end: 1_000_000 });
	const names = ["shell", "other", "client", "backend"];
	const [shell, other, client, backend] = names.map((name, i) => maker.process(i + 1, name));
	const woken = { kind: "blocked", ns: 10_000, cause: "task", by: 3 };

	maker.thread(shell, 1, "shell", { spans: [{ kind: "run", ns: 1_000_000, cpu: 0 }] });
	maker.thread(other, 2, "other", { spans: [{ kind: "run", ns: 1_000_000, cpu: 0 }], parent: 0 });
	maker.thread(client, 3, "client", { spans: Array(50).fill(woken), parent: 0 });
	maker.thread(backend, 4, "backend", { spans: [{ kind: "run", ns: 1_000_000, cpu: 1 }] });
	const rec = maker.recording();

	assert.deepEqual(orderOfProcesses(rec, wakeupsOf(rec), client), [client, backend, shell, other]);
});

test("of the processes that a process started, those come first that ran longest with theirs", () => {
	const maker = new Maker({ end: 1_000_000 });
	const run = (ns) => ({ spans: [{ kind: "run", ns, cpu: 0 }] });
	const names = ["make", "printf", "gcc", "cc1", "clang", "gcc", "cc1"];
	const [make, printf, gcc, cc1, clang, gcc2, cc2] = names.map((name, i) => maker.process(i + 1, name));

	maker.thread(make, 1, "make", run(100));
	maker.thread(printf, 2, "printf", { ...run(200), parent: 0 });
	maker.thread(gcc, 3, "gcc", { ...run(100), parent: 0 });
	maker.thread(cc1, 4, "cc1", { ...run(300_000), parent: 2 });
	maker.thread(clang, 5, "clang", { ...run(500_000), parent: 0 });
	maker.thread(gcc2, 6, "gcc", { ...run(100), parent: 0 });
	maker.thread(cc2, 7, "cc1", { ...run(400_000), parent: 5 });
	const rec = maker.recording();

	// Each compiler of gcc ran for a shorter time than clang, but together, they ran longer.
	assert.deepEqual(orderOfProcesses(rec, wakeupsOf(rec), make),
			 [make, gcc, cc1, gcc2, cc2, clang, printf]);
});

test("a process and its descendants stay together, whatever their links to others", () => {
	const maker = new Maker({ end: 1_000_000 });
	const names = ["make", "gcc", "server", "clang"];
	const [make, gcc, server, clang] = names.map((name, i) => maker.process(i + 1, name));
	const run = { kind: "run", ns: 100_000, cpu: 0 };
	const woken = { kind: "blocked", ns: 10_000, cause: "task", by: 2 };

	maker.thread(make, 1, "make", { spans: [run] });
	maker.thread(gcc, 2, "gcc", { spans: [run, woken, run, woken, run], parent: 0 });
	maker.thread(server, 3, "server", { spans: [run, run, run] });
	maker.thread(clang, 4, "clang", { spans: [run], parent: 0 });
	const rec = maker.recording();

	assert.deepEqual(orderOfProcesses(rec, wakeupsOf(rec), make), [make, gcc, clang, server]);
});

test("the recorder comes after all other programs, unless it is the process of interest", () => {
	const maker = new Maker({ end: 1_000_000 });
	const names = ["rspd", "rspctl", "rspd-opener", "rsp-worker", "ab", "rspdx", "nginx"];
	const started = names.map((name, i) => maker.process(i + 1, name));

	started.forEach((process, i) => maker.thread(process, i + 1, names[i], {
		spans: [{ kind: "run", ns: 1000, cpu: 0 }], ...(i > 1 ? { parent: 1 } : {}),
	}));
	const rec = maker.recording();

	assert.deepEqual(orderOfProcesses(rec, wakeupsOf(rec), 4), [4, 5, 6, 0, 1, 2, 3]);
	assert.equal(orderOfProcesses(rec, wakeupsOf(rec), 0)[0], 0);
});

test("wakeups lie by time, behind those that ended longer waits", () => {
	const maker = new Maker({ end: 1_000_000 });
	const [a, b] = ["a", "b"].map((name, i) => maker.process(i + 1, name));
	const wait = maker.wait({ syscall: "read" });
	const woken = (ns) => ({ kind: "blocked", ns, cause: "task", by: 0, wait });

	maker.thread(a, 1, "a", { spans: [{ kind: "run", ns: 900_000, cpu: 0 }] });
	maker.thread(b, 2, "b", { spans: [woken(100), woken(99), woken(500_000), woken(101)] });
	const { count, at, waker, wakee, first } = wakeupsOf(maker.recording());

	assert.equal(count, 4);
	assert.deepEqual([...at], [500_199, 100, 199, 500_300]);
	assert.deepEqual([...waker, ...wakee], [0, 0, 0, 0, 1, 1, 1, 1]);
	assert.equal(first[WAKEUP_CLASSES], 4);
});

test("rows of those that did nothing in the range are left out", () => {
	const rec = family();

	assert.ok(wasActive(rec, 1, 400_000, 600_000));
	assert.ok(!wasActive(rec, 1, 500_000, 600_000));
	assert.ok(!wasActive(rec, 3, 0, 1_000_000));
	assert.match(painted(rec, STATE).status, /^3 of 4 threads in 3 rows, 1 link$/);
	assert.match(painted(rec, { ...STATE, idle: true }).status, /^4 of 4 threads/);
});

test("where there are no rows the picture says why", () => {
	const maker = new Maker({ end: 1000 });
	const said = (rec) => painted(rec, { ...STATE, from: 200, to: 1000 }).texts.text.join();

	assert.match(said(maker.recording()), /No thread was recorded/);
	maker.process(1, "chosen");
	maker.thread(maker.process(2, "a"), 2, "a", { spans: [{ kind: "blocked", ns: 100 }] });
	const rec = maker.recording();

	assert.match(said(rec), /No thread ran in this range/);
	Object.assign(rec.gap, { count: 1, from: [500], to: [600] });
	assert.match(said(rec), /records were lost/);
});

test("of a sleep in the kernel what called the scheduler is told", () => {
	const maker = new Maker({ end: 1000 });
	const stack = "k:kthread k:worker_thread k:schedule k:__schedule";

	maker.thread(maker.process(1, "kworker"), 1, "kworker", { spans: [
		{ kind: "blocked", ns: 900, wait: maker.wait({ stack }) },
		{ kind: "run", ns: 100, cpu: 0 },
	] });
	const { boxes } = painted(maker.recording(), { ...STATE, to: 1000, sleeps: true });

	assert.ok(boxes.label.includes("worker_thread"), boxes.label.join());
});

test("runs, names, a link with its arrow; sleeps when they are asked for", () => {
	const { boxes, lines } = painted(family(), STATE);
	const labels = boxes.label.filter((label) => label);

	assert.deepEqual(labels, ["sh", "parse", "cc1", "cron"]);
	assert.ok(!boxes.ink.includes(INK.sleep));
	assert.deepEqual([lines.x1[0], lines.y1[0]], [NAMES_WIDTH + 900, 27]);
	const asleep = painted(family(), { ...STATE, sleeps: true }).boxes;

	assert.equal(asleep.label[asleep.ink.indexOf(INK.sleep)], "wait_for");
});

test("what is searched for is marked", () => {
	const { boxes } = painted(family(), STATE, /parse|cron/);

	assert.deepEqual(boxes.label.filter((_, i) => boxes.flags[i] & MARKED), ["parse", "cron"]);
});

test("a span tells what it was, a name leads to the flame view", () => {
	const rec = family();
	const picture = runningPicture(rec);

	picture.update(STATE, /cc1/);
	const { title, rows, stacks } = picture.describe(1);

	assert.equal(title, "sh [1] blocked until woken by cc1 [3]");
	assert.deepEqual(Object.fromEntries(rows), { for: "800 µs", at: "+0.000100 s", call: "wait4",
						     "woken by": "cc1 [3]", before: "ran", after: "ran" });
	assert.deepEqual(stacks, [
		{ title: "waited in", frames: ["main", "wait_for", "schedule"] },
	]);
	assert.deepEqual(picture.click(rec.span.count + 2), { view: "flame", process: 2 });
	assert.equal(picture.click(1), null);
	assert.deepEqual(picture.matched(), { count: 1, ns: 800_000 });
});

test("who woke whom leads there and back, in the panel and by keys", () => {
	const rec = family();
	const picture = runningPicture(rec);

	picture.update(STATE, null);
	const leads = (ref, name) => picture.describe(ref).rows.find(([one]) => one === name) ?? [];
	const [, , toWaker] = leads(1, "woken by");
	const compiler = toWaker.chosen;

	assert.equal(picture.describe(compiler).title, "cc1 [3] ran");
	assert.deepEqual(leads(2, "woken by")[2], toWaker);
	assert.deepEqual(leads(compiler, "woke").slice(0, 2), ["woke", "sh [1]"]);
	assert.deepEqual(picture.follow(2, "waker"), toWaker);
	assert.equal(picture.follow(compiler, "woken").chosen, 2);
	assert.equal(picture.follow(compiler, "waker"), null);
	assert.equal(picture.follow(0, "next").chosen, 1);
	assert.equal(picture.follow(0, "previous"), null);
	picture.update({ ...STATE, from: 0, to: 100_000 }, null);
	const { from, to } = picture.follow(1, "next");

	assert.deepEqual([from, to], [900_000, 1_000_000]);
});

test("a box that is pointed at has its links, others have none", () => {
	const rec = family();
	const linksOf = (ref) => {
		const picture = runningPicture(rec), scene = new Scene();

		picture.update({ ...STATE, links: false }, null);
		picture.layout(scene, { ...STATE, width: WIDTH, top: 0, height: 400, focus: [ref] });
		return scene.lines.x1.length;
	};

	assert.deepEqual([0, 2].map(linksOf), [0, 3]);
	assert.equal(linksOf(rec.span.count + 2), 3);
});

test("whoever still waits at the end is asleep, not unknown", () => {
	const maker = new Maker({ end: 1000 });
	const spans = [{ kind: "run", ns: 100, cpu: 0 }, { kind: "blocked", ns: 900 }];

	maker.thread(maker.process(1, "nginx"), 1, "nginx", { spans });
	maker.thread(maker.process(2, "gone"), 2, "gone", { spans: [spans[0], { kind: "blocked", ns: 10 }] });
	const rec = maker.recording();
	const state = { ...STATE, to: 1000, sleeps: true };
	const picture = runningPicture(rec);

	picture.update(state, null);
	assert.equal(picture.describe(1).title, "nginx [1] still waiting when the recording ended");
	assert.match(picture.describe(3).title, /nobody was seen to end it/);
	const { ink, ref } = painted(rec, state).boxes;

	assert.deepEqual([1, 3].map((span) => ink[ref.indexOf(span)]), [INK.sleep, INK.unknown]);
});

/**
 * Makes a process make, three compilers (at most two of them live at the same time), and a server
 * with threads.
 */
function build() {
	const maker = new Maker({ end: 1_000_000 });
	const runs = (ns) => ({ spans: [{ kind: "run", ns, cpu: 0 }] });
	const compile = (tid, from, ns) =>
		maker.thread(maker.process(tid, "cc1"), tid, "cc1", { from, ...runs(ns), parent: 0 });

	maker.thread(maker.process(1, "make"), 1, "make", runs(1_000_000));
	compile(2, 0, 300_000);
	compile(3, 100_000, 300_000);
	compile(4, 300_000, 300_000);
	const server = maker.process(9, "server");

	maker.thread(server, 9, "server", runs(1_000_000));
	maker.thread(server, 10, "worker", runs(200_000));
	maker.thread(server, 11, "logger", runs(1_000_000));
	maker.thread(server, 12, "worker", { from: 500_000, ...runs(100_000) });
	return maker.recording();
}

function namesOf({ boxes, texts }) {
	const labels = boxes.label.filter((label, i) => label && boxes.x[i] < NAMES_WIDTH);

	return labels.map((label, i) => `${label} ${texts.text[i]}`);
}

test("processes and threads of one name that do not live at the same time share a row", () => {
	const rec = build();

	assert.deepEqual(namesOf(painted(rec, STATE)), [
		"make 1", "cc1 \u00d72", "cc1 3", "server 9", "worker \u00d72", "logger 11",
	]);
	assert.deepEqual(namesOf(painted(rec, { ...STATE, open: "cc1" })), [
		"make 1", "cc1 2", "cc1 3", "cc1 4", "server 9", "worker \u00d72", "logger 11",
	]);
	assert.equal(namesOf(painted(rec, { ...STATE, from: 900_000 })).length, 6);
});

test("a row of several tells their sums, leads to each, and can be split", () => {
	const rec = build();
	const picture = runningPicture(rec);

	picture.update(STATE, null);
	const ref = rec.span.count + rec.thread.count + 1;
	const { title, rows } = picture.describe(ref);
	const leads = (text) => rows.find(([, value]) => value === text)[2];

	assert.equal(title, "cc1: 2 threads in this row");
	assert.equal(Object.fromEntries(rows).ran, "600 µs, 100 %");
	assert.equal(picture.describe(leads("cc1 [4]").chosen).title, "cc1 [4]");
	assert.equal(leads("show a row for each").open, "cc1");
	assert.equal(picture.click(ref), null);
	picture.update({ ...STATE, open: "cc1" }, null);
	const join = picture.describe(rec.span.count + 1).rows.at(-1);

	assert.deepEqual([join[1], join[2].open], ["let processes of this name share rows", ""]);
});

test("the row of several threads of a process that does not share rows offers to share them", () => {
	const rec = build();
	const picture = runningPicture(rec);

	picture.update({ ...STATE, open: "server" }, null);
	const worker = picture.describe(rec.span.count + rec.thread.count + 5);

	assert.match(worker.title, /^worker: 2 threads in this row/);
	assert.deepEqual(worker.rows.at(-1).slice(0, 2), ["rows", "let processes of this name share rows"]);
});
