// SPDX-License-Identifier: GPL-2.0-or-later
import assert from "node:assert";
import { test } from "node:test";
import { pathSums } from "../../../web/panels/path-sums.js";
import { CATEGORIES, Maker } from "./maker.js";

function story() {
	const maker = new Maker({ end: 1e9 });
	const process = maker.process(1, "a");
	const threads = [1, 2].map((tid) => maker.thread(process, tid, "a", {}));
	const chains = CATEGORIES.map(({ key }) =>
		maker.chain({ name: "a", stack: "main", category: key }));
	const pieces = (from, factor) => {
		let at = from;

		return Array.from({ length: 500 }, (_, i) => {
			const chain = chains[(i * i + factor) % chains.length];
			const piece = [at, at + 1 + (i * factor) % 7919, chain];

			at = piece[1] + i % 3;
			return piece;
		});
	};

	maker.explain(process, [{ thread: threads[0], pieces: pieces(5, 104729) },
				{ thread: threads[1], pieces: pieces(999, 15485863) }]);
	return maker.recording();
}

test("over all that was explained the numbers are the report's, to the nanosecond", () => {
	const rec = story();
	const { categories, total_ns: totalNs } = rec.explained[0].paths;

	for (const [from, to] of [[0, rec.end], [5, rec.explained[0].paths.list[1].to]]) {
		const sums = pathSums(rec, rec.explained[0], from, to);

		assert.deepStrictEqual([...sums.times], categories);
		assert.strictEqual(sums.total, totalNs);
		assert.strictEqual(sums.whole, true);
	}
});

test("parts of a range add up to it", () => {
	const rec = story();
	const cut = 123457;
	const all = pathSums(rec, rec.explained[0], 0, rec.end);
	const parts = [[0, cut], [cut, rec.end]].map(([from, to]) =>
		pathSums(rec, rec.explained[0], from, to));

	assert.deepStrictEqual(parts[0].times.map((ns, i) => ns + parts[1].times[i]), all.times);
	assert.strictEqual(parts[0].accounted + parts[1].accounted, all.accounted);
	assert.ok(parts[0].total > 0 && parts[1].total > 0);
	assert.strictEqual(parts[0].whole, false);
});

test("what is unknown is not accounted for", () => {
	const rec = story();
	const { times, total, accounted } = pathSums(rec, rec.explained[0], 0, rec.end);
	const of = (key) => times[CATEGORIES.findIndex((category) => category.key === key)];

	assert.strictEqual(total - accounted, of("lost") + of("edge") + of("unaccounted"));
});

test("paths with time in the range, what most of it was", () => {
	const maker = new Maker({ end: 1000 });
	const process = maker.process(1, "a");
	const threads = [1, 2].map((tid) => maker.thread(process, tid, "a", {}));
	const runs = maker.chain({ name: "a", category: "running_sampled" });
	const reads = maker.chain({ name: "a", category: "disk_active" });

	maker.explain(process, [
		{ thread: threads[0], pieces: [[0, 100, runs], [100, 400, reads]] },
		{ thread: threads[1], pieces: [[500, 900, runs]] },
	]);
	const rec = maker.recording();
	const paths = (from, to) => pathSums(rec, rec.explained[0], from, to).paths
		.map(({ index, ns, running, mostly }) => [index, ns, running, CATEGORIES[mostly].key]);

	assert.deepStrictEqual(paths(0, 1000), [[0, 400, 100, "disk_active"],
						[1, 400, 400, "running_sampled"]]);
	assert.deepStrictEqual(paths(50, 120), [[0, 70, 50, "running_sampled"]]);
});
