// SPDX-License-Identifier: GPL-2.0-or-later
//
// Selects the palette by the theme and the colours in the state, and sets the CSS variables.
import { applyPalette, paletteOf } from "./palette.js";

export class Theme {
	#state;
	#dark = matchMedia("(prefers-color-scheme: dark)");

	/** changed(): called when the system switches between light and dark. */
	constructor(state, changed) {
		this.#state = state;
		this.#dark.addEventListener("change", changed);
		this.apply();
	}

	apply() {
		const name = this.#name;

		this.palette = paletteOf(name, this.#state.palette);
		document.documentElement.dataset.theme = name;
		applyPalette(this.palette, document.documentElement.style);
	}

	get #systems() {
		return this.#dark.matches ? "dark" : "light";
	}

	get #name() {
		return this.#state.theme === "auto" ? this.#systems : this.#state.theme;
	}

	/** If the new theme is that of the system, the page follows the system from then on. */
	nextTheme() {
		const other = this.#name === "dark" ? "light" : "dark";

		this.#state.set({ theme: other === this.#systems ? "auto" : other });
	}

	nextPalette() {
		this.#state.set({ palette: this.#state.palette === "usual" ? "blind" : "usual" });
	}
}
