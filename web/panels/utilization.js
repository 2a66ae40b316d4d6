// SPDX-License-Identifier: GPL-2.0-or-later
//
// The utilization view: a table of CPUs, and a table of processes with their threads, for the
// range.
import { button, el } from "../dom.js";
import { formatCount } from "../format.js";
import { taskText } from "../flame/words.js";
import { numberCell, renderKeepingFocus, sortingHead, timeCell } from "./table.js";
import { CPU_COLUMNS, TASK_COLUMNS, sortedRows } from "./usage-columns.js";
import { usageOf } from "./usage.js";

const PROCESSES_AT_ONCE = 200;
const THREADS_AT_ONCE = 100;
/**
 * Maximum number of CPUs whose table is initially open. A longer table would push the table of
 * processes off the page.
 */
const CPUS_OPEN_MAX = 16;

export function utilizationPanel(rec, state) {
	return new UtilizationPanel(rec, state);
}

class UtilizationPanel {
	#rec;
	#state;
	#usage = null;
	#key = "";
	#taskSort = { key: "running", ascending: false };
	#cpuSort = { key: "name", ascending: true };
	#shown = PROCESSES_AT_ONCE;
	#open = new Set();
	#filter = "";
	#cpus = el("div");
	#tasks = el("div");

	constructor(rec, state) {
		this.#rec = rec;
		this.#state = state;
		const filter = el("input", {
			type: "search", placeholder: "filter by name or pid",
			title: "Show only processes with that in their name or pid (/)",
			"aria-label": "Filter processes",
			oninput: (event) => this.#setFilter(event.target.value),
		});
		const many = rec.meta.cpus > CPUS_OPEN_MAX;

		this.element = el("section", {
			class: "panel utilization", "aria-label": "Utilization",
		},
			el("details", { open: !many },
			   el("summary", null, `CPUs (${formatCount(rec.meta.cpus)})`), this.#cpus),
			el("div", { class: "bar" }, el("h2", null, "Processes"), filter),
			this.#tasks,
			el("p", { class: "note" }, "* shares of samples: inferred, not measured"));
	}

	update() {
		const { from, to } = this.#state;
		const key = [from, to].join();

		if (key === this.#key)
			return;
		this.#key = key;
		this.#usage = usageOf(this.#rec, from, to);
		this.#renderCpus();
		this.#renderTasks();
	}

	get #range() {
		return this.#state.to - this.#state.from;
	}

	#setFilter(text) {
		this.#filter = text.trim().toLowerCase();
		this.#shown = PROCESSES_AT_ONCE;
		this.#renderTasks();
	}

	/* --- CPUs ---------------------------------------------------------------------------- */

