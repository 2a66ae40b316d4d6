// SPDX-License-Identifier: GPL-2.0-or-later
//
// A picture's description of a clicked box -> a panel on the right.
import { button, el } from "./dom.js";
import { detailOf, isDrilled } from "./flame/rows.js";
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

	/** A ref is only valid for one picture, so other pictures do not describe it. */
	update(picture) {
		const { chosen, from, to, drilled } = this.#state;
		const wanted = [picture?.id, chosen, from, to, drilled, picture?.laidOut].join(" ");

		this.element.hidden = chosen < 0 || !picture;
		if (this.element.hidden || wanted === this.#shown)
			return;
		this.#shown = wanted;
		this.#fill(picture, chosen);
	}

	#drillButton(picture, chosen, name) {
		if (!picture.drill || !name || detailOf(this.#state) !== "names")
			return null;
		const text = isDrilled(this.#state, name) ? "hide these frames in the picture"
							  : "show these frames in the picture";
		const one = button(text, `Of all that is called ${name}`, () =>
			this.#state.set(picture.drill(this.#state, chosen, name)));

		one.className = "link drill";
		return one;
	}

	#fill(picture, chosen) {
		try {
			this.#body.replaceChildren(...detailContent(picture.describe(chosen),
				(name) => this.#drillButton(picture, chosen, name)));
		} catch (error) {
			// The ref is from a link that was edited, or that belongs to another file.
			console.warn(error);
			this.#state.set({ chosen: -1 });
		}
	}
}

/** drill(name): makes a button that shows or hides a stack in the picture; or null. */
function detailContent({ title, rows, stacks }, drill) {
	return [el("h2", null, title), rowsTable(rows),
		...(stacks ?? []).map((stack) => stackBlock(stack, drill(stack.name)))];
}

/** The innermost frame is on top, as in pictures. */
function stackBlock({ title, frames }, drillButton) {
	return el("section", null, el("h3", null, title), frames.length ? drillButton : null,
		  el("ol", { class: "stack" },
		     [...frames].reverse().map((frame) => el("li", null, frame))));
}
