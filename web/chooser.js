// SPDX-License-Identifier: GPL-2.0-or-later
//
// The input by which users choose a process by name or process ID.
import { el } from "./dom.js";
import { processTitle } from "./running/names.js";

export class ProcessChooser {
	#rec;
	#state;
	#input;
	#byTitle = new Map();

	constructor(rec, state) {
		this.#rec = rec;
		this.#state = state;
		this.#input = el("input", {
			type: "text", list: "processes", spellcheck: "false",
			"aria-label": "Process",
			title: "The process of the flame views: a part of its name, or its pid",
			onchange: () => this.#take(),
			// The browser filters the list by the text in the input, so the text is
			// removed to offer all processes.
			onfocus: () => {
				this.#input.placeholder = this.#input.value;
				this.#input.value = "";
			},
			onblur: () => this.update(),
		});
		this.element = el("div", { class: "chooser" }, this.#input, this.#list());
	}

	/** Lists the processes; those with control paths come first. */
	#list() {
		const { process } = this.#rec;
		const all = Array.from({ length: process.count }, (_, p) => p);
		const explained = (p) => process.explained[p] >= 0 ? 0 : 1;

		all.sort((a, b) => explained(a) - explained(b) || a - b);
		return el("datalist", { id: "processes" }, all.map((p) => {
			const title = processTitle(this.#rec, p);

			if (!this.#byTitle.has(title))
				this.#byTitle.set(title, p);
			return el("option", { value: title },
				  explained(p) ? "no control paths in this file" : "");
		}));
	}

	#take() {
		const text = this.#input.value.trim();
		const process = this.#byTitle.get(text) ?? this.#byPid(text);

		if (process >= 0) {
			this.#state.set({ process });
			this.#input.blur();
		}
	}

	#byPid(text) {
		return /^\d+$/.test(text) ? this.#rec.process.pid.indexOf(Number(text)) : -1;
	}

	update() {
		if (document.activeElement !== this.#input)
			this.#input.value = this.#rec.process.count
				? processTitle(this.#rec, this.#state.process) : "";
	}
}
