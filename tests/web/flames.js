// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the flame graphs that tests/web/run made from the recordings of the tested pages.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const PAGES = process.env.RSP_PAGES;

export const KINDS = [
	"oncpu", "offcpu", "hotcold", "wakeup", "chain", "runqueue", "disk", "network",
];

export function svgUrlOf(report, kind, fragment = "") {
	const url = pathToFileURL(join(PAGES, `${report}-${kind}.svg`));

	url.hash = fragment;
	return url.href;
}

export function foldedOf(report, kind) {
	const text = readFileSync(join(PAGES, `${report}-${kind}.folded`), "utf8");

	return text.split("\n").filter((line) => line).map((line) => {
		const [, stack, weight] = /^([^ ]+) (\d+)$/.exec(line) ??
			["", `not a stack: ${line}`, "NaN"];

		return { frames: stack.split(";"), weight: Number(weight) };
	});
}
