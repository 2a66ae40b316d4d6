// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests that the data in a page is consistent, and equals that in the report of the same snapshot.

import assert from "node:assert/strict";
import { test } from "node:test";

import { KIND, spanEnd } from "../../../web/data/recording.js";
import { jsonOf, recordingIn } from "../reports.js";

const REPORTS = ["chain", "names", "loss", "deep", "crowd", "lives", "pipeline", "tcp"];

function onEachSpan(rec, fn) {
	const { count, firstSpan } = rec.thread;

	for (let thread = 0; thread < count; thread++)
		for (let i = firstSpan[thread]; i < firstSpan[thread + 1]; i++)
			fn(i, rec.span.start[i], spanEnd(rec, thread, i));
}

function sum(values) {
	return values.reduce((a, b) => a + b, 0);
}

function byNumber(rec, categories) {
	return rec.meta.categories.map(({ key }) => categories[key]);
}

/**
 * Adds the times of a path's pieces to categories. The pieces must be in order, and within the
 * recording.
 */
function addPieces({ piece, end }, { firstPiece, pieces }, categories) {
	for (let i = firstPiece; i < firstPiece + pieces; i++) {
		const earliest = i === firstPiece ? 0 : piece.to[i - 1];

		assert.ok(piece.from[i] >= earliest && piece.to[i] <= end,
			`piece ${i} is from ${piece.from[i]} to ${piece.to[i]}`);
		categories[piece.category[i]] += piece.to[i] - piece.from[i];
	}
}

function assertApart(runs, cpu) {
	runs.sort((a, b) => a.from - b.from || a.to - b.to);
	for (let i = 1; i < runs.length; i++)
		assert.ok(runs[i].from >= runs[i - 1].to, `two on CPU ${cpu} at ${runs[i].from}`);
}

for (const report of REPORTS) {
	test(`${report}: findings and categories are those of the report`, async () => {
		const rec = await recordingIn(report);
		const json = jsonOf(report);
		const [asked] = rec.explained;

		assert.equal(rec.meta.target, 0);
		assert.equal(rec.process.pid[asked.process], json.target.pid);
		assert.equal(asked.headline, json.headline);
		assert.deepEqual(asked.findings.map(({ text, kind, ns }) => ({ text, kind, ns })),
			json.findings.map(({ text, kind, ns }) => ({ text, kind, ns })));
		assert.equal(asked.total_ns, json.total_ns);
		assert.deepEqual(asked.categories, byNumber(rec, json.categories));
		assert.deepEqual(asked.paths.categories, byNumber(rec, json.paths.categories));
		assert.deepEqual(
			asked.paths.list.map(({ thread, ns }) => [rec.thread.tid[thread], ns]),
			json.paths.list.map(({ tid, ns }) => [tid, ns]));
	});

	test(`${report}: pieces add up to the time of their paths, in order`, async () => {
		const rec = await recordingIn(report);
		let pieces = 0;

		for (const { paths } of rec.explained) {
			const categories = new Array(rec.meta.categories.length).fill(0);

			for (const path of paths.list) {
				addPieces(rec, path, categories);
				pieces += path.pieces;
			}
			assert.deepEqual(categories, paths.categories);
		}
		assert.equal(pieces, rec.piece.count);
	});

	test(`${report}: no CPU runs two at a time, and strips add up to the spans`, async () => {
		const rec = await recordingIn(report);
		const onCpu = new Map();
		let running = 0, waiting = 0;

		onEachSpan(rec, (i, from, to) => {
			const kind = rec.span.kind[i];

			assert.ok(from >= 0 && to <= rec.end, `span ${i} ends at ${to}`);
			if (kind === KIND.run) {
				const cpu = rec.span.cpu[i] - 1;

				running += to - from;
				onCpu.set(cpu, [...onCpu.get(cpu) ?? [], { from, to }]);
			} else if (kind === KIND.runnable || kind === KIND.preempted) {
				waiting += to - from;
			}
		});
		for (const [cpu, runs] of onCpu)
			if (cpu >= 0)
				assertApart(runs, cpu);
		assert.equal(sum(rec.strip.cpu), running);
		assert.equal(sum(rec.strip.runqueue), waiting);
		assert.equal(sum(rec.strip.lost), rec.meta.lost);
		assert.equal(rec.irqBins, rec.meta.bins);
	});
}

test("lives: of two processes with one pid the one that was asked for is explained", async () => {
	const rec = await recordingIn("lives");
	const [asked] = rec.explained;
	const nameOf = (table, i) => rec.string[rec[table].name[i]];

	assert.deepEqual([...rec.process.pid], [1, 2, 10, 10]);
	assert.deepEqual([...rec.thread.flags], [0, 0, 2, 0]);
	assert.equal(nameOf("process", asked.process), "third");
	assert.deepEqual(asked.paths.list.map(({ thread }) => nameOf("thread", thread)), ["third"]);
});

test("lives: the CPU of each run is known", async () => {
	const rec = await recordingIn("lives");

	onEachSpan(rec, (i) => assert.ok(rec.span.kind[i] !== KIND.run || rec.span.cpu[i] > 0));
	assert.equal(rec.meta.cpus, 4);
});
