// SPDX-License-Identifier: GPL-2.0-or-later
//
// Builds the page of a recording. The parts of the page do not refer to one another: this file
// updates them when the state (state.js) changes.
import { ProcessChooser } from "./chooser.js";
import { consolidatedPicture } from "./consolidated/picture.js";
import { el } from "./dom.js";
import { exportPng, exportSvg } from "./export.js";
import { flamePicture } from "./flame/picture.js";
import { graphPicture } from "./graphs/picture.js";
import { headerOf, recordedText } from "./header.js";
import { helpDialog } from "./help.js";
import { History } from "./history.js";
import { isTyping, watchKeys } from "./keys.js";
import { callsPanel } from "./panels/calls.js";
import { categoriesPanel } from "./panels/categories.js";
import { findingsPanel } from "./panels/findings.js";
import { requestsPanel } from "./panels/requests.js";
import { utilizationPanel } from "./panels/utilization.js";
import { requestsPicture } from "./requests/picture.js";
import { runningPicture } from "./running/picture.js";
import { SearchBox } from "./search.js";
import { SidePanel } from "./side-panel.js";
import { Stage } from "./stage.js";
import { State, TOP_AT_CHOSEN, queryOf } from "./state.js";
import { StatusLine } from "./status.js";
import { StripsView } from "./strips-view.js";
import { Theme } from "./theme.js";
import { Toolbar } from "./toolbar.js";

/**
 * Sums and tables are slow to compute, so they are updated only when the range has not changed for
 * SETTLE_MS ms.
 */
const SETTLE_MS = 120;

const PICTURES = {
	running: runningPicture, flame: flamePicture, consolidated: consolidatedPicture,
	graphs: graphPicture, requests: requestsPicture,
};

/** UNSEARCHED: views without the search box. OF_PROCESSES: views of one process or of all. */
const UNSEARCHED = ["utilization", "requests"];
const OF_PROCESSES = ["graphs", "calls"];

export class App {
	#rec;
	#state;
	#pictures = new Map();
	#query = null;
	#timer = 0;
	#hasPainted = false;

