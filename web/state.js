// SPDX-License-Identifier: GPL-2.0-or-later
//
// The state of the page. The fragment of the URL contains the state, so a link leads to the same
// view.

export const RANGE_MIN_NS = 100;

/** The margin on both sides of the requested span, as a share of the span. */
const ASKED_MARGIN = 0.02;

export const VIEWS = ["running", "flame", "consolidated", "graphs", "calls", "utilization", "requests"];

export function viewsOf(rec) {
	return VIEWS.filter((view) => view !== "requests" || rec.requests.rows.length);
}

const CHOICES = {
	view: VIEWS,
	graph: ["cpu", "off", "hot", "wakeup"],
	detail: ["all", "user", "names"],
	frames: ["all", "user", "names"],
	theme: ["auto", "light", "dark"],
	palette: ["usual", "blind"],
};

/** A change of one of these properties makes the selection and the scroll position invalid. */
const OTHER_PICTURE = [
	"view", "process", "graph", "detail", "drilled", "frames", "all", "icicle", "row", "func",
];

/** A value of "top": the next frame scrolls to the selected box, and replaces this value. */
export const TOP_AT_CHOSEN = -2;

/**
 * Returns the initial state.
 *
 * process: an index into rec.process. from, to: the range, in ns since meta.base_ns. query: the
 * text of the search.
 *
 * detail: the shown frames of pseudo-stacks: "all", "user" or "names" (flame/rows.js). drilled:
 * names whose frames are shown even with "names", one per line. graph: the kind of flame graph.
 * frames: the detail of the flame graph's stacks. all: the graph is about all processes. icicle:
 * the root is at the top. func: the selected function of the call graph, or "". upward: the tree of
 * the call graph shows callers.
 *
 * sleeps, links, idle: the running view shows sleeps, all links, idle threads. open: names whose
 * processes do not share rows, one per line. row: the selected row of the table of requests.
 * groupA, groupB: the groups of requests to compare (requests/points.js). chosen: the ref of the
 * selected box, or -1. top: the scroll position, or -1 if the picture chooses it.
 */
function defaults(rec) {
	const target = rec.explained[rec.meta.target] ?? rec.explained[0];

	return {
		view: "running", ...askedRange(rec), process: target ? target.process : 0,
		detail: "names", drilled: "", graph: "cpu", frames: "user", all: false,
		icicle: false, func: "", upward: false,
		sleeps: false, links: false, idle: false, open: "", query: "", chosen: -1,
		row: rec.requests.comparison?.row ?? 0, groupA: "slow", groupB: "typical",
		top: -1, theme: "auto", palette: "usual",
	};
}

/** Returns the requested span with a small margin. */
export function askedRange({ meta, end }) {
	const margin = (meta.until - meta.since) * ASKED_MARGIN;

	if (!(margin > 0))
		return { from: 0, to: end };
	return rangeWithin(Math.max(meta.since - margin, 0), Math.min(meta.until + margin, end), end);
}

export class State {
	#rec;
	#defaults;
	#listeners = [];

	constructor(rec) {
		this.#rec = rec;
		this.#defaults = defaults(rec);
		Object.assign(this, this.#defaults);
	}

	/**
	 * Calls fn(changed) after each change. changed: a Set of the names of the changed
	 * properties.
	 */
	subscribe(fn) {
		this.#listeners.push(fn);
	}

	/** Ignores invalid values. */
	set(change) {
		const changed = new Set();
		const isOther = OTHER_PICTURE.some((name) =>
			name in change && change[name] !== this[name]);
		const all = isOther ? { chosen: -1, top: -1, ...change } : change;

		for (const [name, value] of Object.entries(this.#sensible(all)))
			if (this[name] !== value) {
				this[name] = value;
				changed.add(name);
			}
		if (changed.size)
			for (const listener of this.#listeners)
				listener(changed);
	}

	/** Returns the values that differ from the initial ones, such as "view=flame&from=12". */
	fragment() {
		const params = new URLSearchParams();

		for (const [name, value] of Object.entries(this.#defaults))
			if (this[name] !== value)
				params.set(name, value === Boolean(value) ? Number(this[name])
									  : this[name]);
		return params.toString();
	}

	/** Sets the values in a fragment, and all other values to their initial ones. */
	setFragment(fragment) {
		const change = { ...this.#defaults };

		for (const [name, text] of new URLSearchParams(fragment.replace(/^#/, "")))
			if (Object.hasOwn(change, name))
				change[name] = valueLike(this.#defaults[name], text);
		this.set(change);
	}

	#sensible(change) {
		const result = {};

		for (const [name, value] of Object.entries(change))
			if (this.#isSensible(name, value))
				result[name] = value;
		if ("from" in result || "to" in result)
			Object.assign(result, rangeWithin(result.from ?? this.from,
							  result.to ?? this.to, this.#rec.end));
		return result;
	}

	#isSensible(name, value) {
		if (typeof value !== typeof this.#defaults[name])
			return false;
		if (name === "process")
			return Number.isInteger(value) && value >= 0 &&
				value < this.#rec.process.count;
		if (name === "view")
			return viewsOf(this.#rec).includes(value);
		if (name === "row")
			return Number.isInteger(value) && value >= 0 &&
				value < Math.max(this.#rec.requests.rows.length, 1);
		if (typeof value === "number")
			return Number.isFinite(value);
		return CHOICES[name]?.includes(value) ?? true;
	}
}

function valueLike(example, text) {
	if (typeof example === "number")
		return text === "" ? NaN : Number(text);
	return typeof example === "boolean" ? text === "1" : text;
}

/** Returns the range moved into 0..end. */
export function rangeWithin(from, to, end) {
	const width = Math.min(Math.max(to - from, RANGE_MIN_NS), Math.max(end, RANGE_MIN_NS));
	const start = Math.min(Math.max(Math.round(from), 0), Math.max(Math.round(end - width), 0));

	return { from: start, to: start + Math.round(width) };
}

/**
 * Returns the range of the state if it overlaps the span from..to. Otherwise, returns a range
 * around the span that is at least as wide as the range of the state.
 */
export function rangeAround(state, from, to, end) {
	const width = Math.max(state.to - state.from, to - from);
	const isSeen = from < state.to && to > state.from;

	return isSeen ? { from: state.from, to: state.to }
		      : rangeWithin((from + to - width) / 2, (from + to + width) / 2, end);
}

/** A text that is not a valid regular expression is searched literally. */
export function queryOf(text) {
	if (!text)
		return null;
	try {
		return new RegExp(text, "i");
	} catch {
		return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
	}
}
