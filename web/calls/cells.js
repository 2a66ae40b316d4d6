// SPDX-License-Identifier: GPL-2.0-or-later
//
// Cells for all tables of the call graph.
import { el } from "../dom.js";
import { formatNs, formatShare } from "../format.js";

const CALL_HEADS = [
	["self", "Time in the function itself"], ["%", "Share of the whole graph"],
	["total", "Time in the function and its callees"], ["%", "Share of the whole graph"],
];

/** The column heads for callCells() and for the name. */
export function callHead(name) {
	const head = (kind, title, text) =>
		el("th", { scope: "col", role: "columnheader", class: kind, title }, text);

	return el("thead", { role: "rowgroup" }, el("tr", { role: "row" },
		CALL_HEADS.map(([text, title]) => head("number", title, text)),
		head("name", undefined, name)));
}

/** The four numbers of a function or of a node. */
export function callCells({ self, total }, whole, role) {
	return [self, total].flatMap((ns) => [
		el("td", { role, class: "number", dataset: { ns: String(Math.round(ns)) } },
		   ns ? formatNs(ns) : "–"),
		el("td", { role, class: "number share", style: barStyle(ns, whole) },
		   ns ? formatShare(ns, whole) : ""),
	]);
}

/** A cell whose number has a bar for the share behind it. */
function barStyle(ns, whole) {
	return `--share: ${whole ? (100 * ns / whole).toFixed(1) : 0}%`;
}

/** A link to a function. The module follows, unless it is unknown or the name contains it. */
export function functionLabel({ name, module }, select) {
	return el("span", { class: "function" },
		  el("button", { type: "button", class: "link", tabindex: "-1", onclick: select,
				 title: `Show the callers and callees of ${name} (${module || "no module"})` },
		     name),
		  module && module !== "?" && !name.endsWith("(no symbols)")
			  ? el("span", { class: "muted" }, module) : null);
}
