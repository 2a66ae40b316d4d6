// SPDX-License-Identifier: GPL-2.0-or-later
import assert from "node:assert";
import { test } from "node:test";
import { differencesOf, isWithinPaths, timesOfGroups } from "../../../web/requests/compare.js";
import { placeOfRequest } from "../../../web/requests/picture.js";
import {
	groupOfSpan, pointsOfGroup, pointsOfRow, spanOfGroup, thinnedText,
} from "../../../web/requests/points.js";
import { State, viewsOf } from "../../../web/state.js";
import { Maker } from "./maker.js";

const SAMPLED = 1;

/**
 * Makes a server with control paths and a server without. The elements of points are [at, ns,
 * thread, flags]; one request is slow.
 */
function story(more = {}) {
	const maker = new Maker({ end: 1000 });
	const web = maker.process(1, "web"), other = maker.process(2, "other");
	const first = maker.thread(web, 1, "web", { spans: [{ kind: "run", ns: 1000 }] });
	const lone = maker.thread(other, 2, "other", { spans: [
		{ kind: "run", ns: 100 }, { kind: "blocked", ns: 300, cause: "task", by: first },
		{ kind: "runnable", ns: 100 }, { kind: "run", ns: 500 },
	] });
	const own = maker.chain({ name: "web", category: "running_sampled" });
	const wait = maker.chain({ name: "web" },
				 { name: "db", object: "/x", category: "disk_active" });

	maker.explain(web, [{ thread: first, pieces: [[0, 210, own], [210, 260, wait],
						       [260, 900, own]] }]);
	maker.requests([
		{ name: "web [1]", port: 80, count: 4, slow_from: 100, typical_from: 10,
		  typical_to: 20, points: [
			  [100, 10, first, SAMPLED], [200, 100, first, SAMPLED],
			  [400, 20, first, SAMPLED], [500, 15, first, SAMPLED]] },
		{ name: "other [2]", port: 81, count: 900, slow_from: 400, typical_from: 1,
		  typical_to: 400, points: [[50, 400, lone, 0], [450, 100, lone, SAMPLED]] },
	], more);
	return maker.recording();
}

const timesOfGroup = (rec, points) => timesOfGroups(rec, [points])[0];

test("times of points are sums of gaps, row by row", () => {
	const rec = story();

	assert.deepStrictEqual([...rec.point.at], [100, 200, 400, 500, 50, 450]);
	assert.deepStrictEqual(pointsOfRow(rec, 0), [0, 4]);
	assert.deepStrictEqual(pointsOfRow(rec, 1), [4, 6]);
	assert.deepStrictEqual(pointsOfRow(rec, 2), [0, 0]);
	assert.strictEqual(rec.requests.rows[0].rate, 4e6);
});

test("pauses are no part of the time in which requests are counted", () => {
	assert.strictEqual(story({ paused: 500 }).requests.rows[0].rate, 8e6);
});

test("groups are slow, typical or those of a span", () => {
	const rec = story();

	assert.deepStrictEqual(pointsOfGroup(rec, 0, "slow"), [1]);
	assert.deepStrictEqual(pointsOfGroup(rec, 0, "typical"), [0, 2, 3]);
	assert.deepStrictEqual(pointsOfGroup(rec, 0, groupOfSpan(200, 500)), [1, 2]);
});

test("of a thinned row only the even sample counts, but for slow ones", () => {
	const rec = story();

	assert.deepStrictEqual(pointsOfGroup(rec, 1, "slow"), [4]);
	assert.deepStrictEqual(pointsOfGroup(rec, 1, "typical"), [5]);
	assert.deepStrictEqual(pointsOfGroup(rec, 1, groupOfSpan(0, 1000)), [5]);
	assert.strictEqual(thinnedText(rec.requests.rows[0]), "");
	assert.match(thinnedText(rec.requests.rows[1]), /^2 of 900 are shown/);
});

test("a span of a link that makes no sense is none", () => {
	for (const group of ["", "slow", "5", "7-3", "-1-2", "1-x", "1e9-2e9"])
		assert.strictEqual(spanOfGroup(group), null, group);
	assert.deepStrictEqual(spanOfGroup("3-7.5"), { from: 3, to: 7.5 });
});

