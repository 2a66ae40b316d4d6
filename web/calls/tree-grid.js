// SPDX-License-Identifier: GPL-2.0-or-later
//
// A tree of calls as a table with rows that open and close (role treegrid). When the times change,
// open rows stay open.
import { button, el } from "../dom.js";
import { formatCount } from "../format.js";
import { callCells, callHead, functionLabel } from "./cells.js";
import { moveFocus } from "./focus.js";
import { functionKey } from "./graph.js";

const CHILDREN_AT_ONCE = 100;
/** Rows on deeper levels have the indent of this level. */
const INDENT_MAX = 40;
const INDENT_REM = 1.2;
/**
 * When a row opens, its largest child opens too if the child has at least NEARLY_ALL of the row's
 * time, and so on, up to OPENS_WITH_MAX rows.
 */
const NEARLY_ALL = 0.9;
const OPENS_WITH_MAX = 64;
/** Minimum share of the graph's time with which the largest root is initially open. */
const OPENS_ITSELF = 0.3;

export class CallTreeGrid {
	#graph = null;
	#roots = [];
	#childrenOf = null;
	#select;
	#isOpen = new Set(); // paths
	#shownOf = new Map(); // path -> number of visible children
	#rows = [];
	#body = el("tbody", { onkeydown: (event) => this.#onKey(event) });

	constructor(select) {
		this.#select = select;
		this.element = el("table", { class: "call-tree", role: "treegrid" },
				  callHead("Function"), this.#body);
	}

	/**
	 * roots, and the result of childrenOf(node): nodes of a CallGraph, the longest first.
	 * isOther: the tree is not that of the last call, so its open rows do not stay open.
	 * ofCallers: the tree shows callers.
	 */
	show(graph, label, roots, childrenOf, { isOther, ofCallers }) {
		const hasFocus = this.#body.contains(document.activeElement);

		this.#graph = graph;
		this.#roots = roots;
		this.#childrenOf = childrenOf;
		this.element.setAttribute("aria-label", label);
		this.element.classList.toggle("of-callers", ofCallers);
		if (isOther) {
			this.#isOpen.clear();
			this.#shownOf.clear();
			// If the largest of several roots has only a small share of the time, all
			// roots stay closed.
			if (roots.length === 1 || roots[0]?.total >= graph.total * OPENS_ITSELF)
				this.#open(roots[0], this.#pathOf(roots[0], ""));
		}
		this.#render(hasFocus);
	}

	#pathOf({ number }, above) {
		return `${above}\n${functionKey(this.#graph.functions[number])}`;
	}

	#open(node, path) {
		for (let i = 0; i < OPENS_WITH_MAX; i++) {
			const [first] = this.#childrenOf(node);

			if (!first)
				return;
			this.#isOpen.add(path);
			if (first.total < node.total * NEARLY_ALL)
				return;
			node = first;
			path = this.#pathOf(node, path);
		}
	}

	/** hasFocus: the table had the focus, so the current row gets the focus again. */
	#render(hasFocus) {
		const path = this.#rows.find(({ element }) => element.tabIndex === 0)?.path;

		this.#rows = [];
		this.#addRows(this.#roots, "", 1);
		this.#body.replaceChildren(...this.#rows.map(({ element }) => element));
		const row = this.#rows.find((one) => one.path === path) ?? this.#rows[0];

		if (row)
			row.element.tabIndex = 0;
		if (hasFocus)
			row?.element.focus({ preventScroll: true });
	}

	#addRows(nodes, above, level) {
		const shown = this.#shownOf.get(above) ?? CHILDREN_AT_ONCE;

		nodes.slice(0, shown).forEach((node, i) => {
			const path = this.#pathOf(node, above);
			const children = this.#childrenOf(node);
			const isOpen = children.length > 0 && this.#isOpen.has(path);
			const row = { node, path, level, isOpen, canOpen: children.length > 0 };

			row.act = () => this.#select(node.number);
			row.element = this.#rowElement(row, i, nodes.length);
			this.#rows.push(row);
			if (isOpen)
				this.#addRows(children, path, level + 1);
		});
		if (nodes.length > shown)
			this.#rows.push(this.#moreRow(above, level, shown, nodes.length - shown));
	}

	#rowElement(row, i, count) {
		const { node, level, isOpen, canOpen } = row;

		return el("tr", {
			role: "row", tabindex: "-1", "aria-level": String(level),
			"aria-setsize": String(count), "aria-posinset": String(i + 1),
			"aria-expanded": canOpen ? String(isOpen) : undefined,
			dataset: { function: functionKey(this.#graph.functions[node.number]) },
			ondblclick: () => this.#toggle(row),
		}, callCells(node, this.#graph.total, "gridcell"),
		el("td", { role: "gridcell", class: "name", style: indentOf(level) },
		   el("span", { class: "expander", "aria-hidden": "true",
				onclick: () => this.#toggle(row) },
		      canOpen ? isOpen ? "▾" : "▸" : ""),
		   functionLabel(this.#graph.functions[node.number], row.act)));
	}

	#moreRow(above, level, shown, rest) {
		const act = () => {
			this.#shownOf.set(above, shown + CHILDREN_AT_ONCE);
			this.#render(true);
		};
		const one = button(`show more (${formatCount(rest)})`, "Show more functions here", act);

		one.tabIndex = -1;
		one.className = "link";
		return {
			path: `${above}\nmore`, level, isOpen: false, canOpen: false, act,
			element: el("tr", { role: "row", tabindex: "-1", "aria-level": String(level) },
				    Array.from({ length: 4 }, () => el("td", { role: "gridcell" })),
				    el("td", { role: "gridcell", class: "name",
					       style: indentOf(level) }, one)),
		};
	}

	#toggle(row) {
		if (!row.canOpen)
			return;
		if (row.isOpen)
			this.#isOpen.delete(row.path);
		else
			this.#open(row.node, row.path);
		moveFocus(this.#rows.map(({ element }) => element), row.element);
		this.#render(true);
	}

	#onKey(event) {
		const elements = this.#rows.map(({ element }) => element);
		const i = elements.indexOf(event.target.closest("tr"));
		const row = this.#rows[i];
		const to = { ArrowUp: i - 1, ArrowDown: i + 1, Home: 0, End: elements.length - 1 }[event.key];

		if (!row || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
			return;
		if (to !== undefined)
			moveFocus(elements, elements[to]);
		else if (event.key === "ArrowRight")
			this.#inwards(row, i, elements);
		else if (event.key === "ArrowLeft")
			this.#outwards(row, i, elements);
		else if (event.key === "Enter")
			row.act();
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	}

	#inwards(row, i, elements) {
		if (row.canOpen && !row.isOpen)
			this.#toggle(row);
		else if (row.isOpen)
			moveFocus(elements, elements[i + 1]);
	}

	#outwards(row, i, elements) {
		if (row.isOpen)
			this.#toggle(row);
		else
			moveFocus(elements, elements[this.#rows.findLastIndex((one, k) =>
				k < i && one.level < row.level)]);
	}
}

function indentOf(level) {
	return `padding-left: ${0.4 + Math.min(level - 1, INDENT_MAX) * INDENT_REM}rem`;
}
