// SPDX-License-Identifier: GPL-2.0-or-later
//
// The dialog that lists keys and colours.
import { button, el } from "./dom.js";
import { swatch } from "./panels/table.js";
import { INK } from "./scene.js";

const KEY_TEXTS = [
	["1 \u2026 5", "the views"],
	["wheel, +, \u2212", "zoom, at the pointer"],
	["drag, \u2190, \u2192", "move in time"],
	["shift-drag", "zoom to what is selected"],
	["shift-wheel, \u2191, \u2193", "scroll; so does the wheel over names"],
	["0", "the whole recording"],
	["click", "details in the side panel; on a name: its flame view"],
	["shift-arrows, Enter", "from box to box; as a click"],
	["s", "sleeps in the running view"],
	["l", "links between who wakes and who is woken"],
	["i", "icicles: flame graphs upside down"],
	["/", "search (a regular expression)"],
	["Esc", "close, or go back"],
	["t, c", "theme, colours for the colour-blind"],
	["?", "this list"],
];

/** Inks that need an explanation, in the order of a legend. */
export const LEGEND = [
	[INK.run, "running"], [INK.sleep, "asleep"], [INK.both, "both"], [INK.disk, "disk"],
	[INK.queue, "disk queue"], [INK.network, "network"], [INK.runqueue, "waiting for a CPU"],
	[INK.other, "on another path"], [INK.interrupt, "kernel, interrupts"],
	[INK.timeout, "timer, stopped"], [INK.unknown, "unknown"], [INK.lost, "records lost"],
	[INK.mark, "found"],
];

export function helpDialog() {
	const dialog = el("dialog", { class: "help", "aria-label": "Keys and colours" },
			  el("h2", null, "Keys"), keysTable(),
			  el("h2", null, "Colours"), legendList(LEGEND),
			  button("Close", "Close (Esc)", () => dialog.close()));

	dialog.addEventListener("click", (event) => {
		// Beside it: that is on the dialog itself, not on what it holds.
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

/** [[ink, text]] as a list of swatches. */
export function legendList(entries) {
	return el("ul", { class: "legend" },
		  entries.map(([ink, text]) => el("li", null, swatch(ink), text)));
}
