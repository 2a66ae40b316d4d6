// SPDX-License-Identifier: GPL-2.0-or-later
//
// Keys that work independently of the focus, except in text fields.
import { VIEWS } from "./state.js";

/**
 * app: {state, end, focusSearch(), showHelp(), escape(), nextTheme(), nextPalette(), other(event)};
 * other: for any other key while nothing has the focus.
 */
export function watchKeys(app) {
	const toggle = (name) => () => app.state.set({ [name]: !app.state[name] });
	const keys = {
		"0": () => app.state.set({ from: 0, to: app.end }),
		s: toggle("sleeps"), l: toggle("links"), i: toggle("icicle"),
		b: toggle("upward"),
		t: app.nextTheme, c: app.nextPalette,
		"/": app.focusSearch, "?": app.showHelp,
	};

	VIEWS.forEach((view, i) => {
		keys[i + 1] = () => app.state.set({ view });
	});
	addEventListener("keydown", (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (document.querySelector("dialog[open]"))
			return;
		if (event.key === "Escape")
			app.escape();
		else if (!isTyping(event.target) && keys[event.key]) {
			event.preventDefault();
			keys[event.key]();
		} else if (event.target === document.body) {
			app.other(event);
		}
	});
}

/** Returns whether the element uses keys to enter text or to choose. */
export function isTyping(element) {
	return element instanceof HTMLInputElement ? element.type !== "checkbox"
						   : element instanceof HTMLSelectElement;
}
