// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a picture says of the thing that was clicked -> a panel on the right.
import { button, el } from "./dom.js";
import { rowsTable } from "./tooltip.js";

export class SidePanel {
	#state;
	#body = el("div", { class: "side-body" });
	#shown = "";

	constructor(state) {
		this.#state = state;
		this.element = el("aside", { class: "side", "aria-label": "Details", hidden: true },
				  button("\u00d7", "Close (Esc)", () => state.set({ chosen: -1 })),
				  this.#body);
		this.element.firstChild.className = "close";
		this.element.firstChild.setAttribute("aria-label", "Close");
	}

	/** A ref is of a picture: what another one would make of it is not asked. */
	update(picture) {
		const { chosen, from, to } = this.#state;
		const wanted = [picture?.id, chosen, from, to, picture?.laidOut].join(" ");

		this.element.hidden = chosen < 0 || !picture;
		if (this.element.hidden || wanted === this.#shown)
			return;
		this.#shown = wanted;
		this.#fill(picture, chosen);
	}

	#fill(picture, chosen) {
		try {
			this.#body.replaceChildren(...detailContent(picture.describe(chosen)));
		} catch (error) {
			// From a link that was edited, or that is for another file.
			console.warn(error);
			this.#state.set({ chosen: -1 });
		}
	}
}

function detailContent({ title, rows, stacks }) {
	return [el("h2", null, title), rowsTable(rows), ...(stacks ?? []).map(stackBlock)];
}

/** Innermost frame on top, as the pictures have it. */
function stackBlock({ title, frames }) {
	return el("section", null, el("h3", null, title),
		  el("ol", { class: "stack" },
		     [...frames].reverse().map((frame) => el("li", null, frame))));
}
