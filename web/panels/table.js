// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes the parts that the panels' tables have in common.
import { el } from "../dom.js";
import { formatNs } from "../format.js";
import { INKS } from "../scene.js";

/** The attribute data-ns contains the exact value, for tests and programs. */
export function timeCell(ns) {
	return el("td", { class: "number", dataset: { ns: String(Math.round(ns)) } }, formatNs(ns));
}

export function numberCell(text) {
	return el("td", { class: "number" }, text);
}

export function swatch(ink) {
	return el("span", { class: "swatch", style: `background: var(--ink-${INKS[ink]})` });
}

/** heads: [[text, title, class], …]. */
export function headRow(heads) {
	return el("thead", null, el("tr", null, heads.map(([text, title, kind]) =>
		el("th", { scope: "col", title, class: kind }, text))));
}

export function actionRow(title, act, ...cells) {
	const onkeydown = (event) => {
		if (event.key !== "Enter" && event.key !== " ")
			return;
		event.preventDefault();
		act();
	};

	const onclick = () => {
		// A click that ends a selection of text does not call act(): the user wants to
		// copy.
		if (getSelection().isCollapsed)
			act();
	};

	return el("tr", { class: "action", tabindex: "0", title, onclick, onkeydown }, ...cells);
}

/**
 * A click or Enter on a head calls onSort(key) with the key of its column. columns: [{key, head,
 * title, isText}, …]; sort: {key, ascending}.
 */
export function sortingHead(columns, sort, onSort) {
	return el("thead", null, el("tr", null, columns.map(({ key, head, title, isText }) => {
		const chosen = key === sort.key;
		const order = sort.ascending ? "ascending" : "descending";
		const mark = !chosen ? "" : sort.ascending ? " ▲" : " ▼";

		return el("th", { scope: "col", title, "aria-sort": chosen ? order : "none",
				  class: key === "name" || isText ? undefined : "number" },
			  el("button", {
				  type: "button", class: "sort", dataset: { focus: `sort ${key}` },
				  onclick: () => onSort(key),
			  }, head + mark));
	})));
}

/**
 * If the focused element had an attribute data-focus, the new element with the same value of
 * data-focus gets the focus.
 */
export function renderKeepingFocus(element, content) {
	const focus = element.contains(document.activeElement)
		? document.activeElement.dataset.focus : undefined;

	element.replaceChildren(...content);
	if (focus !== undefined)
		[...element.querySelectorAll("[data-focus]")]
			.find((one) => one.dataset.focus === focus)?.focus({ preventScroll: true });
}
