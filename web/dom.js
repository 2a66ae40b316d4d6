// SPDX-License-Identifier: GPL-2.0-or-later
//
// Descriptions -> elements. Children that are strings become text: nothing that comes from a
// recording is ever read as HTML.

/**
 * props: handlers ("onclick": a function), "class", "dataset" (an object), properties of the
 * element (value, checked, disabled, …) and attributes. Props with the value undefined or null are
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

/** The number of px in a picture that make one rem. */
const REM_PX = 10;

/**
 * Returns the size of one px of a picture in px of the page. On large screens, everything grows
 * with the window.
 */
export function pageScale() {
	return parseFloat(getComputedStyle(document.documentElement).fontSize) / REM_PX;
}

/** Converts a length in a picture to a CSS length. */
export function remOf(px) {
	return `${px / REM_PX}rem`;
}

/** A button. Its title contains its function and its key. */
export function button(text, title, onclick) {
	return el("button", { type: "button", title, onclick }, text);
}
