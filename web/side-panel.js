// SPDX-License-Identifier: GPL-2.0-or-later
//
// The panel at the right, which describes the selected box.
import { button, closeButton, el } from "./dom.js";
import { detailOf } from "./flame/rows.js";
import { hasName } from "./name-list.js";
import { rowsTable } from "./tooltip.js";

export class SidePanel {
	#state;
	#body = el("div", { class: "side-body" });
	#shown = "";

	constructor(state) {
		this.#state = state;
		this.element = el("aside", { class: "side", "aria-label": "Details", hidden: true },
				  closeButton(() => state.set({ chosen: -1 })), this.#body);
	}

	/** Describes the selected box. If its ref is not valid in the picture, deselects it. */
	update(picture) {
		const { chosen, from, to, drilled } = this.#state;
		const wanted = [picture?.id, chosen, from, to, drilled, picture?.laidOut].join(" ");

		if (chosen >= 0 && picture?.has && !picture.has(chosen)) {
			this.#state.set({ chosen: -1 });
			return;
		}
		this.element.hidden = chosen < 0 || !picture;
		if (this.element.hidden || wanted === this.#shown)
			return;
		this.#shown = wanted;
		this.#fill(picture, chosen);
	}

	#drillButton(picture, chosen, name) {
		if (!picture.drill || !name || detailOf(this.#state) !== "names")
			return null;
		const text = hasName(this.#state.drilled, name) ? "hide these frames in the picture"
							  : "show these frames in the picture";
		const one = button(text, `Of all that is called ${name}`, () =>
			this.#state.set(picture.drill(this.#state, chosen, name)));

		one.className = "link drill";
		return one;
	}

	#link(text, change) {
		const one = button(text, "Go there", () => this.#state.set(change));

		one.className = "link";
		return one;
	}

	#fill(picture, chosen) {
		try {
			const { title, rows, stacks } = picture.describe(chosen);
			const link = (text, change) => this.#link(text, change);

			this.#body.replaceChildren(
				el("h2", null, title), rowsTable(rows, link),
				...(stacks ?? []).map((stack) => stackBlock(stack, link,
					this.#drillButton(picture, chosen, stack.name))));
		} catch (error) {
			// A ref from a link may be invalid.
			console.warn(error);
			this.#state.set({ chosen: -1 });
		}
	}
}

/**
 * Shows a stack, with the innermost frame at the top. subject: the part of the title that is a
 * link.
 */
function stackBlock({ title, subject, change, frames }, link, drillButton) {
	const heading = change ? [link(subject, change), title.slice(subject.length)] : [title];

	return el("section", null, el("h3", null, heading), frames.length ? drillButton : null,
		  el("ol", { class: "stack" },
		     [...frames].reverse().map((frame) => el("li", null, frame))));
}
