// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the pages that tests/web/run made, and the JSON reports of the same recordings.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { openRecording } from "../../web/data/recording.js";

const PAGES = process.env.RSP_PAGES;

export function urlOf(report, fragment) {
	const url = pathToFileURL(join(PAGES, `${report}.html`));

	url.hash = fragment;
	return url.href;
}

/**
 * Returns whether the page exists. On a machine that cannot record, there are no pages of real
 * recordings.
 */
export function hasPage(report) {
	return existsSync(join(PAGES, `${report}.html`));
}

export function htmlOf(report) {
	return readFileSync(join(PAGES, `${report}.html`), "utf8");
}

export function jsonOf(report) {
	return JSON.parse(readFileSync(join(PAGES, `${report}.json`), "utf8"));
}

export function callgraphOf(report, kind) {
	return JSON.parse(readFileSync(join(PAGES, `${report}-${kind}.json`), "utf8"));
}

export async function recordingIn(report) {
	const [, base64] = /<script id="recording"[^>]*>([^<]*)<\/script>/.exec(htmlOf(report));

	return openRecording(base64);
}
