// SPDX-License-Identifier: GPL-2.0-or-later
import assert from "node:assert";
import { test } from "node:test";
import { moved, zoomed } from "../../../web/axis.js";
import { State, askedRange, queryOf } from "../../../web/state.js";

const REC = {
	end: 1_000_000, meta: { target: 0 }, explained: [{ process: 2 }], process: { count: 5 },
	requests: { rows: [] },
};

test("the beginning: all of the recording, the process that was asked for, no fragment", () => {
	const state = new State(REC);

	assert.deepEqual([state.from, state.to, state.process], [0, 1_000_000, 2]);
	assert.equal(state.fragment(), "");
});

test("where more was recorded than asked for, what was asked for is shown first", () => {
	const state = new State({ ...REC, meta: { target: 0, since: 500_000, until: 600_000 } });

	assert.deepEqual([state.from, state.to], [498_000, 602_000]);
	assert.equal(state.fragment(), "");
	assert.equal(new State({ ...REC, meta: { target: 0, since: 1000, until: 1_000_000 } }).from, 0);
});

test("the first range can be set again without a change, whatever its margin", () => {
	for (const since of [500_003, 500_017, 500_033]) {
		const rec = { ...REC, meta: { target: 0, since, until: 600_000 } };
		const state = new State(rec);
		const changes = [];

		state.subscribe((changed) => changes.push(...changed));
		state.setFragment("");
		assert.deepEqual(changes, []);
		assert.deepEqual({ from: state.from, to: state.to }, askedRange(rec));
	}
});

test("what a fragment says is shown, and says the same again", () => {
	const state = new State(REC);

	state.set({ view: "flame", from: 1000, to: 5000, query: "a b&c=%", links: false });
	const other = new State(REC);

	other.setFragment(`#${state.fragment()}`);
	assert.deepEqual({ ...other }, { ...state });
});

test("what a fragment does not say is as in the beginning", () => {
	const state = new State(REC);

	state.set({ view: "flame", sleeps: true });
	state.setFragment("#from=10&to=20000");
	assert.deepEqual([state.view, state.sleeps, state.from, state.to],
			 ["running", false, 10, 20_000]);
});

test("nonsense is not taken over", () => {
	const state = new State(REC);

	for (const fragment of [
		"view=secret", "process=99", "process=-1", "process=1.5", "from=", "to=x", "graph=",
		"theme=1", "__proto__=1", "set=1", "%", "top=Infinity",
	]) {
		state.setFragment(fragment);
		assert.equal(state.fragment(), "", fragment);
	}
});

test("the range stays within the recording, and is never too narrow", () => {
	const state = new State(REC);

	state.set({ from: -500, to: 500 });
	assert.deepEqual([state.from, state.to], [0, 1000]);
	state.set({ from: 999_990, to: 1_000_010 });
	assert.deepEqual([state.from, state.to], [999_900, 1_000_000]);
	state.set({ from: 70, to: 20 });
	assert.deepEqual([state.from, state.to], [70, 170]);
});

test("listeners hear of what has changed, and of nothing else", () => {
	const state = new State(REC);
	const heard = [];

	state.subscribe((changed) => heard.push([...changed]));
	state.set({ view: "running" });
	state.set({ view: "graphs", sleeps: false });
	state.set({ from: 5, to: 600_000 });
	assert.deepEqual(heard, [["view"], ["from", "to"]]);
});

test("what was chosen is forgotten with its picture", () => {
	const state = new State(REC);

	state.set({ chosen: 3, top: 100 });
	state.set({ from: 5, sleeps: true });
	assert.deepEqual([state.chosen, state.top], [3, 100]);
	state.set({ process: 4 });
	assert.deepEqual([state.chosen, state.top], [-1, -1]);
	state.set({ view: "flame", chosen: 8 });
	assert.deepEqual([state.chosen, state.top], [8, -1]);
});

test("zooming keeps the instant at the pointer where it is", () => {
	const range = zoomed({ from: 200, to: 1000 }, 400, 0.5, 10_000);

	assert.deepEqual(range, { from: 300, to: 700 });
	assert.deepEqual(zoomed({ from: 0, to: 1000 }, 400, 100, 10_000), { from: 0, to: 10_000 });
	assert.equal(zoomed({ from: 0, to: 1000 }, 400, 1e-9, 10_000).to -
		     zoomed({ from: 0, to: 1000 }, 400, 1e-9, 10_000).from, 100);
});

test("moving ends where the recording does", () => {
	assert.deepEqual(moved({ from: 10, to: 20 }, -50, 100), { from: 0, to: 10 });
	assert.deepEqual(moved({ from: 10, to: 20 }, 500, 100), { from: 90, to: 100 });
});

test("a search is an expression if it can be, else a text", () => {
	assert.equal(queryOf(""), null);
	assert.ok(queryOf("^po.l").test("POLL"));
	assert.ok(queryOf("f(").test("call of f(x)"));
});