	#renderCpus() {
		const usage = this.#usage.cpu;
		const sort = this.#cpuSort;
		const rows = sortedRows(indices(this.#rec.meta.cpus), usage, CPU_COLUMNS, sort,
					this.#range, (cpu) => cpu);
		const columns = [{ key: "name", head: "CPU", title: "By its number" }, ...CPU_COLUMNS];
		const head = sortingHead(columns, sort, (key) => {
			this.#cpuSort = nextSort(sort, key);
			this.#renderCpus();
		});
		const body = rows.map((cpu) => el("tr", { dataset: { cpu: String(cpu) } },
			el("th", { scope: "row" }, `CPU ${cpu}`),
			cellsOf(usage, cpu, CPU_COLUMNS, this.#range)));

		renderKeepingFocus(this.#cpus, [el("table", { class: "cpus" }, head,
						   el("tbody", null, body))]);
	}

	/* --- processes ----------------------------------------------------------------------- */

	#renderTasks() {
		const processes = indices(this.#rec.process.count).filter((p) => this.#isWanted(p));
		const sort = this.#taskSort;
		const rows = sortedRows(processes, this.#usage.process, TASK_COLUMNS, sort,
					this.#range, (p) => this.#nameOf(p));
		const columns = [
			{ key: "name", head: "Process", title: "A click on one shows its flame view" },
			...TASK_COLUMNS,
		];
		const head = sortingHead(columns, sort, (key) => {
			this.#taskSort = nextSort(sort, key);
			this.#renderTasks();
		});
		const body = rows.slice(0, this.#shown).flatMap((p) => this.#processRows(p));

		renderKeepingFocus(this.#tasks, [
			el("table", { class: "processes" }, head, el("tbody", null, body)),
			...this.#restOf(rows.length),
		]);
	}

	#restOf(count) {
		const rest = count - this.#shown;

		if (count === 0)
			return [el("p", { class: "empty" }, "No process here fits the filter.")];
		return rest > 0 ? [button(`show more (${formatCount(rest)})`, "Show more processes",
					  () => this.#showMore())] : [];
	}

	#showMore() {
		this.#shown += PROCESSES_AT_ONCE;
		this.#renderTasks();
	}

	/**
	 * Returns whether the name or process ID of a process contains the filter, and the process
	 * existed in the range.
	 */
	#isWanted(p) {
		const { running, waiting, blocked } = this.#usage.process;
		const text = `${this.#nameOf(p)} ${this.#rec.process.pid[p]}`;

		return running[p] + waiting[p] + blocked[p] > 0 &&
			text.toLowerCase().includes(this.#filter);
	}

	#nameOf(p) {
		return this.#rec.string[this.#rec.process.name[p]];
	}

	#processRows(p) {
		const { firstThread } = this.#rec.process;
		const count = firstThread[p + 1] - firstThread[p];
		const row = el("tr", { dataset: { pid: String(this.#rec.process.pid[p]) } },
			       el("th", { scope: "row" }, this.#expander(p, count),
				  this.#processButton(p)),
			       cellsOf(this.#usage.process, p, TASK_COLUMNS, this.#range));

		return this.#open.has(p) ? [row, ...this.#threadRows(p)] : [row];
	}

	#expander(p, count) {
		const open = this.#open.has(p);

		if (count < 2)
			return el("span", { class: "expander" });
		return el("button", {
			type: "button", class: "expander", "aria-expanded": String(open),
			title: `${open ? "Hide" : "Show"} its ${formatCount(count)} threads`,
			dataset: { focus: `open ${p}` }, onclick: () => this.#toggle(p),
		}, open ? "▾" : "▸");
	}

	#toggle(p) {
		if (!this.#open.delete(p))
			this.#open.add(p);
		this.#renderTasks();
	}

	#processButton(p) {
		return el("button", {
			type: "button", class: "link", title: "Show its flame view",
			dataset: { focus: `show ${p}` },
			onclick: () => this.#state.set({ view: "flame", process: p }),
		}, `${this.#nameOf(p)} [${this.#rec.process.pid[p]}]`);
	}

	#threadRows(p) {
		const { firstThread } = this.#rec.process;
		const first = firstThread[p];
		const threads = indices(firstThread[p + 1] - first).map((i) => first + i);
		const rows = sortedRows(threads, this.#usage.thread, TASK_COLUMNS, this.#taskSort,
					this.#range, (t) => taskText(this.#rec, t));
		const rest = rows.length - THREADS_AT_ONCE;

		return [
			...rows.slice(0, THREADS_AT_ONCE).map((t) => this.#threadRow(t)),
			...rest > 0 ? [restRow(rest)] : [],
		];
	}

	#threadRow(t) {
		const tid = String(this.#rec.thread.tid[t]);

		return el("tr", { class: "thread", dataset: { tid } },
			  el("th", { scope: "row" }, el("span", { class: "expander" }),
			     el("span", { class: "expander" }), taskText(this.#rec, t)),
			  cellsOf(this.#usage.thread, t, TASK_COLUMNS, this.#range));
	}
}

function restRow(count) {
	return el("tr", null, el("td", { colspan: TASK_COLUMNS.length + 1 },
				 `and ${formatCount(count)} more threads`));
}

function indices(count) {
	return Array.from({ length: count }, (_, i) => i);
}

function nextSort(sort, key) {
	return { key, ascending: key === sort.key ? !sort.ascending : key === "name" };
}

function cellsOf(usage, i, columns, range) {
	return columns.map((column) => {
		const value = column.valueOf(usage, i, range);

		return column.isTime ? timeCell(value) : numberCell(column.textOf(value));
	});
}
