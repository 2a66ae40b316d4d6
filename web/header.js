// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes the line at the top of the page.
import { button, el } from "./dom.js";
import { formatCount, formatNs } from "./format.js";
import { processTitle } from "./running/names.js";

/** actions: the buttons, as [[text, title, onclick], …]. */
export function headerOf(rec, search, actions) {
	return el("header", null,
		  el("h1", { title: recordedText(rec) }, recordedText(rec)),
		  el("span", { class: "muted about", title: aboutText(rec) }, aboutText(rec)),
		  warningsOf(rec.meta).map(([text, title]) =>
			  el("span", { class: "warning", title }, text)),
		  search,
		  el("nav", { "aria-label": "Page" },
		     actions.map(([text, title, act]) => button(text, title, act))));
}

export function recordedText(rec) {
	const { meta, explained } = rec;

	if (meta.command)
		return meta.command;
	const target = explained[meta.target];

	return target ? processTitle(rec, target.process) : "The whole machine";
}

function aboutText({ meta }) {
	const taken = meta.realtime_ms ? new Date(meta.realtime_ms).toLocaleString() : "";
	const kernel = meta.kernel ? `Linux ${meta.kernel}` : "";
	const parts = [meta.container, meta.host, formatNs(meta.end), taken, kernel, meta.trigger];

	return parts.filter(Boolean).join(" \u00b7 ");
}

function warningsOf(meta) {
	const warnings = [];

	if (meta.lost)
		warnings.push([`${formatCount(meta.lost)} records lost`,
			       "What happened then is unknown, and shown so."]);
	if (meta.truncated)
		warnings.push(["cut short", "The file of the recording is not complete."]);
	if (meta.redacted)
		warnings.push(["others hidden", "Tasks of other users are opaque."]);
	if (meta.shed?.length)
		warnings.push(["reduced", meta.shed.map(({ what, ns }) =>
			`${what}: left out for ${formatNs(ns)}`).join("\n")]);
	return warnings;
}
