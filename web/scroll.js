// SPDX-License-Identifier: GPL-2.0-or-later
//
// Synchronizes the scroll bar with "top", the scroll position in the state. When the range changes,
// the row that was visible stays in its place on the screen.
import { el } from "./dom.js";
import { TOP_AT_CHOSEN } from "./state.js";

export class Scroll {
	spacer = el("div", { class: "spacer" });

	#element;
	#state;
	#picture = null;
	#anchor = null;
	#scale = 1;
	/**
	 * The value of "top" at the last frame. If "top" differs, a link or a change of the view
	 * has set it.
	 */
	#top = NaN;
	#process = -1;
	#size = "";
	#range = {};
	/** The scroll position that the picture chose, or NaN. */
	#liked = NaN;

	constructor(element, state) {
		this.#element = element;
		this.#state = state;
		element.addEventListener("scroll", () => this.#scrolled());
	}

	get top() {
		return this.#element.scrollTop / this.#scale;
	}

	by(px) {
		// px may be infinite.
		this.#element.scrollTop += Math.min(Math.max(px, -1e7), 1e7) * this.#scale;
	}

	/**
	 * content: the height of the picture with the ruler, in px; height: the height of its
	 * visible part; scale: the px of the page per px of the picture.
	 */
	fit(picture, content, { height, ruler }, scale) {
		const { top, process, from, to } = this.#state;
		const size = [content, height].join();
		const isMoved = size !== this.#size && this.top === this.#liked &&
			from === this.#range.from && to === this.#range.to;
		const elsewhere = picture !== this.#picture || top !== this.#top ||
			(top < 0 && (process !== this.#process || isMoved));

		this.#picture = picture;
		this.#process = process;
		this.#scale = scale;
		this.#size = size;
		this.#range = { from, to };
		this.spacer.style.height = `${Math.max(content - height, 0) * scale}px`;
		if (elsewhere)
			this.#to(this.#wanted(content, height, height - ruler));
		else if (this.#anchor)
			this.#to(picture.yOfAnchor(this.#anchor.key) - this.#anchor.offset);
		if (elsewhere || !this.#anchor)
			this.keep(0);
		if (elsewhere)
			this.#liked = top === -1 ? this.top : NaN;
		// TOP_AT_CHOSEN scrolls only once: the actual position replaces it.
		if (top === TOP_AT_CHOSEN)
			this.#state.set({ top: Math.round(this.top) });
	}

	/** From now on, the row (or band) that is y px below the top stays in its place. */
	keep(y) {
		const picture = this.#picture;
		const key = picture?.anchorAt?.(this.top + y) ?? -1;

		this.#anchor = key < 0 ? null : { key, offset: picture.yOfAnchor(key) - this.top };
	}

	#wanted(content, height, below) {
		const { top, chosen } = this.#state;
		const atChosen = top === TOP_AT_CHOSEN && chosen >= 0
			? this.#picture.topOf?.(chosen, below) ?? -1 : -1;

		if (top >= 0 || atChosen >= 0)
			return Math.max(top, atChosen);
		if (this.#picture.anchor === "bottom")
			return content - height;
		return this.#picture.wantedTop?.(below) ?? 0;
	}

	#to(top) {
		if (Math.abs(top - this.top) >= 1)
			this.#element.scrollTop = top * this.#scale;
		this.#top = this.#state.top;
	}

	#scrolled() {
		const top = Math.round(this.top);

		if (top === this.#state.top || this.top === this.#liked)
			return;
		this.#liked = NaN;
		this.#top = top;
		this.keep(0);
		this.#state.set({ top });
	}
}
