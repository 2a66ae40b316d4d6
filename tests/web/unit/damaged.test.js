// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests payloads of pages that are truncated or changed at random. The page must open each payload,
// or refuse it with an Error.
import assert from "node:assert";
import { test } from "node:test";
import { columnsOf } from "../../../web/data/bytes.js";
import { recordingOf } from "../../../web/data/recording.js";

const COLUMNS = [
	["string", "text", 3, [0, 97, 0, 98, 0]],
	["frame.symbol", "u", 2, [0, 1]], ["frame.module", "u", 2, [0, 2]],
	["frame.kernel", "u", 2, [0, 1]],
	["stack.parent", "d", 2, [0, 0]], ["stack.frame", "u", 2, [0, 1]],
	["process.pid", "u", 1, [7]], ["process.name", "u", 1, [1]],
	["thread.tid", "u", 2, [7, 8]], ["thread.process", "u", 2, [0, 0]],
	["thread.spans", "u", 2, [1, 2]], ["thread.samples", "u", 2, [1, 0]],
	["thread.from", "u", 2, [0, 1]],
	["span.ns", "u", 3, [3, 2, 1]], ["span.what", "u", 3, [0, 9, 2]],
	["sample.at", "u", 1, [2]], ["sample.stack", "u", 1, [1]],
	["piece.gap", "s", 1, [2]], ["piece.ns", "u", 1, [3]], ["piece.hop", "u", 1, [0]],
];

function payload() {
	const head = new TextEncoder().encode(JSON.stringify({
		version: 1, meta: { end: 10, cpus: 1, target: -1 }, explained: [],
		columns: COLUMNS.map(([name, type, count, bytes]) =>
			({ name, type, count, bytes: bytes.length })),
	}));
	const length = new Uint8Array(new Uint32Array([head.length]).buffer);

	return Uint8Array.from([...length, ...head, ...COLUMNS.flatMap((column) => column[3])]);
}

function opens(bytes) {
	try {
		const { head, columns } = columnsOf(bytes);

		recordingOf(head, columns);
		return true;
	} catch (error) {
		assert.ok(error instanceof Error, String(error));
		return false;
	}
}

/** xorshift gives the same numbers in each run of the test. */
function randoms() {
	let state = 2463534242;

	return (below) => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return (state >>> 0) % below;
	};
}

test("a whole payload opens; one that is cut does not", () => {
	const whole = payload();

	assert.ok(opens(whole));
	for (let length = 0; length < whole.length; length++)
		assert.ok(!opens(whole.slice(0, length)), `cut to ${length} bytes`);
});

test("other bytes open or are refused", () => {
	const random = randoms(), whole = payload();
	let opened = 0;

	for (let run = 0; run < 3000; run++) {
		const bytes = whole.slice();

		// Most changes are in the last bytes, which are the columns: most changes of the
		// JSON before them would make it invalid.
		for (let n = random(4); n >= 0; n--)
			bytes[random(8) ? bytes.length - 1 - random(50) : random(bytes.length)] = random(256);
		opened += opens(bytes);
	}
	assert.ok(opened > 1000, `${opened} opened`);
});
