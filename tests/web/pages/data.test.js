// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a page holds is what the report of the same snapshot says, and agrees with itself: whoever
// wrote the columns and whoever reads them mean the same.

import assert from "node:assert/strict";
import { test } from "node:test";

import { KIND, openRecording, spanEnd } from "../../../web/data/recording.js";
import { htmlOf, jsonOf } from "../reports.js";

const REPORTS = ["chain", "names", "loss", "deep", "crowd", "pipeline", "tcp"];

async function recordingIn(report) {
	const [, base64] = /<script id="recording"[^>]*>([^<]*)<\/script>/.exec(htmlOf(report));

	return openRecording(base64);
}

function onEachSpan(rec, fn) {
	for (let thread = 0; thread < rec.thread.count; thread++)
		for (let i = rec.thread.firstSpan[thread]; i < rec.thread.firstSpan[thread + 1]; i++)
			fn(i, rec.span.start[i], spanEnd(rec, thread, i), thread);
}

function sum(values) {
	return values.reduce((a, b) => a + b, 0);
}

/** {key: ns} of the JSON report -> ns by category number. */
function byNumber(rec, categories) {
	return rec.meta.categories.map(({ key }) => categories[key]);
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
		assert.deepEqual(asked.paths.list.map((path) => [rec.thread.tid[path.thread], path.ns]),
			json.paths.list.map((path) => [path.tid, path.ns]));
	});

	test(`${report}: pieces add up to the time of their paths, in order`, async () => {
		const rec = await recordingIn(report);
		let pieces = 0;

		for (const { paths } of rec.explained) {
			const categories = new Array(rec.meta.categories.length).fill(0);

			for (const path of paths.list) {
				for (let i = path.firstPiece; i < path.firstPiece + path.pieces; i++) {
					categories[rec.piece.category[i]] += rec.piece.to[i] - rec.piece.from[i];
					assert.ok(i === path.firstPiece || rec.piece.from[i] >= rec.piece.to[i - 1]);
					assert.ok(rec.piece.from[i] >= 0 && rec.piece.to[i] <= rec.end);
				}
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
				running += to - from;
				onCpu.set(rec.span.cpu[i], [...onCpu.get(rec.span.cpu[i]) ?? [], { from, to }]);
			} else if (kind === KIND.runnable || kind === KIND.preempted) {
				waiting += to - from;
			}
		});
		for (const [cpu, runs] of onCpu) {
			runs.sort((a, b) => a.from - b.from || a.to - b.to);
			for (let i = 1; cpu && i < runs.length; i++)
				assert.ok(runs[i].from >= runs[i - 1].to, `CPU ${cpu - 1} at ${runs[i].from}`);
		}
		assert.equal(sum(rec.strip.cpu), running);
		assert.equal(sum(rec.strip.runqueue), waiting);
		assert.equal(sum(rec.strip.lost), rec.meta.lost);
	});
}
