// SPDX-License-Identifier: GPL-2.0-or-later
//
// How far a picture is scrolled: the state's top <-> the scroll bar. When rows come and go with the
// range, the row that was looked at stays where it is on the screen.
import { el } from "./dom.js";

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

	/** Before a frame: the picture has so many px, of which `height` are seen, each that large. */
	fit(picture, content, height, scale) {
		const { top, process } = this.#state;
		const elsewhere = picture !== this.#picture || top !== this.#top ||
			(top < 0 && process !== this.#process);

		this.#picture = picture;
		this.#process = process;
		this.#scale = scale;
		this.spacer.style.height = `${Math.max(content - height, 0) * scale}px`;
		if (elsewhere)
			this.#to(this.#wanted(content, height));
		else if (this.#anchor)
			this.#to(picture.yOfAnchor(this.#anchor.key) - this.#anchor.offset);
		if (elsewhere || !this.#anchor)
			this.keep(0);
	}

	/** From now on the thing y px below the top is to stay there. */
	keep(y) {
		const picture = this.#picture;
		const key = picture?.anchorAt?.(this.top + y) ?? -1;

		this.#anchor = key < 0 ? null : { key, offset: picture.yOfAnchor(key) - this.top };
	}

	#wanted(content, height) {
		if (this.#state.top >= 0)
			return this.#state.top;
		if (this.#picture.anchor === "bottom")
			return content - height;
		return this.#picture.wantedTop?.(height) ?? 0;
	}

	#to(top) {
		if (Math.abs(top - this.top) >= 1)
			this.#element.scrollTop = top * this.#scale;
		this.#top = this.#state.top;
	}

	#scrolled() {
		const top = Math.round(this.top);

		if (top === this.#state.top)
			return;
		this.#top = top;
		this.keep(0);
		this.#state.set({ top });
	}
}
