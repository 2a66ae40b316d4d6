// SPDX-License-Identifier: GPL-2.0-or-later
//
// The state of the page: what is shown, and how. Every picture, panel and strip is a function of
// this state. The fragment of the URL contains the state, so a link shows the same view.

/** A shorter range would show nothing more. With this limit, doubles are exact. */
export const RANGE_MIN_NS = 100;

/** The margin on both sides of the requested span, as a share of the span. */
const ASKED_MARGIN = 0.02;

export const VIEWS = ["running", "flame", "consolidated", "graphs", "calls", "utilization", "requests"];

/** Returns the views of a recording. Omits the view of requests if the recording has none. */
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

/** When one of these changes, the selection and the scroll position become invalid. */
const OTHER_PICTURE = [
	"view", "process", "graph", "detail", "drilled", "frames", "all", "icicle", "row", "func",
];

/**
 * A value of top. At the next frame, the page scrolls to the selected box, and replaces the value.
 */
export const TOP_AT_CHOSEN = -2;

/**
 * Returns the initial state.
 *
 * process: an index into rec.process. from, to: the range, in ns since the base. query: the search.
 *
 * detail: the frames of pseudo-stacks: all, those of user space, or only names. drilled: names whose
 * frames are shown anyway, one per line. graph: the kind of flame graph. frames: the detail of its
 * stacks. all: it shows all processes. icicle: the root is at the top. func: the selected function
 * of the call graph, or "". upward: the tree of the call graph shows callers.
 *
 * sleeps, links, idle: the running view shows sleeps, all links, idle threads. Without links, the
 * links of the hovered and the selected box are shown anyway. open: names whose processes do not
 * share rows, one per line. row: the row of the table of requests. groupA, groupB: the compared
 * groups of its requests (requests/points.js). chosen: the ref of the selected box, or -1. top: the
 * scroll position, or -1 to let the picture choose it.
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

/** Returns the requested span with a small margin. The recording may be longer. */
export function askedRange({ meta, end }) {
	const margin = (meta.until - meta.since) * ASKED_MARGIN;

	if (!(margin > 0))
		return { from: 0, to: end };
	return { from: Math.max(meta.since - margin, 0), to: Math.min(meta.until + margin, end) };
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
	 * Calls fn(changed) after each change. changed: a Set with the names of the changed
	 * properties.
	 */
	subscribe(fn) {
		this.#listeners.push(fn);
	}

	/** Ignores invalid values. Calls the listeners if a value has changed. */
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

	/** "view=flame&from=12&…": the values that differ from the initial values. */
	fragment() {
		const params = new URLSearchParams();

		for (const [name, value] of Object.entries(this.#defaults))
			if (this[name] !== value)
				params.set(name, value === Boolean(value) ? Number(this[name])
									  : this[name]);
		return params.toString();
	}

	/**
	 * Applies a fragment. Values that the fragment does not contain get their initial values.
	 */
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

/** Moves a range into 0..end. Reduces its width only if the range is longer than that. */
export function rangeWithin(from, to, end) {
	const width = Math.min(Math.max(to - from, RANGE_MIN_NS), Math.max(end, RANGE_MIN_NS));
	const start = Math.min(Math.max(Math.round(from), 0), Math.max(Math.round(end - width), 0));

	return { from: start, to: start + Math.round(width) };
}

/**
 * Returns the range of the state if a span of time overlaps it. Otherwise, returns a range around
 * the span that is at least as wide as the old one.
 */
export function rangeAround(state, from, to, end) {
	const width = Math.max(state.to - state.from, to - from);
	const isSeen = from < state.to && to > state.from;

	return isSeen ? { from: state.from, to: state.to }
		      : rangeWithin((from + to - width) / 2, (from + to + width) / 2, end);
}

/**
 * Converts a typed text to a RegExp; null if it is empty. If the text is not a valid regular
 * expression, the search is literal.
 */
export function queryOf(text) {
	if (!text)
		return null;
	try {
		return new RegExp(text, "i");
	} catch {
		return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
	}
}
