// SPDX-License-Identifier: GPL-2.0-or-later
//
// The line above the picture: a tab for each view, and the options of the current view.
import { button, el } from "./dom.js";
import { viewsOf } from "./state.js";

const TAB_TITLES = {
	running: "Running", flame: "Flame view", consolidated: "Consolidated",
	graphs: "Flame graphs", calls: "Call graph",
	utilization: "Utilization", requests: "Requests",
};

const AMOUNTS = [["all", "All frames"], ["user", "User frames"], ["names", "Process names"]];
const DETAIL = choice("detail", "How much of the stacks", AMOUNTS);
const KINDS_OF_GRAPHS = [
	["cpu", "On-CPU"], ["off", "Off-CPU"], ["hot", "Hot/cold"], ["wakeup", "Wakeup"],
];
const OF_ALL = check("all", "All processes", "Of all processes together, not of one");
const ICICLE = check("icicle", "Icicle", "Root at the top (i)");

/**
 * The options of each view. An option is a function of the state that returns {element, update()}.
 */
const OPTIONS = {
	running: [
		check("sleeps", "Sleeps", "Show when threads slept, and what they waited for (z)"),
		check("links", "All links", "Show the links of all boxes, from wakers to woken threads, not only of one (l)"),
		check("idle", "Idle threads", "Show those, too, that did nothing in the range"),
	],
	flame: [DETAIL, check("links", "All links", "Where one path waits for another, not only for one box (l)")],
	consolidated: [DETAIL, ICICLE],
	graphs: [
		choice("graph", "Which flame graph", KINDS_OF_GRAPHS),
		choice("frames", "How much of the stacks", AMOUNTS), OF_ALL, ICICLE,
	],
	calls: [
		choice("graph", "Which times", KINDS_OF_GRAPHS), OF_ALL,
		check("upward", "Bottom-up", "Functions by their own time, below each its callers (b)"),
	],
	utilization: [],
	requests: [],
};

function check(name, text, title) {
	return (state) => {
		const input = el("input", {
			type: "checkbox", onchange: () => state.set({ [name]: input.checked }),
		});

		return {
			element: el("label", { title }, input, text),
			update: () => {
				input.checked = state[name];
			},
		};
	};
}

function choice(name, title, values) {
	return (state) => {
		const select = el("select", {
			title, "aria-label": title,
			onchange: () => state.set({ [name]: select.value }),
		}, values.map(([value, text]) => el("option", { value }, text)));

		return {
			element: select,
			update: () => {
				select.value = state[name];
			},
		};
	};
}

export class Toolbar {
	#state;
	#views;
	#tabs;
	#options = el("div", {
		class: "options", role: "group", "aria-label": "Options of the view",
	});
	#shown = "";
	#current = [];

	constructor(rec, state, chooser) {
		this.#state = state;
		this.#views = viewsOf(rec);
		this.#tabs = this.#views.map((view, i) => this.#tab(view, i));
		this.element = el("div", { class: "toolbar" },
				  el("div", {
					  class: "tabs", role: "tablist", "aria-label": "Views",
					  onkeydown: (event) => this.#onKey(event),
				  }, this.#tabs),
				  chooser, this.#options);
	}

	#tab(view, i) {
		const title = TAB_TITLES[view];
		const tab = button(title, `${title} (${i + 1})`, () => this.#state.set({ view }));

		tab.setAttribute("role", "tab");
		tab.setAttribute("aria-controls", "view");
		tab.dataset.view = view;
		return tab;
	}

	/** As in every tab list, arrow keys move between tabs. */
	#onKey(event) {
		const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];

		if (!step)
			return;
		const views = this.#views;
		const i = (views.indexOf(this.#state.view) + step + views.length) % views.length;

		event.preventDefault();
		this.#state.set({ view: views[i] });
		this.#tabs[i].focus();
	}

	update() {
		const { view } = this.#state;

		for (const tab of this.#tabs) {
			tab.setAttribute("aria-selected", String(tab.dataset.view === view));
			tab.tabIndex = tab.dataset.view === view ? 0 : -1;
		}
		if (view !== this.#shown) {
			this.#shown = view;
			this.#current = OPTIONS[view].map((option) => option(this.#state));
			this.#options.replaceChildren(...this.#current.map((one) => one.element));
		}
		for (const option of this.#current)
			option.update();
	}
}
