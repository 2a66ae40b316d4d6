// SPDX-License-Identifier: GPL-2.0-or-later
import assert from "node:assert";
import { test } from "node:test";
import {
	formatBytes, formatCount, formatName, formatNs, formatShare,
} from "../../../web/format.js";

test("times have three digits, as in reports", () => {
	for (const [ns, text] of [
		[0, "0 ns"], [999, "999 ns"], [1000, "1.00 µs"], [12_345, "12.3 µs"],
		[999_499, "999 µs"], [999_500, "1.00 ms"], [1_234_567, "1.23 ms"],
		[123_456_789, "123 ms"], [999_500_000, "1.00 s"], [59_995_000_000, "60.0 s"],
		[3_600_000_000_000, "3600 s"], [1.6, "2 ns"], [-5, "0 ns"],
	])
		assert.equal(formatNs(ns), text);
});

test("only nothing is 0 %, only all is 100 %", () => {
	for (const [part, whole, text] of [
		[0, 5, "0 %"], [1, 0, "0 %"], [5, 5, "100 %"], [1, 10_000, "<0.1 %"],
		[9999, 10_000, "99.9 %"], [995, 1000, "99.5 %"], [43, 1000, "4.3 %"],
		[1, 3, "33 %"], [2, 3, "67 %"],
	])
		assert.equal(formatShare(part, whole), text);
});

test("bytes, counts, names", () => {
	assert.deepEqual([5, 1023, 2048, 150 * 1024, 3 * 1024 ** 3].map(formatBytes),
			 ["5 B", "1023 B", "2.0 KiB", "150 KiB", "3.0 GiB"]);
	assert.deepEqual([0, 999, 1000, 1_234_567].map(formatCount),
			 ["0", "999", "1,000", "1,234,567"]);
	assert.equal(formatName("a_long_function", 6), "a_lon…");
	assert.equal(formatName("/var/lib/x/y", 5), "…/x/y");
});
