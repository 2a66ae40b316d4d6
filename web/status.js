// SPDX-License-Identifier: GPL-2.0-or-later
//
// The line below the picture: the range, a text from the picture, and the meanings of the colours.
import { el } from "./dom.js";
import { formatNs } from "./format.js";
import { legendList } from "./help.js";
import { formatInstant } from "./scale.js";

export class StatusLine {
	#state;
	#rec;
	#range = el("span");
	#note = el("span", { class: "muted" });
	#legend = el("div", { class: "legend-line", role: "group", "aria-label": "Colours" });
	#inks = "";
	#seen = new Set();
	#place = "";

	constructor(rec, state) {
		this.#rec = rec;
		this.#state = state;
		this.element = el("footer", null, this.#range, this.#note, this.#legend);
	}

	update() {
		const { from, to } = this.#state;
		const step = Math.max((to - from) / 1000, 1);
		const farthest = Math.max(...[from, to].map((t) => Math.abs(t - this.#rec.origin)));
		const instant = (t) => formatInstant(t - this.#rec.origin,
						     10 ** Math.floor(Math.log10(step)), farthest);

		this.#range.textContent = from <= 0 && to >= this.#rec.end
			? `whole recording, ${formatNs(to - from)}`
			: `${instant(from)} \u2013 ${instant(to)}, ${formatNs(to - from)}`;
	}

	/** The legend contains only inks that have been drawn. */
	painted(picture, scene) {
		const seen = this.#seenWith(picture, scene.boxes.ink);
		const inks = [...seen].sort((a, b) => a - b).join();

		this.#note.textContent = picture.status?.() ?? "";
		if (inks === this.#inks)
			return;
		this.#inks = inks;
		this.#legend.replaceChildren(legendList(seen));
	}

	/**
	 * Returns the inks of this frame, and of earlier frames of the same range. Otherwise, the
	 * heights of the legend and of the picture could change in turn.
	 */
	#seenWith(picture, inks) {
		const { from, to, process } = this.#state;
		const place = [picture.id, from, to, process].join();

		this.#seen = new Set(place === this.#place ? [...this.#seen, ...inks] : inks);
		this.#place = place;
		return this.#seen;
	}

	/** Called when the view is a table, not a picture. */
	clear() {
		this.#note.textContent = "";
		this.#inks = "";
		this.#legend.replaceChildren();
	}
}
