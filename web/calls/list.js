// SPDX-License-Identifier: GPL-2.0-or-later
//
// A list of functions as a table.
import { button, el } from "../dom.js";
import { formatCount } from "../format.js";
import { sortingHead } from "../panels/table.js";
import { callCells, callHead, functionLabel } from "./cells.js";
import { moveFocus } from "./focus.js";
import { functionKey } from "./graph.js";

const FUNCTIONS_AT_ONCE = 200;

const FUNCTION_COLUMNS = [
	{ key: "self", head: "self", title: "Time in the function itself" },
	{ key: "selfShare", head: "%", title: "Share of the whole graph" },
	{ key: "total", head: "total", title: "Time in the function and its callees" },
	{ key: "totalShare", head: "%", title: "Share of the whole graph" },
	{ key: "name", head: "Function", title: "By name" },
];
/** Shares have the same order as the times. */
const SORTED_BY = { selfShare: "self", totalShare: "total" };

export class FunctionList {
	#graph = null;
	#list = [];
	#chosen = -1;
	#seen = -1; // the function that was selected when the list was made
	#sort;
	#shown = FUNCTIONS_AT_ONCE;
	#select;
	#empty = "";

	/** sort: the column by which the rows are first sorted, or null to keep their order. */
	constructor(label, sort, select) {
		this.#sort = sort && { key: sort, ascending: false };
		this.#select = select;
		this.element = el("div", { class: "function-list", role: "group", "aria-label": label });
	}

	/**
	 * list: [{number, self, total}, …]; a row that is not a function has number -1 and a name.
	 * empty: the text that replaces an empty list.
	 */
	show(graph, list, chosen, empty) {
		this.#graph = graph;
		this.#list = list;
		this.#chosen = chosen;
		this.#empty = empty;
		this.#render();
	}

	#render() {
		const hasChanged = this.#seen !== this.#chosen;
		const focus = this.element.contains(document.activeElement)
			? document.activeElement.closest("[data-focus]")?.dataset.focus : undefined;
		const rows = this.#sorted().slice(0, this.#shown).map((one) => this.#row(one));
		const rest = this.#list.length - this.#shown;

		this.element.replaceChildren(
			el("table", { role: "grid", class: this.#sort ? "" : "of-callers" }, this.#head(),
			   el("tbody", { onkeydown: (event) => this.#onKey(event) }, rows)),
			...this.#list.length ? [] : [el("p", { class: "empty" }, this.#empty)],
			...rest > 0 ? [button(`show more (${formatCount(rest)})`, "Show more functions",
					      () => this.#showMore())] : []);
		const all = [...this.element.querySelectorAll("tbody tr")];

		const chosen = all.find((row) => row.ariaSelected === "true");

		(chosen ?? all[0])?.setAttribute("tabindex", "0");
		if (hasChanged)
			chosen?.scrollIntoView({ block: "nearest" });
		this.#seen = this.#chosen;
		if (focus !== undefined)
			[...this.element.querySelectorAll("[data-focus]")]
				.find((one) => one.dataset.focus === focus)?.focus({ preventScroll: true });
	}

	#head() {
		const sort = this.#sort;

		return sort ? sortingHead(FUNCTION_COLUMNS, sort, (key) => {
			this.#sort = { key, ascending: key === sort.key ? !sort.ascending
								       : key === "name" };
			this.#render();
		}) : callHead("Function");
	}

	#showMore() {
		this.#shown += FUNCTIONS_AT_ONCE;
		this.#render();
	}

	#sorted() {
		if (!this.#sort)
			return this.#list;
		const { functions } = this.#graph;
		const key = SORTED_BY[this.#sort.key] ?? this.#sort.key;
		const sign = this.#sort.ascending ? 1 : -1;
		const byName = (a, b) => a < b ? -1 : Number(a > b);

		return [...this.#list].sort((a, b) => {
			const one = functions[a.number], other = functions[b.number];
			const difference = key === "name" ? byName(one.name, other.name) : a[key] - b[key];

			return sign * difference || one.depth - other.depth ||
				byName(one.name, other.name);
		});
	}

	#row(one) {
		const names = this.#graph.functions[one.number] ?? { name: one.name, module: "" };
		const isChosen = one.number >= 0 && one.number === this.#chosen;
		const select = () => this.#select(one.number);

		return el("tr", {
			tabindex: "-1", class: isChosen ? "chosen" : "", role: "row",
			"aria-selected": String(isChosen),
			dataset: { function: functionKey(names), focus: `row ${functionKey(names)}` },
		}, callCells(one, this.#graph.total, "gridcell"),
		el("td", { class: "name", role: "gridcell" },
		   one.number >= 0 ? functionLabel(names, select)
				   : el("span", { class: "muted" }, names.name)));
	}

	#onKey(event) {
		const rows = [...this.element.querySelectorAll("tbody tr")];
		const i = rows.indexOf(event.target.closest("tr"));
		const to = { ArrowUp: i - 1, ArrowDown: i + 1, Home: 0, End: rows.length - 1 }[event.key];

		if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
			return;
		if (to !== undefined)
			moveFocus(rows, rows[to]);
		else if (event.key === "Enter")
			rows[i]?.querySelector("button")?.click();
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	}
}
