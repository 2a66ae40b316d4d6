// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes the cells that the tables of the call graph have in common.
import { el } from "../dom.js";
import { formatNs, formatShare } from "../format.js";

const CALL_HEADS = [
	["self", "Time in the function itself"], ["%", "Share of the whole graph"],
	["total", "Time in the function and its callees"], ["%", "Share of the whole graph"],
];

export function callHead(name) {
	const head = (kind, title, text) =>
		el("th", { scope: "col", role: "columnheader", class: kind, title }, text);

	return el("thead", { role: "rowgroup" }, el("tr", { role: "row" },
		CALL_HEADS.map(([text, title]) => head("number", title, text)),
		head("name", undefined, name)));
}

/**
 * Returns the cells of a function or node: its own and its total time, each also as a share of the
 * whole.
 */
export function callCells({ self, total }, whole, role) {
	return [self, total].flatMap((ns) => [
		el("td", { role, class: "number", dataset: { ns: String(Math.round(ns)) } },
		   ns ? formatNs(ns) : "–"),
		el("td", { role, class: "number share", style: barStyle(ns, whole) },
		   ns ? formatShare(ns, whole) : ""),
	]);
}

function barStyle(ns, whole) {
	return `--share: ${whole ? (100 * ns / whole).toFixed(1) : 0}%`;
}

/** Shows a function and its module, unless the module is unknown or part of the function's name. */
export function functionLabel({ name, module }, select) {
	return el("span", { class: "function" },
		  el("button", { type: "button", class: "link", tabindex: "-1", onclick: select,
				 title: `Show the callers and callees of ${name} (${module || "no module"})` },
		     name),
		  module && module !== "?" && !name.endsWith("(no symbols)")
			  ? el("span", { class: "muted" }, module) : null);
}
