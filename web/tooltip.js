// SPDX-License-Identifier: GPL-2.0-or-later
//
// The tooltip beside the pointer, which describes a box.
import { el } from "./dom.js";

const OFFSET_PX = 14;
const EDGE_PX = 4;

export class Tooltip {
	element = el("div", { class: "tooltip", role: "tooltip", hidden: true });

	#ref = -1;
	#dismissed = false;

	/** Calls describe() only if the ref has changed, or the tooltip was hidden. */
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

	/**
	 * Hides the tooltip until the pointer is on another box. Used when the side panel shows the
	 * same text.
	 */
	dismiss() {
		this.#dismissed = true;
		this.hide();
	}

	#place(x, y) {
		const { offsetWidth, offsetHeight, style } = this.element;

		style.left = `${beside(x, offsetWidth, innerWidth)}px`;
		style.top = `${beside(y, offsetHeight, innerHeight)}px`;
	}
}

function beside(at, size, most) {
	const behind = at + OFFSET_PX;

	return behind + size <= most ? behind : Math.max(at - OFFSET_PX - size, EDGE_PX);
}

function tooltipContent({ title, rows }) {
	return [el("strong", null, title), rowsTable(rows)];
}

/**
 * Makes a table of rows: [name, value], or [name, value, change]. link(text, change) makes the
 * element of a value that has a change of the state.
 */
export function rowsTable(rows, link = null) {
	return el("table", { class: "pairs" },
		  rows.map(([name, value, change]) =>
			  el("tr", null, name ? el("th", { scope: "row" }, String(name)) : el("td"),
			     el("td", null, change && link ? link(String(value), change)
							   : String(value)))));
}
