// SPDX-License-Identifier: GPL-2.0-or-later
//
// How far a picture is scrolled: the state's top <-> the scroll bar. When rows come and go with the
// range, the row that was looked at stays where it is on the screen.
import { el } from "./dom.js";
import { TOP_AT_CHOSEN } from "./state.js";

export class Scroll {
	spacer = el("div", { class: "spacer" });

	#element;
	#state;
	#picture = null;
	#anchor = null;
	#scale = 1;
	/** The state's top as it was last; another one comes from a link, or with a new view. */
	#top = NaN;
	#process = -1;
	#size = "";
	#range = {};
	/** Where the picture liked it, while it is there: what takes room around it moves it on. */
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
		// Infinite is "as far as it goes".
		this.#element.scrollTop += Math.min(Math.max(px, -1e7), 1e7) * this.#scale;
	}

	/**
	 * Before a frame: the picture has so many px, the ruler above it included, of which `height` are
	 * seen; each is that large.
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
		// That was for once: from now on it is as far as that.
		if (top === TOP_AT_CHOSEN)
			this.#state.set({ top: Math.round(this.top) });
	}

	/** From now on the thing y px below the top is to stay there. */
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
