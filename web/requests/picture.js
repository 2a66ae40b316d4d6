// SPDX-License-Identifier: GPL-2.0-or-later
//
// Shows the requests of the selected row of the table as points. x is the time of arrival. y is the
// duration on a logarithmic scale, with slow requests at the top.
//
// The ref of a point is its index.
import { POINT_FLAG } from "../data/recording.js";
import { evidenceRef } from "../flame/evidence.js";
import { atText, taskText } from "../flame/words.js";
import { countText, formatCount, formatNs } from "../format.js";
import { NAMES_WIDTH } from "../scale.js";
import { INK } from "../scene.js";
import { TOP_AT_CHOSEN } from "../state.js";
import { isWithinPaths, ownPathOf } from "./compare.js";
import { groupOfSpan, isThinned, pointsOfRow, spanOfGroup } from "./points.js";

const PLOT_EDGE_PX = 10;
const POINT_PX = 4;
const SLOW_PX = 6;
/**
 * When the page goes to a request, it shows this margin on both sides of the request: a share of
 * the duration, but at least BESIDE_MIN_NS.
 */
const BESIDE = 0.1;
const BESIDE_MIN_NS = 2000;

export function requestsPicture(rec) {
	return new RequestsPicture(rec);
}

/**
 * Returns the change of the state that shows a request: in the flame view, or in the running view
 * if the request has no path.
 */
export function placeOfRequest(rec, state, { at, ns, thread }) {
	const margin = Math.max(ns * BESIDE, BESIDE_MIN_NS);
	const range = { from: at - margin, to: at + ns + margin };

	if (thread < 0)
		return { view: "running", ...range };
	const process = rec.thread.process[thread];
	const explained = rec.explained[rec.process.explained[process]];

	if (!explained || !ownPathOf(rec, thread) || !isWithinPaths(rec, at, ns))
		return { view: "running", process, ...range };
	return {
		view: "flame", process, ...range, top: TOP_AT_CHOSEN,
		chosen: evidenceRef(rec, explained, state, { at, ns, thread }),
	};
}

class RequestsPicture {
	id = "requests";
	title = "Requests";
	axis = "time";
	side = NAMES_WIDTH;
	fills = true;

	#rec;
	#state;
	#points = { shown: 0, slow: 0 };
	#scaleOf = { row: -1, low: 0, high: 1 };

	constructor(rec) {
		this.#rec = rec;
	}

	update(state) {
		this.#state = state;
	}

