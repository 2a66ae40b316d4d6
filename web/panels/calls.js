// SPDX-License-Identifier: GPL-2.0-or-later
//
// The call graph, in the form of Sysprof: all functions, the callers of the selected function, and
// a tree of its callees or, bottom-up, of its callers. If no function is selected, the tree
// contains all functions.
import { hasFamily } from "../data/recording.js";
import { NO_FUNCTION, functionKey } from "../calls/graph.js";
import { FunctionList } from "../calls/list.js";
import { MeasuredCalls } from "../calls/measured.js";
import { CallTreeGrid } from "../calls/tree-grid.js";
import { button, el } from "../dom.js";
import { formatNs, formatShare } from "../format.js";
import { processTitle } from "../running/names.js";

export function callsPanel(rec, state) {
	return new CallsPanel(rec, state);
}

class CallsPanel {
	#rec;
	#state;
	#measured;
	#key = "";
	#treeKey = "";
	#matched = null;
	#title = el("div", { class: "bar calls-title" });
	#treeTitle = el("h3");
	#callersPart;
	#list;
	#callers;
	#tree;

	constructor(rec, state) {
		const select = (number) => this.#select(number);

		this.#rec = rec;
		this.#state = state;
		this.#measured = new MeasuredCalls(rec);
		this.#list = new FunctionList("Functions", "total", select);
		this.#callers = new FunctionList("Callers", null, select);
		this.#tree = new CallTreeGrid(select);
		this.#callersPart = el("section", { class: "callers" }, el("h3", null, "Callers"),
				       this.#callers.element);
		this.element = el("section", { class: "panel calls", "aria-label": "Call graph" },
			this.#title,
			el("section", { class: "functions" }, el("h3", null, "Functions"),
			   this.#list.element),
			this.#callersPart,
			el("section", { class: "tree" }, this.#treeTitle, this.#tree.element));
	}

	/** query: the RegExp of the search, or null. */
	update(query) {
		const { func, upward } = this.#state;
		const key = [func, upward, query].join("\n");

		if (!this.#measured.update(this.#state) && key === this.#key)
			return;
		this.#key = key;
		const { graph } = this.#measured;
		const number = func ? graph.find(func) : NO_FUNCTION;

		this.#renderTitle(number);
		this.#renderList(number, query);
		this.#renderCallers(number);
		this.#renderTree(number);
	}

	/** Returns the number of found functions as {count, ns}; ns is 0. */
	matched() {
		return this.#matched;
	}

	#select(number) {
		const one = this.#measured.graph.functions[number];

		this.#state.set({ func: one ? functionKey(one) : "" });
	}

	#renderTitle(number) {
		const { graph, kind, inferred } = this.#measured;
		const { all, process, func } = this.#state;
		const inferredText = inferred
			? `${formatShare(inferred, graph.total)} inferred from other runs` : "";

		this.#title.replaceChildren(
			el("h2", null, `${kind.title}: ${graph.total ? formatNs(graph.total) : kind.empty}`),
			all ? el("span", null, "all processes") : this.#processLink(process),
			...!all && hasFamily(this.#rec, process) ? [el("span", null, "and its descendants")] : [],
			...inferredText ? [el("span", { class: "muted" }, inferredText)] : [],
			...func && number === NO_FUNCTION
				? [el("span", { class: "warning" }, `${func} is in no stack here`)] : [],
			...func ? [button("All functions", "Show the callees of all outermost functions",
					  () => this.#select(NO_FUNCTION))] : []);
	}

	#processLink(process) {
		return this.#rec.process.count ? el("button", {
			type: "button", class: "link", title: "Show its flame view",
			onclick: () => this.#state.set({ view: "flame" }),
		}, processTitle(this.#rec, process)) : el("span");
	}

	#renderList(number, query) {
		const { graph } = this.#measured;
		const list = graph.functions
			.map(({ self, total }, i) => ({ number: i, self, total }))
			.filter((one) => !query || query.test(graph.functions[one.number].name));

		this.#matched = query ? { count: list.length, ns: 0 } : null;
		this.#list.show(graph, list, number, query ? "No function has such a name." : "");
	}

	#renderCallers(number) {
		const { graph } = this.#measured;

		this.#callersPart.hidden = number === NO_FUNCTION;
		if (number === NO_FUNCTION)
			return;
		const [root] = graph.callersFrom(number);
		const callers = graph.callersOf(root).map((one) => ({ ...one, self: 0 }));

		if (root.self)
			callers.push({ number: NO_FUNCTION, name: "[outermost]", self: 0, total: root.self });
		this.#callers.show(graph, callers, NO_FUNCTION, "");
	}

	#renderTree(number) {
		const { graph } = this.#measured;
		const { upward, func, process, graph: kind, all } = this.#state;
		const name = number === NO_FUNCTION ? "all outermost functions"
						    : graph.functions[number].name;
		const title = !upward ? `Descendants of ${name}`
			: number === NO_FUNCTION ? "Functions by their own time, below each its callers"
						 : `Callers of ${name}`;
		const key = [upward, func, process, kind, all].join("\n");

		this.#treeTitle.textContent = title;
		this.#tree.show(graph, title,
				upward ? graph.callersFrom(number) : graph.calleesFrom(number),
				(node) => upward ? graph.callersOf(node) : graph.calleesOf(node),
				{ isOther: key !== this.#treeKey, ofCallers: upward });
		this.#treeKey = key;
	}
}
