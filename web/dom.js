// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes DOM elements. Children that are strings become text nodes, so no text from a recording is
// parsed as HTML.

/**
 * props: handlers ("onclick": a function), "class", "dataset" (an object), properties of the
 * element (value, checked, disabled, …) and attributes. A prop that is undefined or null is
 * ignored.
 */
export function el(tag, props, ...children) {
	const element = document.createElement(tag);

	for (const [name, value] of Object.entries(props ?? {}))
		if (value !== undefined && value !== null)
			setProp(element, name, value);
	element.append(...children.flat().filter((child) => child !== null && child !== undefined));
	return element;
}

function setProp(element, name, value) {
	if (name === "class")
		element.className = value;
	else if (name === "dataset")
		Object.assign(element.dataset, value);
	else if (typeof value === "function")
		element.addEventListener(name.slice(2), value);
	else if (typeof value === "boolean" || name === "value" || name === "style")
		assign(element, name, value);
	else
		element.setAttribute(name, value);
}

function assign(element, name, value) {
	if (name === "style")
		element.style.cssText = value;
	else if (name in element)
		element[name] = value;
	else
		element.setAttribute(name, String(value));
}

const REM_PX = 10;

/** Returns how many px of the page one px of a picture takes. */
export function pageScale() {
	return parseFloat(getComputedStyle(document.documentElement).fontSize) / REM_PX;
}

export function remOf(px) {
	return `${px / REM_PX}rem`;
}

export function button(text, title, onclick) {
	return el("button", { type: "button", title, onclick }, text);
}

/** Makes the button in the upper right corner of a panel or a dialog, which closes it. */
export function closeButton(onclick) {
	return el("button", {
		type: "button", class: "close", title: "Close (Esc)", "aria-label": "Close", onclick,
	}, "\u00d7");
}
