// SPDX-License-Identifier: GPL-2.0-or-later
//
// Shows the findings about the process of interest at the top of the page. The first finding is
// always visible, because it is the answer.
import { button, el } from "../dom.js";
import { countText, formatCount, formatNs } from "../format.js";
import { evidenceRef } from "../flame/evidence.js";
import { atText, taskText } from "../flame/words.js";
import { TOP_AT_CHOSEN } from "../state.js";

/**
 * When the page goes to a finding, it shows this margin on both sides of the finding's span: a
 * share of the span, but at least MARGIN_MIN_NS.
 */
const MARGIN = 0.3;
const MARGIN_MIN_NS = 2000;

export function findingsPanel(rec, state) {
	const element = el("section", { class: "panel findings", "aria-label": "Findings" });
	const target = rec.explained[rec.meta.target];

	element.append(...target?.findings.length ? findings(rec, state, target) : recorded(rec));
	// Findings do not depend on the visible range, so they need no update.
	return { element, update() {} };
}

function findings(rec, state, target) {
	const [first, ...others] = target.findings;

	return [
		rec.meta.trigger ? el("p", { class: "trigger" }, rec.meta.trigger) : null,
		el("div", { class: "answer", dataset: { kind: first.kind } },
		   el("p", null, first.text), evidenceOf(rec, state, target, first)),
		rec.requests.beside ? el("p", { class: "beside" }, rec.requests.beside) : null,
		others.length ? othersOf(rec, state, target, others) : null,
	].filter((part) => part);
}

/** The other findings are hidden at first, because they take space from the pictures. */
function othersOf(rec, state, target, others) {
	return el("details", null,
		  el("summary", { title: "Show what else was found out, or hide it" },
		     countText(others.length, "more finding")),
		  el("ul", null, others.map((one) =>
			  el("li", { dataset: { kind: one.kind } }, el("span", null, one.text), " ",
			     evidenceOf(rec, state, target, one)))));
}

function evidenceOf(rec, state, target, { evidence }) {
	const buttons = evidence.map((one) =>
		button(`${formatNs(one.ns)} at ${atText(rec, one.at, 3)}${threadText(rec, one)}`,
		       `Show it in the flame view: ${one.text}`,
		       () => state.set(placeOf(rec, state, target, one))));

	// A finding about a sum has no single moment to show, so its button leads to the
	// consolidated view.
	if (!evidence.length)
		buttons.push(button("where all the time went", "Show it in the consolidated view",
				    () => state.set(wholeOf(rec, target))));
	return el("span", { class: "evidence" }, buttons);
}

function wholeOf({ meta }, { process }) {
	return { view: "consolidated", process, from: meta.since, to: meta.until };
}

function threadText(rec, { thread, tid }) {
	if (thread >= 0)
		return `, ${taskText(rec, thread)}`;
	return tid ? `, [${tid}]` : "";
}

/** Returns the change of the state that shows a piece of evidence. */
function placeOf(rec, state, target, evidence) {
	const { at, ns } = evidence;
	const margin = Math.max(ns * MARGIN, MARGIN_MIN_NS);

	return {
		view: "flame", process: target.process, from: at - margin, to: at + ns + margin,
		chosen: evidenceRef(rec, target, state, evidence), top: TOP_AT_CHOSEN,
	};
}

/** Returns the elements for a recording without findings about the process of interest. */
function recorded({ meta, process, thread, end }) {
	const facts = [
		`${formatNs(end)} of ${meta.host}`,
		countText(meta.cpus, "CPU"),
		`${formatCount(process.count)} processes with ${countText(thread.count, "thread")}`,
		`${formatCount(meta.events)} records`,
		...meta.lost ? [`${formatCount(meta.lost)} lost`] : [],
	];

	return [
		meta.trigger ? el("p", { class: "trigger" }, meta.trigger) : null,
		el("p", { class: "answer" }, `Recorded: ${facts.join("; ")}.`),
		el("p", { class: "note" },
		   "No process was asked about; rspctl html --pid N explains one."),
	].filter((part) => part);
}
