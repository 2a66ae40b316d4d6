// SPDX-License-Identifier: GPL-2.0-or-later
//
// The dialog that lists keys and colours.
import { closeButton, el } from "./dom.js";
import { swatch } from "./panels/table.js";
import { INK } from "./scene.js";

const KEY_TEXTS = [
	["1 \u2026 7", "the views"],
	["wheel, w, s, +, \u2212", "zoom, at the pointer"],
	["drag, a, d, \u2190, \u2192", "move in time"],
	["shift-drag", "zoom to what is selected"],
	["double click, f", "zoom to the chosen box; beside boxes: all of the recording"],
	["ctrl-drag", "compare the requests of two spans: first A, then B"],
	["shift-wheel, \u2191, \u2193", "scroll; so does the wheel over names"],
	["0", "the whole recording"],
	["click", "details in the side panel; on a name: its flame view"],
	["shift-arrows, Enter", "from box to box; as a click"],
	[", and .", "the previous, the next one of the chosen thread or path"],
	["[ and ]", "the waker of the chosen box; the thread that it woke"],
	["z", "sleeps in the running view"],
	["l", "all links between wakers and woken threads; otherwise those of one box"],
	["i", "icicles: flame graphs upside down"],
	["b", "bottom-up: the callers of functions as a tree"],
	["\u2191, \u2193, \u2190, \u2192, Enter", "in a tree of calls: move, close, open; select a function"],
	["/", "search (a regular expression)"],
	["Esc", "leave what is typed in, close, or go back"],
	["t, c", "theme, colours for the colour-blind"],
	["?", "this list"],
];

/** [ink, name, meaning], in the order of the legend. */
export const LEGEND = [
	[INK.run, "running", "on a CPU; of a stack: all of its time"],
	[INK.mostlyRun, "runs mostly", "a function that ran for more than 2/3 of its time"],
	[INK.both, "runs and sleeps", "a function that ran for 1/3 to 2/3 of its time"],
	[INK.mostlySleep, "sleeps mostly", "a function that ran for less than 1/3 of its time"],
	[INK.sleep, "asleep", "waiting; of a stack: all of its time"],
	[INK.disk, "disk", "waiting for the disk to answer"],
	[INK.queue, "disk queue", "waiting until the disk takes the request"],
	[INK.network, "network", "waiting for an answer from the network"],
	[INK.runqueue, "waiting for a CPU", "ready to run, or put off the CPU by others"],
	[INK.other, "other path", "waiting for a thread on another control path"],
	[INK.interrupt, "kernel, interrupts", "waiting for a device, or for the kernel itself"],
	[INK.timeout, "timer, stopped", "until a timeout, in sleep(), or stopped"],
	[INK.unknown, "unknown", "the records do not explain it, or it began before them"],
	[INK.lost, "records lost", "records were lost: what happened is unknown"],
	[INK.request, "request", "a request or call: when it came, how long it took"],
	[INK.slowRequest, "slow request", "one of the slowest 1 %"],
	[INK.name, "name", "a process or thread"],
	[INK.mark, "found", "what the search found"],
	[INK.event, "mark", "a line: a deployment, a passed limit, a unit that started or failed"],
];

/** Inks that the legend omits, because boxes with these inks contain their names. */
const OBVIOUS = [INK.name];

export function helpDialog() {
	const dialog = el("dialog", { class: "help", "aria-label": "Keys and colours" },
			  // The button gets the focus. It is at the top, so the dialog is not
			  // scrolled.
			  closeButton(() => dialog.close()),
			  el("div", { class: "columns" },
			     el("section", null, el("h2", null, "Keys"), keysTable()),
			     el("section", null, el("h2", null, "Colours"), legendTable(),
				el("p", { class: "muted" },
				   "A paler box stands for many, too short to be seen: zoom in."))));

	dialog.addEventListener("click", (event) => {
		// A click outside the dialog's content has the dialog itself as its target.
		if (event.target === dialog)
			dialog.close();
	});
	return dialog;
}

function keysTable() {
	return el("table", { class: "pairs" }, KEY_TEXTS.map(([key, meaning]) =>
		el("tr", null, el("th", { scope: "row" }, el("kbd", null, key)),
		   el("td", null, meaning))));
}

function legendTable() {
	return el("table", { class: "pairs" }, LEGEND.map(([ink, text, meaning]) =>
		el("tr", null, el("th", { scope: "row" }, swatch(ink), text),
		   el("td", null, meaning))));
}

export function legendList(inks) {
	const entries = LEGEND.filter(([ink]) => inks.has(ink) && !OBVIOUS.includes(ink));

	return el("ul", { class: "legend" }, entries.map(([ink, text, meaning]) =>
		el("li", { title: meaning }, swatch(ink), text)));
}