test("the time of a request is that of its control path, all of it", () => {
	const times = timesOfGroup(story(), [1]);

	assert.strictEqual(times.ns, 100);
	assert.deepStrictEqual([...times.parts].sort(), [
		["doing running_sampled", 50],
		["waiting for db, which was doing disk_active: /x", 50],
	]);
});

test("without paths it is that of the thread's spans", () => {
	const { parts } = timesOfGroup(story(), [4]);

	assert.deepStrictEqual([...parts].sort(), [
		["computing", 50], ["waiting for a CPU", 50], ["waiting for web", 300],
	]);
});

test("what has no path at the time is told", () => {
	const maker = new Maker({ end: 1000 });
	const process = maker.process(1, "web");
	const thread = maker.thread(process, 1, "web", { spans: [{ kind: "run", ns: 1000 }] });

	maker.explain(process, [{ thread, pieces: [] }]);
	maker.requests([{ name: "web", port: 80, count: 1, points: [[10, 40, thread, SAMPLED]] }]);
	assert.deepStrictEqual([...timesOfGroup(maker.recording(), [0]).parts],
			       [["not on a control path", 40]]);
});

test("differences are means per request, the largest first", () => {
	const rec = story();
	const [a, b] = timesOfGroups(rec, ["slow", "typical"].map((group) =>
		pointsOfGroup(rec, 0, group)));

	assert.deepStrictEqual(differencesOf(a, b), [
		{ text: "waiting for db, which was doing disk_active: /x", a: 50, b: 0 },
		{ text: "doing running_sampled", a: 50, b: 15 },
	]);
	assert.deepStrictEqual([b.count, b.explained, b.ns], [3, 3, 15]);
});

test("many requests are explained by some of them, at equal distances", () => {
	const maker = new Maker({ end: 1e6 });
	const thread = maker.thread(maker.process(1, "a"), 1, "a",
				    { spans: [{ kind: "run", ns: 1e6 }] });
	const points = Array.from({ length: 4000 }, (_, i) => [i * 10, i < 2000 ? 1 : 3, thread,
							       SAMPLED]);

	maker.requests([{ name: "a", port: 80, count: 4000, points }]);
	const times = timesOfGroup(maker.recording(), points.map((_, i) => i));

	assert.deepStrictEqual([times.count, times.explained, times.ns], [4000, 1000, 2]);
});

test("if paths lack a request of one group, both are of spans", () => {
	const rec = story();
	const [a, b] = timesOfGroups(rec, [[1], [4]]);

	assert.deepStrictEqual([...a.parts], [["computing", 100]]);
	assert.deepStrictEqual([...b.parts.keys()].includes("waiting for web"), true);
});

test("paths are of the span that was asked for", () => {
	const rec = story();

	Object.assign(rec.meta, { since: 205, until: 295 });
	assert.strictEqual(isWithinPaths(rec, 200, 100), true);
	assert.strictEqual(isWithinPaths(rec, 190, 100), false);
	assert.strictEqual(isWithinPaths(rec, 400, 20), false);
	assert.strictEqual(placeOfRequest(rec, new State(rec), { at: 400, ns: 20, thread: 0 }).view,
			   "running");
});

test("a request is seen in the flame view, without paths in the running view", () => {
	const rec = story();
	const state = new State(rec);
	const flame = placeOfRequest(rec, state, { at: 200, ns: 100, thread: 0 });
	const running = placeOfRequest(rec, state, { at: 50, ns: 400, thread: 1 });

	assert.strictEqual(flame.view, "flame");
	assert.strictEqual(flame.process, 0);
	assert.ok(flame.from < 200 && flame.to > 300 && flame.chosen >= 0);
	assert.strictEqual(running.view, "running");
	assert.strictEqual(running.process, 1);
	const nobody = placeOfRequest(rec, state, { at: 50, ns: 4, thread: -1 });

	assert.strictEqual(nobody.view, "running");
});

test("there is no view of requests without any", () => {
	const rec = new Maker().recording();
	const state = new State(rec);

	assert.ok(!viewsOf(rec).includes("requests"));
	state.set({ view: "requests" });
	assert.strictEqual(state.view, "running");
	assert.ok(viewsOf(story()).includes("requests"));
});

test("a row that is not there is not chosen", () => {
	const state = new State(story());

	state.set({ row: 1 });
	state.set({ row: 2 });
	assert.strictEqual(state.row, 1);
});
