// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes recordings for tests. web/data/recording.js makes a Recording from columns, as if they came
// from a file.
import { CAUSE, KIND, recordingOf } from "../../../web/data/recording.js";

export const CATEGORIES = [
	["running_sampled", "running, sampled"], ["running_unsampled", "running, not sampled"],
	["disk_active", "disk I/O"], ["disk_queued", "disk queue"], ["network", "network"],
	["runqueue", "run queue"], ["hardware", "hardware"], ["preempted", "preempted"],
	["kernel", "kernel"], ["sleep", "sleep"], ["timeout", "timeout"], ["stopped", "stopped"],
	["other_path", "other path"], ["lost", "lost"], ["edge", "window edge"],
	["unaccounted", "unaccounted"],
].map(([key, name]) => ({ key, name, text: `text of ${key}`, doing: `doing ${key}` }));

const SPAN_COLUMNS = ["wait", "by", "waker", "cpu"];
const CAUSES_THAT_NAME = [CAUSE.task, CAUSE.disk, CAUSE.net, CAUSE.hardware, CAUSE.kernel];

export class Maker {
	#columns = { string: [""] };
	#meta;
	#known = new Map();
	#requests;
	explained = [];

	constructor(meta = {}) {
		this.#meta = { end: 1000, cpus: 2, bins: 0, base_ns: "0", target: -1,
			       categories: CATEGORIES, shed: [], ...meta };
		this.#row("frame", { symbol: 0, module: 0, kernel: 0 });
		this.#row("stack", { parent: 0, frame: 0 });
		this.#row("wait", { stack: 0, syscall: 0, object: 0 });
		this.#row("hop", { parent: 0, name: 0, stack: 0, what: 0, syscall: 0, object: 0,
				   behind: 0, flags: 0 });
	}

	text(text) {
		return this.#once(`s${text}`, () => this.#columns.string.push(text) - 1);
	}

	/**
	 * Adds a stack such as "main poll k:schedule": the outermost frame first; k: marks frames
	 * of the kernel.
	 */
	stack(words) {
		let node = 0;

		for (const word of words.split(" ").filter((one) => one))
			node = this.#child(node, this.#frame(word));
		return node;
	}

	wait({ stack = "", syscall = "", object = "" }) {
		return this.#row("wait", { stack: this.stack(stack), syscall: this.text(syscall),
					   object: this.text(object) });
	}

	process(pid, name) {
		return this.#row("process", { pid, name: this.text(name) });
	}

	/**
	 * Adds a thread. spans: [{kind, ns, cause, wait, by, waker, cpu}, …]; kind and cause are
	 * names, by is a thread or a text, cpu starts at 0. samples: [[at, stack, stands], …].
	 * parent: the thread that started this one; -1: unknown.
	 */
	thread(process, tid, name, { from = 0, spans = [], samples = [], flags = 0, parent = -1 } = {}) {
		const thread = this.#row("thread", {
			tid, process, name: this.text(name), flags, parent: parent + 1, from,
			spans: spans.length, samples: samples.length,
		});
		let last = 0;

		for (const span of spans)
			this.#span(span);
		for (const [at, stack, stands = 0] of samples) {
			this.#row("sample", { at: at - last, stack: this.stack(stack), stands });
			last = at;
		}
		return thread;
	}

	/**
	 * Adds a chain. hops: {name, stack, syscall, object, category}, the path's thread first.
	 */
	chain(...hops) {
		let node = 0;

		for (const { name, stack = "", syscall = "", object = "", category, flags = 0 } of hops) {
			const hop = { parent: node, name: this.text(name), stack: this.stack(stack),
				      what: this.#categoryNumber(category) + 1, syscall: this.text(syscall),
				      object: this.text(object), behind: 0, flags };

			node = this.#once(`h${Object.values(hop)}`, () => this.#row("hop", hop));
		}
		return node;
	}

	/** paths: [{thread, root, pieces: [[from, to, chain], …]}, …]. */
	explain(process, paths, more = {}) {
		const times = CATEGORIES.map(() => 0);
		const list = paths.map((path) => this.#path(path, times));
		const total = times.reduce((sum, ns) => sum + ns, 0);

		this.explained.push({ process, tid: 0, headline: "", findings: [], ...more,
			paths: { total_ns: total, threads: paths.length, categories: times, list,
				 handed_off: more.handed_off ?? [] } });
	}

	requests(rows, more = {}) {
		const asWritten = rows.map((row) => ({ call: false, ...row, points: row.points.length }));
		const { end } = this.#meta;

		this.#requests = { since: 0, until: end, span: end, paused: 0, dropped: 0, left_out: 0,
				   headline: "", slowest: [], ...more, rows: asWritten };
		for (const { points } of rows) {
			let last = 0;

			for (const [at, ns, thread, flags] of points) {
				this.#row("point", { gap: at - last, ns, thread: thread + 1, flags });
				last = at;
			}
		}
	}

	strips(columns) {
		for (const [name, values] of Object.entries(columns))
			this.#columns[name] = values;
	}

	recording(head = {}) {
		return recordingOf({ version: 1, meta: this.#meta, explained: this.explained,
				     requests: this.#requests, ...head }, this.#columns);
	}

	#path({ thread, root = true, awaited = 0, pieces }, times) {
		const first = pieces[0]?.[0] ?? 0, last = pieces.at(-1)?.[1] ?? 0;
		let ns = 0, end = 0;

		for (const [from, to, hop] of pieces) {
			this.#row("piece", { gap: from - end, ns: to - from, hop });
			end = to;
			times[this.#columns["hop.what"][hop] - 1] += to - from;
			ns += to - from;
		}
		return { thread, root, ns, from: first, to: last, stretches: 1, awaited,
			 pieces: pieces.length };
	}

	#span({ kind, ns, cause = "none", ...rest }) {
		const values = { wait: 0, by: 0, waker: 0, cpu: -1, ...rest };

		if (typeof values.by === "string")
			values.by = this.text(values.by);
		if (typeof values.waker === "string")
			values.waker = this.stack(values.waker);
		values.cpu++;
		this.#push("span.ns", ns);
		this.#push("span.what", KIND[kind] + 8 * CAUSE[cause]);
		for (const column of SPAN_COLUMNS)
			if (hasColumn(column, kind, CAUSE[cause]))
				this.#push(`span.${column}`, values[column]);
	}

	#frame(word) {
		const kernel = word.startsWith("k:") ? 1 : 0;
		const symbol = this.text(kernel ? word.slice(2) : word);
		const module = this.text(kernel ? "vmlinux" : "program");

		return this.#once(`f${word}`, () => this.#row("frame", { symbol, module, kernel }));
	}

	#child(parent, frame) {
		return this.#once(`n${parent} ${frame}`, () => this.#row("stack", { parent, frame }));
	}

	#categoryNumber(key) {
		return CATEGORIES.findIndex((category) => category.key === key);
	}

	#once(key, make) {
		if (!this.#known.has(key))
			this.#known.set(key, key === "s" ? 0 : make());
		return this.#known.get(key);
	}

	#row(table, values) {
		let index = 0;

		for (const [column, value] of Object.entries(values))
			index = this.#push(`${table}.${column}`, value);
		return index;
	}

	#push(column, value) {
		this.#columns[column] ??= [];
		return this.#columns[column].push(value) - 1;
	}
}

function hasColumn(column, kind, cause) {
	if (column === "wait")
		return kind === "blocked" || kind === "preempted";
	if (column === "cpu")
		return kind === "run";
	if (column === "by")
		return kind === "blocked" && CAUSES_THAT_NAME.includes(cause);
	return kind === "blocked" && (cause === CAUSE.task || cause === CAUSE.net);
}
