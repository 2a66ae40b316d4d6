// SPDX-License-Identifier: GPL-2.0-or-later
//
// Zoom and search in a flame graph. Without this script, the picture is complete but static. Names
// may contain any characters, so the script writes them only as text, never as markup.
"use strict";
(() => {
	const NS = "http://www.w3.org/2000/svg", XHTML = "http://www.w3.org/1999/xhtml";
	const LEVEL_PX = 17, MARGIN_PX = 10, COLUMN_PX = 7.25, LABEL_PX = 3; // as in svg.c
	const NARROWEST_PX = 0.1, GAP_PX = 0.5;
	const svg = document.currentScript.ownerSVGElement ?? document.documentElement;
	const { unit, top: topPx, levels } = svg.dataset;
	const heightPx = Number(svg.getAttribute("height"));
	const isPart = svg !== document.documentElement; // part of an HTML page
	const boxes = Array.from(svg.querySelectorAll(".f"), boxOf);
	const all = boxes[0];
	const state = { zoom: all, query: "", inverted: svg.dataset.inverted === "1" };

	if (!all)
		return;

	function boxOf(g) {
		const { b, w, d } = g.dataset;
		const tip = g.querySelector("title").textContent;

		return { g, rect: g.querySelector("rect"), text: g.querySelector("text"), tip,
			 name: tip.split("\n", 1)[0], begin: Number(b), end: Number(b) + Number(w),
			 weight: Number(w), depth: Number(d) };
	}

	/* --- controls ------------------------------------------------------------------------ */

	function element(name, className, attributes = {}, namespace = NS) {
		const one = document.createElementNS(namespace, name);

		one.setAttribute("class", className);
		for (const [key, value] of Object.entries(attributes))
			one.setAttribute(key, value);
		return svg.appendChild(one);
	}

	function control(label, x, fn) {
		const one = element("text", "control", { x, y: 24, role: "button", tabindex: 0 });

		one.textContent = label;
		one.addEventListener("click", fn);
		one.addEventListener("keydown", (event) => event.key === "Enter" && fn());
		return one;
	}

	const reset = control("Reset zoom", MARGIN_PX, () => zoomTo(all));

	control("Invert", MARGIN_PX + 100, () => go({ inverted: !state.inverted }));
	const found = element("text", "matched", { y: 42, "text-anchor": "end" });
	const details = element("text", "details", { x: MARGIN_PX });
	const holder = element("foreignObject", "search", { y: 8, width: 220, height: 24 });
	const input = document.createElementNS(XHTML, "input");

	input.setAttribute("type", "search");
	input.setAttribute("placeholder", "Search (Ctrl-F)");
	input.setAttribute("title", "Marks the names that match a regular expression");
	input.setAttribute("style", "width: 100%; height: 22px; " +
		"padding: 0 4px; box-sizing: border-box; font: 12px monospace");
	holder.append(input);

	/* --- state, kept in the URL, so that a link shows the same picture ----------------- */

	function hashOf({ zoom, query, inverted }) {
		const hash = new URLSearchParams();

		if (zoom !== all)
			hash.set("zoom", boxes.indexOf(zoom));
		if (query)
			hash.set("search", query);
		if (inverted !== (svg.dataset.inverted === "1"))
			hash.set("inverted", inverted ? 1 : 0);
		return `#${hash}`;
	}

	function readHash() {
		const hash = new URLSearchParams(location.hash.slice(1));
		const inverted = hash.get("inverted") ?? svg.dataset.inverted;

		state.zoom = boxes[Number(hash.get("zoom") ?? 0)] ?? all;
		state.query = hash.get("search") ?? "";
		state.inverted = inverted === "1";
		if (document.activeElement !== input)
			input.value = state.query;
		show();
	}

	/*
	 * Changes the zoom, the search or the direction. The browser's Back button undoes the
	 * change, unless keepsHistory is false.
	 */
	function go(change, { keepsHistory = true } = {}) {
		const hash = hashOf({ ...state, ...change });

		if (keepsHistory)
			location.hash = hash;
		else
			location.replace(hash);
	}

	function zoomTo(zoom) {
		if (zoom !== state.zoom)
			go({ zoom });
	}

	/* --- the picture ---------------------------------------------------------------------- */

	/*
	 * Returns the number of CSS pixels per pixel of the picture. In an HTML page, 10 pixels of
	 * the picture are one rem.
	 */
	function scaleOf() {
		return isPart
			? parseFloat(getComputedStyle(document.documentElement).fontSize) / 10 : 1;
	}

	function show() {
		const room = isPart ? svg.parentElement.clientWidth
				    : document.documentElement.clientWidth || innerWidth;
		const scale = scaleOf();
		const width = Math.max(room / scale, 400), height = heightPx;
		const regex = regexOf(state.query);

		svg.setAttribute("width", width * scale);
		svg.setAttribute("height", height * scale);
		svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
		for (const one of svg.querySelectorAll(".title, .subtitle, .warning"))
			one.setAttribute("x", width / 2);
		for (const box of boxes)
			place(box, width - 2 * MARGIN_PX, regex);
		reset.classList.toggle("hidden", state.zoom === all);
		holder.setAttribute("x", width - 220 - MARGIN_PX);
		found.setAttribute("x", width - MARGIN_PX);
		found.textContent = regex ? foundText(regex) : "";
		details.setAttribute("y", height - 8);
	}

	function place({ g, rect, text, name, begin, end, weight, depth }, room, regex) {
		const { zoom } = state;
		const isAbove = depth < zoom.depth && begin <= zoom.begin && end >= zoom.end;
		const isWithin = depth >= zoom.depth && begin >= zoom.begin && end <= zoom.end;
		const scale = room / zoom.weight;
		const width = isAbove ? room : weight * scale;

		g.classList.toggle("hidden", !isAbove && !(isWithin && width >= NARROWEST_PX));
		if (!isAbove && !isWithin)
			return;
		const x = MARGIN_PX + (isAbove ? 0 : (begin - zoom.begin) * scale);
		const level = state.inverted ? depth : levels - 1 - depth;
		const y = Number(topPx) + level * LEVEL_PX;

		g.classList.toggle("above", isAbove);
		g.classList.toggle("found", depth > 0 && Boolean(regex?.test(name)));
		rect.setAttribute("x", x);
		rect.setAttribute("y", y);
		rect.setAttribute("width", width > 6 * GAP_PX ? width - GAP_PX : width);
		label(g, text, name, x + LABEL_PX, y + 12, width);
	}

	function label(g, old, name, x, y, width) {
		const characters = Array.from(name);
		const columns = Math.floor((width - 2 * LABEL_PX) / COLUMN_PX);
		const text = old ?? g.querySelector("text") ??
			(columns < 3 ? null : g.appendChild(document.createElementNS(NS, "text")));

		if (!text)
			return;
		text.setAttribute("x", x);
		text.setAttribute("y", y);
		text.textContent = columns < 3 ? "" :
			columns >= characters.length ? name
						     : `${characters.slice(0, columns - 1).join("")}…`;
	}

	/* --- search --------------------------------------------------------------------------- */

	/*
	 * Returns the regular expression of a query. If the query is not a valid expression,
	 * searches for its text.
	 */
	function regexOf(query) {
		if (!query)
			return null;
		try {
			return new RegExp(query, "i");
		} catch {
			return new RegExp(query.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
		}
	}

	/*
	 * Returns text about the boxes that match. If several frames of a stack match, their width
	 * counts once.
	 */
	function foundText(regex) {
		let sum = 0, end = 0, count = 0;

		for (const box of boxes) { // boxes are sorted from left to right, callers first
			if (box.depth === 0 || !regex.test(box.name))
				continue;
			count++;
			if (box.begin >= end) {
				sum += box.weight;
				end = box.end;
			}
		}
		return `${count} found: ${amount(sum)}, ${share(sum, all.weight)}`;
	}

	function share(part, whole) {
		const percent = 100 * part / whole;

		return part > 0 && percent < 0.1 ? "<0.1 %" : `${percent.toFixed(1)} %`;
	}

	function amount(value) {
		const steps = unit === "ns" ? [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]]
			: unit === "bytes" ? [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]] : [];

		for (const [size, name] of steps)
			if (value >= size)
				return `${(value / size).toPrecision(3)} ${name}`;
		return `${value} ${unit === "bytes" ? "B" : unit}`;
	}

	/* --- events --------------------------------------------------------------------------- */

	function boxAt(event) {
		const g = event.target.closest?.(".f");

		return g ? boxes.find((box) => box.g === g) : null;
	}

	function onKey(event) {
		const inInput = event.target === input;

		if ((event.ctrlKey && event.key === "f" && !inInput) || (event.key === "/" && !inInput)) {
			event.preventDefault();
			input.focus();
			input.select();
		} else if (event.key === "Escape" && (inInput || state.query)) {
			input.value = "";
			input.blur();
			go({ query: "" }, { keepsHistory: false });
		} else if (event.key === "Escape") {
			zoomTo(all);
		}
	}

	svg.addEventListener("click", (event) => {
		const box = boxAt(event);

		if (box)
			zoomTo(box);
	});
	svg.addEventListener("mouseover", (event) => {
		details.textContent = boxAt(event)?.tip.replaceAll("\n", "  ·  ") ?? "";
	});
	input.addEventListener("input", () => go({ query: input.value }, { keepsHistory: false }));
	addEventListener("keydown", onKey);
	addEventListener("hashchange", readHash);
	addEventListener("resize", show);
	readHash();
	// Scrolls to the root, which is at the bottom: a tall graph may not fit into the window.
	if (!state.inverted && !isPart)
		scrollTo(0, document.documentElement.scrollHeight);
})();
