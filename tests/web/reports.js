// SPDX-License-Identifier: GPL-2.0-or-later
//
// The pages that tests/web/run made, and the JSON reports of the same.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { openRecording } from "../../web/data/recording.js";

const PAGES = process.env.RSP_PAGES;

/** The URL of a page. */
export function urlOf(report, fragment) {
	const url = pathToFileURL(join(PAGES, `${report}.html`));

	url.hash = fragment;
	return url.href;
}

/** Is there such a page? Of real recordings there is none where nothing can be recorded. */
export function hasPage(report) {
	return existsSync(join(PAGES, `${report}.html`));
}

/** The text of a page. */
export function htmlOf(report) {
	return readFileSync(join(PAGES, `${report}.html`), "utf8");
}

/** What `rspctl report --json` says of the same. */
export function jsonOf(report) {
	return JSON.parse(readFileSync(join(PAGES, `${report}.json`), "utf8"));
}

/** What `rspctl callgraph --json` says of the same. */
export function callgraphOf(report, kind) {
	return JSON.parse(readFileSync(join(PAGES, `${report}-${kind}.json`), "utf8"));
}

/** The recording in a page. */
export async function recordingIn(report) {
	const [, base64] = /<script id="recording"[^>]*>([^<]*)<\/script>/.exec(htmlOf(report));

	return openRecording(base64);
}
