// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a picture says of a thing -> a small box beside the pointer.
import { el } from "./dom.js";

const OFFSET_PX = 14;

export class Tooltip {
	element = el("div", { class: "tooltip", role: "tooltip", hidden: true });

	#ref = -1;
	#dismissed = false;

	/** describe() is asked only if it is another thing than before. */
	show(ref, describe, event) {
		if (this.#dismissed && ref === this.#ref)
			return;
		this.#dismissed = false;
		if (ref !== this.#ref || this.element.hidden)
			this.element.replaceChildren(...tooltipContent(describe()));
		this.#ref = ref;
		this.element.hidden = false;
		this.#place(event.clientX, event.clientY);
	}

	hide() {
		this.element.hidden = true;
	}

	/** Hides it until the pointer is on something else: what was clicked is in the side panel. */
	dismiss() {
		this.#dismissed = true;
		this.hide();
	}

	/** Beside the pointer, and within the window. */
	#place(x, y) {
		const { offsetWidth, offsetHeight, style } = this.element;
		const left = x + OFFSET_PX + offsetWidth > innerWidth ? x - OFFSET_PX - offsetWidth
								      : x + OFFSET_PX;
		const above = y + OFFSET_PX + offsetHeight > innerHeight;

		style.left = `${Math.max(left, 4)}px`;
		style.top = `${Math.max(above ? y - OFFSET_PX - offsetHeight : y + OFFSET_PX, 4)}px`;
	}
}

function tooltipContent({ title, rows }) {
	return [el("strong", null, title), rowsTable(rows)];
}

/** Pairs of name and value as a table. */
export function rowsTable(rows) {
	return el("table", { class: "pairs" },
		  rows.map(([name, value]) => el("tr", null, el("th", { scope: "row" }, String(name)),
						 el("td", null, String(value)))));
}
