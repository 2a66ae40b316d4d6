// SPDX-License-Identifier: GPL-2.0-or-later
//
// The process running view: x time, y tasks; runs as bars, wakeups as lines, sleeps on demand.
//
// Refs: a span is its index, the name of a thread is rec.span.count + its index.
import { threadOf } from "../data/recording.js";
import { wakeupsOf } from "../data/wakeups.js";
import { countText, formatCount } from "../format.js";
import { describeCrowd, describeSpan, describeThread } from "./describe.js";
import {
	NAMES_WIDTH, layoutKernelLine, layoutName, layoutRow, projectionOf,
} from "./layout.js";
import { layoutLinks } from "./links.js";
import { INK } from "../scene.js";
import { orderOfProcesses } from "./order.js";
import { ROW_HEIGHT, didAnything, isAlive, rowsOf } from "./rows.js";
import { matchedTasks } from "./sums.js";

const NEIGHBOURS = 4;
const NOTE_PX = 60;

export function runningPicture(rec) {
	return new RunningPicture(rec);
}

class RunningPicture {
	id = "running";
	title = "Running view";
	axis = "time";
	side = NAMES_WIDTH;

	#rec;
	#wakeups;
	#order;
	#state;
	#query = null;
	#rows = { thread: [], rowOf: new Int32Array(0) };
	#rowsFor = "";
	#crowds = new Map();
	#links = { shown: 0, all: 0 };

	constructor(rec) {
		this.#rec = rec;
		this.#wakeups = wakeupsOf(rec);
	}

	update(state, query) {
		this.#state = state;
		this.#query = query;
		// Sorted by the process of interest, not by the current choice, so that rows stay
		// in place.
		this.#order ??= orderOfProcesses(this.#rec, this.#wakeups,
						 this.#rec.explained[0]?.process ?? 0);
		this.#updateRows(state);
	}

	#updateRows({ from, to, idle, process }) {
		const rec = this.#rec;
		const wanted = idle ? "all" : `${from} ${to} ${process}`;

		if (wanted === this.#rowsFor)
			return;
		this.#rowsFor = wanted;
		// Shows all threads of the selected process, even if they did nothing.
		this.#rows = rowsOf(rec, this.#order, (thread) => {
			const isChosen = rec.thread.process[thread] === process;

			return idle || (isChosen ? isAlive : didAnything)(rec, thread, from, to);
		});
	}

	height() {
		return this.#rows.thread.length * ROW_HEIGHT;
	}

	/** Makes the selected process visible, with some of its neighbours. */
	wantedTop() {
		const { firstThread } = this.#rec.process;
		const row = this.#rows.rowOf[firstThread[this.#state.process]] ?? -1;

		return Math.max((row - NEIGHBOURS) * ROW_HEIGHT, 0);
	}

	/** The thread that stays in place on the screen when rows appear and disappear. */
	anchorAt(y) {
		return this.#rows.thread[Math.floor(y / ROW_HEIGHT)] ?? -1;
	}

	/**
	 * Returns the position of that thread; if it has no row any more, that of its neighbour.
	 */
	yOfAnchor(thread) {
		for (let t = thread; t >= 0; t--)
			if (this.#rows.rowOf[t] >= 0)
				return this.#rows.rowOf[t] * ROW_HEIGHT;
		return 0;
	}

	layout(scene, view) {
		const rows = this.#rows;

		if (!rows.thread.length) {
			scene.text(NAMES_WIDTH + 12, NOTE_PX / 2, this.#emptyText(), INK.muted);
			return;
		}
		const first = Math.max(Math.floor(view.top / ROW_HEIGHT), 0);
		const end = Math.ceil((view.top + view.height) / ROW_HEIGHT);
		const last = Math.min(end, rows.thread.length) - 1;
		const yOf = (row) => row * ROW_HEIGHT - view.top;
		const options = this.#options();

		this.#crowds.clear();
		for (let row = first; row <= last; row++) {
			const thread = rows.thread[row];

			layoutRow(scene, this.#rec, thread, yOf(row), view, options);
			layoutName(scene, this.#rec, thread, yOf(row),
				   this.#rec.span.count + thread, options);
			layoutKernelLine(scene, this.#rec, rows, row, yOf(row), view.width);
		}
		this.#links = { shown: 0, all: 0 };
		if (this.#state.links) {
			const seen = { from: view.from, to: view.to, first, last };
			const place = { xOf: projectionOf(view).xOf, yOf, width: view.width };

			this.#links = layoutLinks(scene, this.#wakeups, rows, seen, place);
		}
	}

	#emptyText() {
		const { gap, thread } = this.#rec;
		const { from, to } = this.#state;

		if (!thread.count)
			return "No thread was recorded.";
		if (gap.from.some((begin, i) => begin < to && gap.to[i] > from))
			return "Nothing is known of this time: records were lost.";
		return "No thread ran in this range. 0 shows all of the recording.";
	}

	#options() {
		const query = this.#query;

		return {
			sleeps: this.#state.sleeps, process: this.#state.process,
			crowds: this.#crowds,
			marks: (label) => query !== null && query.test(label),
		};
	}

	describe(ref) {
		const rec = this.#rec;

		if (ref >= rec.span.count)
			return describeThread(rec, ref - rec.span.count, this.#state);
		const thread = threadOf(rec, ref);
		const end = this.#crowds.get(ref);

		return end ? describeCrowd(rec, thread, ref, end) : describeSpan(rec, thread, ref);
	}

	click(ref) {
		const { span, thread } = this.#rec;

		if (ref < span.count)
			return null;
		return { view: "flame", process: thread.process[ref - span.count] };
	}

	matched() {
		const { from, to } = this.#state;

		return this.#query &&
			matchedTasks(this.#rec, this.#rows.thread, this.#query, from, to);
	}

	/** The text of the line below the picture. */
	status() {
		const { shown, all } = this.#links;
		const threads = `${formatCount(this.#rows.thread.length)} of ` +
			`${formatCount(this.#rec.thread.count)} threads`;

		if (!this.#state.links)
			return threads;
		if (shown === all)
			return `${threads}, ${countText(all, "link")}`;
		return `${threads}, ${countText(shown, "link")} drawn ` +
			`(of ${formatCount(all)} of all rows in this time)`;
	}
}