	constructor(rec, root) {
		this.#rec = rec;
		this.#state = new State(rec);
		this.#makeParts();
		root.replaceChildren(...this.#elements(), this.help);
		document.title = `${recordedText(rec)} \u2013 RSP`;
		this.#state.subscribe((changed) => this.#changed(changed));
		this.#watchKeys();
		// A new screen resolution causes this event, although it changes the size of no
		// element.
		addEventListener("resize", () => this.#repaint());
		this.#update();
		this.#settled();
	}

	#makeParts() {
		const rec = this.#rec, state = this.#state;

		this.history = new History(state);
		this.theme = new Theme(state, () => this.#repaint());
		this.help = helpDialog();
		this.search = new SearchBox(state);
		this.chooser = new ProcessChooser(rec, state);
		this.toolbar = new Toolbar(rec, state, this.chooser.element);
		this.strips = new StripsView(rec, state, () => this.theme.palette);
		this.stage = new Stage(rec, state, {
			palette: () => this.theme.palette, painted: () => this.#painted(),
		});
		this.side = new SidePanel(state);
		this.status = new StatusLine(rec, state);
		this.findings = findingsPanel(rec, state);
		this.categories = categoriesPanel(rec, state);
		this.utilization = utilizationPanel(rec, state);
		this.requests = requestsPanel(rec, state);
		this.calls = callsPanel(rec, state);
	}

	#elements() {
		this.view = el("div", { id: "view", role: "tabpanel" },
			       this.stage.element, this.utilization.element, this.calls.element,
			       this.categories.element, this.requests.element,
			       this.side.element);
		return [
			headerOf(this.#rec, this.search.element, this.#actions()),
			el("main", null, this.findings.element, this.strips.element,
			   this.toolbar.element, this.view),
			this.status.element,
		];
	}

	#actions() {
		return [
			["Theme", "Light or dark (t)", () => this.theme.nextTheme()],
			["Palette", "Colours that the colour-blind can tell apart (c)",
			 () => this.theme.nextPalette()],
			["SVG", "Save the picture as SVG", () => this.#export(exportSvg)],
			["PNG", "Save the picture as PNG", () => this.#export(exportPng)],
			["Copy link", "Copy a link to what is seen",
			 (event) => this.#copyLink(event.target)],
			["Help", "Keys and colours (?)", () => this.help.showModal()],
		];
	}

	#watchKeys() {
		watchKeys({
			state: this.#state, end: this.#rec.end,
			follow: (direction) => this.#follow(direction),
			focusSearch: () => this.#focusSearch(),
			showHelp: () => this.help.showModal(),
			nextTheme: () => this.theme.nextTheme(),
			nextPalette: () => this.theme.nextPalette(),
			escape: () => this.#escape(),
			other: (event) => this.stage.key(event),
		});
	}

	#focusSearch() {
		if (this.#state.view !== "utilization")
			this.search.focus();
		else
			this.utilization.element.querySelector("input")?.focus();
	}

	/**
	 * Follows a link of the selected box; direction: "waker", "woken", "next" or "previous".
	 */
	#follow(direction) {
		const { chosen } = this.#state;
		const change = chosen < 0 ? null : this.#picture?.follow?.(chosen, direction);

		if (change)
			this.#state.set(change);
	}

	/** Handles Escape: each key press undoes only the first thing that applies. */
	#escape() {
		if (this.search.hasFocus)
			this.search.clear();
		else if (isTyping(document.activeElement))
			document.activeElement.blur();
		else if (this.#state.chosen >= 0)
			this.#state.set({ chosen: -1 });
		else if (this.#state.view === "calls" && this.#state.func)
			this.#state.set({ func: "" });
		else if (!this.search.clear() && !this.stage.unzoom())
			this.history.back();
	}

	get recording() {
		return this.#rec;
	}

	get state() {
		return this.#state;
	}

	/** Returns the last painted scene; undefined: the first picture is not painted yet. */
	scene() {
		return this.#hasPainted || !this.#picture ? this.stage.scene : undefined;
	}

	get #picture() {
		return this.#pictures.get(this.#state.view) ?? null;
	}

	#changed(changed) {
		if (changed.size === 1 && changed.has("top")) {
			this.stage.invalidate();
			return;
		}
		if (changed.has("theme") || changed.has("palette"))
			this.#repaint();
		const hasMoved = changed.has("from") || changed.has("to");

		// In a picture of sums (flame graph), a new range changes the widths of the boxes,
		// so the selected box is deselected.
		if (hasMoved && this.#picture?.axis === "weight" && !changed.has("chosen"))
			this.#state.set({ chosen: -1 });
		this.#update(hasMoved);
		// After a jump to a box, the stage gets the focus, so that keys act on the picture.
		if (changed.has("chosen") && this.#state.top === TOP_AT_CHOSEN)
			this.stage.element.focus({ preventScroll: true });
		clearTimeout(this.#timer);
		if (hasMoved)
			this.#timer = setTimeout(() => this.#settled(), SETTLE_MS);
		else
			this.#settled();
	}

	#repaint() {
		this.theme.apply();
		this.strips.paint();
		this.stage.invalidate();
	}

	/** Updates the fast parts, at once. */
	#update(hasMoved = false) {
		const { view, query, all } = this.#state;

		if (!this.#pictures.has(view) && PICTURES[view])
			this.#pictures.set(view, PICTURES[view](this.#rec));
		this.#query = queryOf(query);
		this.view.dataset.view = view;
		this.toolbar.update();
		this.chooser.update();
		this.strips.update();
		this.status.update();
		this.stage.element.hidden = !this.#picture;
		this.utilization.element.hidden = view !== "utilization";
		this.calls.element.hidden = view !== "calls";
		this.search.element.hidden = UNSEARCHED.includes(view);
		this.chooser.element.hidden = UNSEARCHED.includes(view) ||
			(OF_PROCESSES.includes(view) && all);
		this.categories.element.hidden = view !== "consolidated";
		this.requests.element.hidden = view !== "requests";
		if (this.#picture?.axis === "time" || !hasMoved)
			this.#updatePicture();
	}

	#updatePicture() {
		if (!this.#picture) {
			this.status.clear();
			this.side.update(null);
			return;
		}
		this.#picture.update(this.#state, this.#query);
		this.stage.show(this.#picture);
		this.side.update(this.#picture);
	}

	/** Updates the slow parts, when the range has settled. */
	#settled() {
		this.#updatePicture();
		this.findings.update();
		if (this.#state.view === "consolidated")
			this.categories.update();
		if (this.#state.view === "utilization")
			this.utilization.update();
		if (this.#state.view === "requests")
			this.requests.update();
		if (this.#state.view === "calls")
			this.calls.update(this.#query);
		this.search.update(this.#matched(), this.#whole());
	}

	#matched() {
		return this.#state.view === "calls" ? this.calls.matched()
						    : this.#picture?.matched() ?? null;
	}

	#whole() {
		return this.#picture?.axis === "weight" ? this.#picture.extent() : 0;
	}

	#painted() {
		this.#hasPainted = true;
		this.status.painted(this.#picture, this.stage.scene);
		// The side panel describes the box that this frame has drawn.
		this.side.update(this.#picture);
	}

	#export(save) {
		if (!this.#picture)
			return;
		const name = `${this.#rec.meta.id || "rsp"}-${this.#picture.id}`;

		save(this.stage, this.theme.palette, name);
	}

	/** A page that was opened from a file may have no access to the clipboard. */
	async #copyLink(from) {
		const link = this.history.link();
		const text = from.textContent;

		try {
			await navigator.clipboard.writeText(link);
			from.textContent = "Copied";
		} catch {
			from.textContent = "In the address bar";
		}
		setTimeout(() => {
			from.textContent = text;
		}, 1500);
	}
}
