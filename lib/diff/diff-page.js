// SPDX-License-Identifier: GPL-2.0-or-later
//
// The page of a comparison is complete without this script, in light colors. The script follows the
// theme of the system until the user chooses the other theme. The script folds long tables. If a
// link searches in the flame graph, the script scrolls to the graph.
"use strict";
(() => {
	const root = document.documentElement;
	const prefersDark = matchMedia("(prefers-color-scheme: dark)");
	let chosen = null;

	function applyTheme() {
		root.dataset.theme = chosen ?? (prefersDark.matches ? "dark" : "light");
	}

	function foldTable(rest) {
		const count = rest.rows.length;
		const more = document.createElement("button");

		more.type = "button";
		more.className = "more";
		more.textContent = `show more (${count})`;
		more.title = "Show more rows of this table";
		more.addEventListener("click", () => {
			rest.hidden = false;
			more.remove();
		});
		rest.hidden = true;
		rest.closest("table").after(more);
	}

	prefersDark.addEventListener("change", applyTheme);
	applyTheme();
	addEventListener("DOMContentLoaded", () => {
		document.querySelector("#theme").addEventListener("click", () => {
			chosen = root.dataset.theme === "dark" ? "light" : "dark";
			applyTheme();
		});
		document.querySelectorAll("tbody.rest").forEach(foldTable);
		document.addEventListener("click", ({ target }) => {
			if (target.closest?.("a.frame"))
				document.querySelector(".graph").scrollIntoView();
		});
	});
})();
