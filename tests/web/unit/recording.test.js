// SPDX-License-Identifier: GPL-2.0-or-later
import assert from "node:assert";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { bytesOfSeptets, columnsOf, decoded, unpacked } from "../../../web/data/bytes.js";
import {
	KIND, framesOf, hopsOf, openRecording, spanAt, spanEnd, threadOf,
} from "../../../web/data/recording.js";
import { Maker } from "./maker.js";

/** Converts bytes to characters of seven bits each, like lib/viewer/viewer-html.c. */
function septetsOf(bytes) {
	const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
	const groups = bits.match(/.{1,7}/g) ?? [];

	return groups.map((group) => {
		const code = parseInt(group.padEnd(7, "0"), 2);

		return [0, 1, 13, 60].includes(code) ? `\x01${String.fromCharCode(code ^ 64)}`
						     : String.fromCharCode(code);
	}).join("");
}

function payloadOf(head, bytes) {
	const text = new TextEncoder().encode(JSON.stringify(head));
	const length = new Uint8Array(new Uint32Array([text.length]).buffer);

	return Uint8Array.from([...length, ...text, ...bytes]);
}

const HEAD = { version: 1, meta: { end: 10, cpus: 1, target: -1 }, explained: [] };

test("septets become the bytes they were made of, whatever these are", () => {
	const all = Array.from({ length: 256 }, (_, i) => i);

	for (const bytes of [[], [0], [255, 0, 1, 13, 60], all])
		assert.deepEqual([...bytesOfSeptets(septetsOf(bytes))], bytes);
});

test("what was packed is unpacked", async () => {
	const bytes = await unpacked(septetsOf(deflateSync(Buffer.from("recording"))));

	assert.equal(new TextDecoder().decode(bytes), "recording");
});

test("columns: planes of bytes, zigzag, differences, texts", () => {
	assert.deepEqual([...decoded("u", 2, Uint8Array.of(1, 2, 3, 4))], [0x301, 0x402]);
	assert.deepEqual([...decoded("u", 2, Uint8Array.of())], [0, 0]);
	assert.deepEqual([...decoded("s", 4, Uint8Array.of(0, 1, 2, 3))], [0, -1, 1, -2]);
	assert.deepEqual([...decoded("d", 3, Uint8Array.of(4, 4, 1))], [2, 4, 3]);
	assert.deepEqual(decoded("text", 3, new TextEncoder().encode("\0a\0µ\0")), ["", "a", "µ"]);
	assert.throws(() => decoded("x", 0, Uint8Array.of()), /unknown type/);
});

test("numbers of six bytes are exact", () => {
	const bytes = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0x1f);

	assert.deepEqual([...decoded("u", 1, bytes)], [2 ** 45 - 1]);
});

test("a payload that ends early is an error, and so is another version", async () => {
	const columns = [{ name: "thread.tid", type: "u", count: 2, bytes: 2 }];

	assert.throws(() => columnsOf(payloadOf({ ...HEAD, columns }, [1])),
		      /ends within thread.tid/);
	await assert.rejects(openRecording(septetsOf(deflateSync(
		payloadOf({ ...HEAD, version: 2, columns: [] }, [])))), /version 2/);
});

function story() {
	const maker = new Maker({ end: 1000 });
	const process = maker.process(1, "a");

	maker.thread(process, 1, "a", { from: 100, spans: [
		{ kind: "run", ns: 50, cpu: 1 },
		{ kind: "blocked", ns: 100, cause: "task", by: 1,
		  wait: maker.wait({ syscall: "poll" }) },
		{ kind: "runnable", ns: 10 },
		{ kind: "run", ns: 40, cpu: 0 },
	], samples: [[110, "main f"], [140, "main g"]] });
	maker.thread(process, 2, "b", { from: 0, spans: [{ kind: "run", ns: 1000, cpu: 1 }] });
	return maker;
}

test("spans have begins, ends, and the columns that are theirs", () => {
	const rec = story().recording();

	assert.deepEqual([...rec.span.start], [100, 150, 250, 260, 0]);
	assert.deepEqual([...rec.thread.to], [300, 1000]);
	assert.deepEqual([0, 1, 2, 3].map((i) => spanEnd(rec, 0, i)), [150, 250, 260, 300]);
	assert.deepEqual([...rec.span.cpu], [2, 0, 0, 1, 2]);
	assert.equal(rec.span.kind[1], KIND.blocked);
	assert.equal(rec.span.by[1], 1);
	assert.equal(rec.string[rec.wait.syscall[rec.span.wait[1]]], "poll");
	assert.deepEqual([...rec.sample.at], [110, 140]);
	assert.deepEqual([0, 3, 4].map((i) => threadOf(rec, i)), [0, 0, 1]);
});

test("the span that holds an instant", () => {
	const rec = story().recording();

	assert.deepEqual([99, 100, 149, 150, 299, 300].map((t) => spanAt(rec, 0, t)),
			 [-1, 0, 0, 1, 3, -1]);
});

test("stacks and chains are told from their root", () => {
	const maker = story();
	const chain = maker.chain({ name: "a", stack: "main", syscall: "wait4" },
				  { name: "b", category: "running_sampled" });
	const rec = maker.recording();
	const stack = rec.sample.stack[1];

	assert.deepEqual(framesOf(rec, stack).map((frame) => rec.string[rec.frame.symbol[frame]]),
			 ["main", "g"]);
	assert.deepEqual(hopsOf(rec, chain).map((hop) => rec.string[rec.hop.name[hop]]),
			 ["a", "b"]);
	assert.deepEqual(framesOf(rec, 0), []);
});

test("pieces of each path begin anew", () => {
	const maker = story();
	const ran = maker.chain({ name: "a", category: "disk_active" });

	maker.explain(0, [{ thread: 0, pieces: [[100, 150, ran], [150, 300, ran]] },
			  { thread: 1, pieces: [[20, 30, ran]] }]);
	const rec = maker.recording();

	assert.deepEqual([...rec.piece.from], [100, 150, 20]);
	assert.deepEqual([...rec.piece.to], [150, 300, 30]);
	assert.deepEqual([...rec.piece.category], [2, 2, 2]);
	assert.deepEqual(rec.explained[0].paths.list.map(({ firstPiece }) => firstPiece), [0, 2]);
	assert.deepEqual([...rec.process.explained], [0]);
});