	get #row() {
		return this.#rec.requests.rows[this.#state.row];
	}

	/** The picture always has the height of the stage, so it does not scroll. */
	height() {
		return 0;
	}

	/** The scale extends to the powers of ten around all points of the row. */
	#scale() {
		const { row } = this.#state;

		if (this.#scaleOf.row !== row) {
			const [first, end] = pointsOfRow(this.#rec, row);
			let least = Infinity, most = 0;

			for (let i = first; i < end; i++) {
				const ns = Math.max(this.#rec.point.ns[i], 1);

				least = Math.min(least, ns);
				most = Math.max(most, ns);
			}
			const low = most ? Math.floor(Math.log10(least)) : 3;
			const high = most ? Math.ceil(Math.log10(most)) : 6;

			this.#scaleOf = { row, low, high: Math.max(high, low + 1) };
		}
		return this.#scaleOf;
	}

	layout(scene, view) {
		const { low, high } = this.#scale();
		const bottom = Math.max(view.height - PLOT_EDGE_PX, 2 * PLOT_EDGE_PX);
		const plot = Math.max(view.width - NAMES_WIDTH, 1);
		const place = {
			xOf: (t) => NAMES_WIDTH + (t - view.from) / (view.to - view.from) * plot,
			yOf: (ns) => bottom - (Math.log10(Math.max(ns, 1)) - low) / (high - low) *
				(bottom - PLOT_EDGE_PX),
			bottom, width: view.width,
		};

		this.#layoutGroups(scene, place);
		for (let power = low; power <= high; power++) {
			const y = place.yOf(10 ** power);

			scene.line(NAMES_WIDTH, y, view.width, y, INK.grid);
			scene.text(NAMES_WIDTH - 8, y, powerText(power), INK.muted, "right");
		}
		this.#layoutPoints(scene, view, place);
	}

	#layoutGroups(scene, { xOf, bottom, width }) {
		const { groupA, groupB } = this.#state;

		for (const [name, group] of [["A", groupA], ["B", groupB]]) {
			const span = spanOfGroup(group);

			if (!span)
				continue;
			const left = Math.max(xOf(span.from), NAMES_WIDTH);
			const right = Math.min(xOf(span.to), width);

			if (right <= left)
				continue;
			scene.box(left, 0, right - left, bottom + PLOT_EDGE_PX, INK.faint);
			scene.text(left + 4, PLOT_EDGE_PX, name, INK.muted);
		}
	}

	#layoutPoints(scene, { from, to }, { xOf, yOf }) {
		const { at, ns } = this.#rec.point;
		const [first, end] = pointsOfRow(this.#rec, this.#state.row);
		const slowFrom = this.#row?.slow_from ?? Infinity;
		const slow = [];
		const put = (i, size, ink) => {
			const x = xOf(at[i]) - size / 2, y = yOf(ns[i]) - size / 2;

			scene.box(x, y, size, size, ink, i);
		};

		this.#points = { shown: 0, slow: 0 };
		for (let i = first; i < end; i++) {
			if (at[i] < from || at[i] > to)
				continue;
			this.#points.shown++;
			if (ns[i] >= slowFrom)
				slow.push(i);
			else
				put(i, POINT_PX, INK.request);
		}
		this.#points.slow = slow.length;
		for (const i of slow)
			put(i, SLOW_PX, INK.slowRequest);
	}

	describe(ref) {
		const { at, ns, thread, flags } = this.#rec.point;
		const task = thread[ref] ? taskText(this.#rec, thread[ref] - 1) : "unknown";
		const isCall = this.#row?.call;
		const [by, one] = isCall ? ["called by", "call"] : ["answered by", "request"];

		return {
			title: `${one} of ${formatNs(ns[ref])}`,
			rows: [
				["at", atText(this.#rec, at[ref])], [by, task],
				...flags[ref] & POINT_FLAG.more
					? [["", "more data came before the answer"]] : [],
				["", "a click shows what happened in it"],
			],
			stacks: [],
		};
	}

	click(ref) {
		const { at, ns, thread } = this.#rec.point;

		return placeOfRequest(this.#rec, this.#state,
				      { at: at[ref], ns: ns[ref], thread: thread[ref] - 1 });
	}

	/**
	 * The first selected span becomes group A, compared with "typical"; the second span becomes
	 * group B.
	 */
	mark(from, to) {
		const { groupA, groupB } = this.#state;
		const group = groupOfSpan(from, to);
		const isSecond = spanOfGroup(groupA) && !spanOfGroup(groupB);

		return isSecond ? { groupB: group } : { groupA: group, groupB: "typical" };
	}

	matched() {
		return null;
	}

	status() {
		const { shown, slow } = this.#points;
		const row = this.#row;

		if (!row)
			return "";
		const what = row.call ? "call" : "request";
		const seen = `${formatCount(slow)} slow`;

		if (!isThinned(row))
			return `${countText(shown, what)} here, ${seen}`;
		return `${countText(shown, "point")} here, ${seen} (of ${formatCount(row.count)} ` +
			`${what}s ${formatCount(row.points)} are points)`;
	}
}

/** Returns the time of 10^power ns as text: "1 µs" for 3, "10 µs" for 4. */
function powerText(power) {
	const units = ["ns", "µs", "ms", "s"];
	const unit = Math.min(Math.floor(power / 3), units.length - 1);

	return `${10 ** (power - 3 * unit)} ${units[unit]}`;
}
