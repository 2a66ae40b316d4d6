// SPDX-License-Identifier: GPL-2.0-or-later
//
// The state's theme and palette -> the palette to paint with, and the style sheet's variables.
import { applyPalette, paletteOf } from "./palette.js";

const THEMES = ["auto", "light", "dark"];

export class Theme {
	#state;
	#dark = matchMedia("(prefers-color-scheme: dark)");

	/** changed(): called when the system's preference has changed. */
	constructor(state, changed) {
		this.#state = state;
		this.#dark.addEventListener("change", changed);
		this.apply();
	}

	apply() {
		const { theme, palette } = this.#state;
		const name = theme === "auto" ? (this.#dark.matches ? "dark" : "light") : theme;

		this.palette = paletteOf(name, palette);
		document.documentElement.dataset.theme = name;
		applyPalette(this.palette, document.documentElement.style);
	}

	nextTheme() {
		const next = (THEMES.indexOf(this.#state.theme) + 1) % THEMES.length;

		this.#state.set({ theme: THEMES[next] });
	}

	nextPalette() {
		this.#state.set({ palette: this.#state.palette === "usual" ? "blind" : "usual" });
	}
}
