// SPDX-License-Identifier: GPL-2.0-or-later
//
// The running view. x is the time. A row contains one thread, or several threads that lived at
// different times. Runs are bars, and wakeups are lines. Waits are only shown on demand.
//
// The ref of a span is its index. The ref of a thread's name is rec.span.count + the index of the
// thread. The ref of the name of a shared row is the ref of its first thread's name +
// rec.thread.count.
import { spanEnd, threadOf } from "../data/recording.js";
import { wakeupsOf } from "../data/wakeups.js";
import { countText, formatCount } from "../format.js";
import { describeSpans, describeRow, describeSpan, describeThread, shareLink } from "./describe.js";
import { followed, placeOfSpan, placeOfThread, placeOfWaker, waitBefore } from "./follow.js";
import { layoutKernelLine, layoutName, layoutThread, projectionOf } from "./layout.js";
import { layoutLinks, layoutLinksOf } from "./links.js";
import { hasName, namesIn, toggled } from "../name-list.js";
import { NAMES_WIDTH } from "../scale.js";
import { INK } from "../scene.js";
import { TOP_AT_CHOSEN, askedRange } from "../state.js";
import { orderOfProcesses } from "./order.js";
import { ROW_HEIGHT, wasActive, isAlive, rowsOf, threadsIn } from "./rows.js";
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
	#rows = { rows: [], rowOf: new Int32Array(0), count: 0 };
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
		// The order does not depend on the selected process, so that rows keep their
		// places.
		this.#order ??= orderOfProcesses(this.#rec, this.#wakeups,
						 this.#rec.explained[0]?.process ?? 0);
		this.#updateRows(state);
	}

	/**
	 * A thread has a row if it was active in the requested span or, if the visible range
	 * extends beyond this span, anywhere in the recording. So a zoom within the span does not
	 * change the rows. Threads of the selected process need only have existed at that time. If
	 * idle is set, all threads have rows.
	 */
	#updateRows({ from, to, idle, process, open }) {
		const rec = this.#rec;
		const asked = askedRange(rec);
		const isWithin = from >= asked.from && to <= asked.to;
		const range = isWithin ? asked : { from: 0, to: rec.end };
		const wanted = [range.from, idle || process, idle, open].join("\n");

		if (wanted === this.#rowsFor)
			return;
		this.#rowsFor = wanted;
		this.#rows = rowsOf(rec, this.#order, (thread) => {
			const isChosen = rec.thread.process[thread] === process;

			return idle || (isChosen ? isAlive : wasActive)(rec, thread, range.from, range.to);
		}, namesIn(open));
	}

	height() {
		return this.#rows.rows.length * ROW_HEIGHT;
	}

	/**
	 * Returns the scroll position at which the selected process and some of its neighbours are
	 * visible.
	 */
	wantedTop() {
		const { firstThread } = this.#rec.process;
		const row = this.#rows.rowOf[firstThread[this.#state.process]] ?? -1;

		return Math.max((row - NEIGHBOURS) * ROW_HEIGHT, 0);
	}

	/** Returns the first thread of the row at y, or -1. */
	anchorAt(y) {
		return this.#rows.rows[Math.floor(y / ROW_HEIGHT)]?.[0] ?? -1;
	}

	/** If the thread has no row any more, returns the y of the nearest thread before it. */
	yOfAnchor(thread) {
		for (let t = thread; t >= 0; t--)
			if (this.#rows.rowOf[t] >= 0)
				return this.#rows.rowOf[t] * ROW_HEIGHT;
		return 0;
	}

	/** view.focus: the refs of the hovered and the selected box. */
	layout(scene, view) {
		const { rows } = this.#rows;

		if (!rows.length) {
			scene.text(NAMES_WIDTH + 12, NOTE_PX / 2, this.#emptyText(), INK.muted);
			return;
		}
		const first = Math.max(Math.floor(view.top / ROW_HEIGHT), 0);
		const end = Math.ceil((view.top + view.height) / ROW_HEIGHT);
		const last = Math.min(end, rows.length) - 1;
		const yOf = (row) => row * ROW_HEIGHT - view.top;
		const options = this.#options();

		this.#crowds.clear();
		for (let row = first; row <= last; row++) {
			for (const thread of threadsIn(this.#rec, rows[row], view.from, view.to))
				layoutThread(scene, this.#rec, thread, yOf(row), view, options);
			layoutName(scene, this.#rec, rows[row], yOf(row), this.#refOfRow(row), options);
			layoutKernelLine(scene, this.#rec, rows, row, yOf(row), view.width);
		}
		const seen = { from: view.from, to: view.to, first, last };

		this.#layoutLinks(scene, view, seen, {
			xOf: projectionOf(view).xOf, yOf, width: view.width,
		});
	}

	#refOfRow(row) {
		const threads = this.#rows.rows[row];
		const ref = this.#refOfName(threads[0]);

		return threads.length > 1 ? ref + this.#rec.thread.count : ref;
	}

	#refOfName(thread) {
		return this.#rec.span.count + thread;
	}

	#layoutLinks(scene, view, seen, place) {
		const focus = view.focus ?? [];

		this.#links = { shown: 0, all: 0 };
		if (this.#state.links)
			this.#links = layoutLinks(scene, this.#wakeups, this.#rows, seen, place);
		else
			for (const ref of focus)
				layoutLinksOf(scene, this.#wakeups, this.#rows, this.#whatOf(ref), seen,
					      place);
	}

	/**
	 * Returns {thread, from, to} of a ref. For a span, from is the wakeup before the span, so
	 * that the links from..to include this wakeup. For a name, from..to is the whole recording.
	 */
	#whatOf(ref) {
		const rec = this.#rec;

		if (ref >= rec.span.count)
			return { thread: (ref - rec.span.count) % rec.thread.count, from: 0, to: rec.end };
		const thread = threadOf(rec, ref);
		const last = (this.#crowds.get(ref) ?? ref + 1) - 1;
		const wait = waitBefore(rec, thread, ref);
		const from = wait < 0 ? rec.span.start[ref] : spanEnd(rec, thread, wait);

		return { thread, from: Math.min(from, rec.span.start[ref]), to: spanEnd(rec, thread, last) };
	}

	timesOf(ref) {
		const { thread } = this.#rec;
		const what = this.#whatOf(ref);

		return ref < this.#rec.span.count ? what
			: { from: thread.from[what.thread], to: thread.to[what.thread] };
	}

	/** Several narrow spans share a box; its ref is the first span. */
	drawnRef(ref) {
		for (const [first, end] of this.#crowds)
			if (ref >= first && ref < end)
				return first;
		return ref;
	}

	topOf(ref, height) {
		const row = this.#rows.rowOf[this.#whatOf(ref).thread] ?? -1;

		return row < 0 ? -1 : Math.max((row + 0.5) * ROW_HEIGHT - height / 2, 0);
	}

	follow(ref, direction) {
		const rec = this.#rec;

		return ref >= rec.span.count ? null
			: followed(rec, this.#state, this.#wakeups, threadOf(rec, ref), ref, direction);
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
			chosen: this.#state.chosen, crowds: this.#crowds,
			marks: (label) => query !== null && query.test(label),
		};
	}

	/** A user may have edited the link of the page. */
	has(ref) {
		return Number.isInteger(ref) &&
			ref < this.#rec.span.count + 2 * this.#rec.thread.count;
	}

	describe(ref) {
		const rec = this.#rec;

		if (ref >= rec.span.count)
			return this.#describeName(ref - rec.span.count);
		const thread = threadOf(rec, ref);
		const end = this.#crowds.get(ref);

		return end ? describeSpans(rec, thread, ref, end)
			   : describeSpan(rec, thread, ref, this.#follow());
	}

	#follow() {
		const rec = this.#rec, state = this.#state;

		return {
			wakeups: this.#wakeups,
			toWaker: (thread, t) => placeOfWaker(rec, state, thread, t),
			toThread: (thread, t) => placeOfThread(rec, state, thread, t),
			toSpan: (thread, span) => placeOfSpan(rec, state, thread, span),
		};
	}

	#describeName(name) {
		const rec = this.#rec;
		const thread = name % rec.thread.count;
		const process = rec.thread.process[thread];

		const program = rec.string[rec.process.name[process]];
		const toName = (one) => ({ chosen: this.#refOfName(one), top: TOP_AT_CHOSEN });
		const share = shareLink(hasName(this.#state.open, program), {
			open: toggled(this.#state.open, program), ...toName(thread),
		});

		if (name >= rec.thread.count)
			return describeRow(rec, this.#rows.rows[this.#rows.rowOf[thread]] ?? [thread],
					   this.#state, { toName, share });
		return describeThread(rec, thread, this.#state, {
			flame: { view: "flame", process },
			share: hasName(this.#state.open, program) ? share : null,
		});
	}

	click(ref) {
		const { span, thread } = this.#rec;
		const name = ref - span.count;

		if (name < 0 || name >= thread.count)
			return null;
		return { view: "flame", process: thread.process[name] };
	}

	matched() {
		const { from, to } = this.#state;

		return this.#query &&
			matchedTasks(this.#rec, this.#rows.rows.flat(), this.#query, from, to);
	}

	status() {
		const { shown, all } = this.#links;
		const threads = `${formatCount(this.#rows.count)} of ` +
			`${countText(this.#rec.thread.count, "thread")} in ` +
			countText(this.#rows.rows.length, "row");

		if (!this.#state.links)
			return threads;
		if (shown === all)
			return `${threads}, ${countText(all, "link")}`;
		return `${threads}, ${countText(shown, "link")} drawn ` +
			`(of ${formatCount(all)} of all rows in this time)`;
	}
}
