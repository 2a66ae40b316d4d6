// SPDX-License-Identifier: GPL-2.0-or-later
//
// Converts the output of `node --test` to the lines that tests/run counts: ok, not ok, skip.

import { basename } from "node:path";

const oneLine = (text) => text.replace(/\s+/g, " ").trim();

/*
 * node 18 also reports each file as a test. A failed file is only printed if none of its tests
 * failed.
 */
const isFile = (data) => data.name.endsWith(".test.js");

/* Returns whether a suite failed only because of its tests, which have lines of their own. */
const isOfItsParts = (data) => data.details.error?.failureType === "subtestsFailed";

const WHERE = process.env.RSP_BROWSER ? `${process.env.RSP_BROWSER}: ` : "";

function nameOf(data) {
	const file = data.file ? `${basename(data.file, ".test.js")}: ` : "";

	return oneLine(WHERE + file + data.name);
}

function* failure(data) {
	const error = data.details.error?.cause ?? data.details.error;
	const lines = String(error?.message ?? error).trim();

	yield `not ok ${nameOf(data)}: ${oneLine(lines).slice(0, 200) || "it did not hold"}\n`;
	yield `${String(error?.stack ?? lines).replace(/^/gm, "    ")}\n`;
}

function skipped(data) {
	return `skip ${nameOf(data)}: ${oneLine(String(data.skip)) || "no reason given"}\n`;
}

export default async function* lines(events) {
	let failures = 0;

	for await (const { type, data } of events) {
		if (type === "test:fail") {
			if (isOfItsParts(data) || (isFile(data) && failures > 0))
				continue;
			failures++;
			yield* failure(data);
		} else if (type === "test:pass" && data.details.type !== "suite" && !isFile(data)) {
			yield data.skip === undefined ? `ok ${nameOf(data)}\n` : skipped(data);
		}
	}
}
