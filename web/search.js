// SPDX-License-Identifier: GPL-2.0-or-later
//
// The search box. Its text becomes the query of the state shortly after the last key press.
import { el } from "./dom.js";
import { formatCount, formatNs, formatShare } from "./format.js";

const TYPING_MS = 150;

export class SearchBox {
	#state;
	#timer = 0;
	#input;
	#result = el("output");

	constructor(state) {
		this.#state = state;
		this.#input = el("input", {
			type: "search", placeholder: "Search  /", spellcheck: "false",
			title: "Mark what has such a name: a regular expression (/)",
			"aria-label": "Search, a regular expression", oninput: () => this.#typed(),
			onkeydown: (event) => {
				if (event.key === "Enter")
					this.#take();
			},
		});
		this.element = el("div", { class: "search", role: "search" },
				  this.#result, this.#input);
	}

	focus() {
		this.#input.focus();
		this.#input.select();
	}

	get hasFocus() {
		return document.activeElement === this.#input;
	}

	/** Returns false if the box was empty and had no focus. */
	clear() {
		const isInUse = this.#input.value !== "" || this.hasFocus;

		this.#input.value = "";
		this.#input.blur();
		this.#take();
		return isInUse;
	}

	/**
	 * matched: {count, ns} of the search in the picture, or null. whole: the time of the whole
	 * picture in ns, or 0.
	 */
	update(matched, whole) {
		if (!this.hasFocus)
			this.#input.value = this.#state.query;
		this.#result.textContent =
			this.#state.query && matched ? foundText(matched, whole) : "";
	}

	#typed() {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#take(), TYPING_MS);
	}

	#take() {
		clearTimeout(this.#timer);
		this.#state.set({ query: this.#input.value });
	}
}

function foundText({ count, ns }, whole) {
	const found = `${formatCount(count)} found`;

	if (!count || !ns)
		return found;
	return `${found}, ${formatNs(ns)}${whole ? ` (${formatShare(ns, whole)})` : ""}`;
}
