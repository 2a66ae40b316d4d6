// SPDX-License-Identifier: GPL-2.0-or-later
//
// Handles the keys that work wherever the focus is. In text fields, only Escape works.
import { VIEWS } from "./state.js";

/**
 * app: {state, end, follow(direction), focusSearch(), showHelp(), escape(), nextTheme(),
 * nextPalette(), other(event)}. other() gets the keys for the picture.
 */
export function watchKeys(app) {
	const toggle = (name) => () => app.state.set({ [name]: !app.state[name] });
	const keys = {
		"0": () => app.state.set({ from: 0, to: app.end }),
		z: toggle("sleeps"), l: toggle("links"), i: toggle("icicle"),
		b: toggle("upward"),
		t: app.nextTheme, c: app.nextPalette,
		",": () => app.follow("previous"), ".": () => app.follow("next"),
		"[": () => app.follow("waker"), "]": () => app.follow("woken"),
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
		} else if (event.target === document.body || isForPicture(event)) {
			app.other(event);
		}
	});
}

/**
 * Returns whether a key is for the picture even if another element has the focus. The other element
 * uses arrow keys itself.
 */
function isForPicture(event) {
	return /^[wasdf]$/.test(event.key) && !isTyping(event.target) && !event.defaultPrevented;
}

/** Returns whether an element uses letter keys: a text field, or a list of options. */
export function isTyping(element) {
	return element instanceof HTMLInputElement ? element.type !== "checkbox"
						   : element instanceof HTMLSelectElement;
}
