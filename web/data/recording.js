// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes a Recording, with a table for each kind of object, from the columns of a file. This module
// also computes columns that the file does not contain, such as the beginnings of spans.
//
// A table consists of columns, not of objects, because a recording has millions of spans.
import { columnsOf, unpacked } from "./bytes.js";

const VERSION = 1;

export const KIND = Object.freeze({
	run: 0, blocked: 1, runnable: 2, preempted: 3, unexplained: 4,
});
export const CAUSE = Object.freeze({
	none: 0, task: 1, disk: 2, net: 3, sleep: 4, timeout: 5, hardware: 6, kernel: 7,
});
export const THREAD_FLAG = Object.freeze({ kernel: 1, target: 2 });
export const POINT_FLAG = Object.freeze({ sampled: 1, more: 2 });
export const HOP_FLAG = Object.freeze({
	inferred: 1, atLeast: 2, kernel: 4, throttled: 8, shortened: 16,
});

/** The columns of each table in the file. */
const TABLES = {
	frame: { symbol: Uint32Array, module: Uint32Array, kernel: Uint8Array },
	stack: { parent: Uint32Array, frame: Uint32Array },
	wait: { stack: Uint32Array, syscall: Uint32Array, object: Uint32Array },
	process: { pid: Uint32Array, name: Uint32Array },
	thread: {
		tid: Uint32Array, process: Uint32Array, name: Uint32Array, flags: Uint8Array,
		parent: Uint32Array, from: Float64Array, spans: Uint32Array, samples: Uint32Array,
	},
	span: { ns: Float64Array, what: Uint8Array }, // spread() adds other columns
	sample: { at: Float64Array, stack: Uint32Array, stands: Float64Array },
	hop: {
		parent: Uint32Array, name: Uint32Array, stack: Uint32Array, what: Uint8Array,
		syscall: Uint32Array, object: Uint32Array, behind: Uint32Array, flags: Uint8Array,
	},
	piece: { gap: Float64Array, ns: Float64Array, hop: Uint32Array },
	point: { gap: Float64Array, ns: Float64Array, thread: Uint32Array, flags: Uint8Array },
	gap: { from: Float64Array, ns: Float64Array, cpu: Uint16Array, lost: Float64Array },
	strip: {
		cpu: Float64Array, runqueue: Float64Array,
		disk: Float64Array, disk_queued: Float64Array,
		sent: Float64Array, received: Float64Array, lost: Float64Array,
	},
	counter: { at: Float64Array, value: Float64Array },
	irq: { hard: Float64Array, soft: Float64Array },
};

/**
 * Bits for the columns span.wait, span.by, span.waker and span.cpu that have a value for a span
 * (docs/viewer-format.md).
 */
const HAS = { wait: 1, by: 2, waker: 4, cpu: 8 };

function valuesOf(kind, cause) {
	const { task, disk, net, hardware, kernel } = CAUSE;

	if (kind === KIND.run)
		return HAS.cpu;
	if (kind !== KIND.blocked)
		return kind === KIND.preempted ? HAS.wait : 0;
	return HAS.wait |
		([task, disk, net, hardware, kernel].includes(cause) ? HAS.by : 0) |
		(cause === task || cause === net ? HAS.waker : 0);
}

export async function openRecording(base64) {
	const { head, columns } = columnsOf(await unpacked(base64));

	if (head.version !== VERSION)
		throw new Error(`it has version ${head.version}, this viewer is for ${VERSION}`);
	return recordingOf(head, columns);
}

/** If the file omits a column, its values are 0. */
export function recordingOf(head, columns) {
	const rec = {
		meta: head.meta, explained: head.explained ?? [], end: head.meta.end,
		string: columns.string ?? [""],
		// A recording without network records has no requests.
		requests: head.requests ?? { rows: [], slowest: [] },
		marks: head.marks ?? [],
		// The time that the page shows as 0.
		origin: head.meta.since ?? 0,
	};

	for (const name of Object.keys(TABLES))
		rec[name] = tableOf(name, columns);
	rec.irqBins = rec.meta.cpus ? rec.irq.count / rec.meta.cpus : 0;
	addProcesses(rec);
	addSpans(rec, columns);
	addSamples(rec);
	addPieces(rec);
	addPoints(rec);
	addCounters(rec, head.counters ?? [], columns["counter.at"]?.length ?? 0);
	rec.gap.to = rec.gap.from.map((from, i) => from + rec.gap.ns[i]);
	return rec;
}

function tableOf(name, columns) {
	const types = TABLES[name];
	const given = Object.keys(types).map((column) => columns[`${name}.${column}`]?.length ?? 0);
	const table = { count: Math.max(...given) };

	for (const [column, Type] of Object.entries(types)) {
		const values = columns[`${name}.${column}`];

		table[column] = values && isOwn(values, Type) ? values
							      : new Type(values ?? table.count);
	}
	return table;
}

/** If an array is a part of a larger buffer, keeping it would keep the whole file in memory. */
function isOwn(values, Type) {
	return values instanceof Type && values.byteLength === values.buffer.byteLength;
}

/**
 * Sets rec.counters: [{key, text, unit, values}, …], with a value for each reading; NaN: the
 * reading does not contain the counter.
 */
function addCounters(rec, counters, count) {
	rec.counterAt = rec.counter.at.subarray(0, count);
	rec.counters = counters.map((counter, i) => ({
		...counter,
		values: rec.counter.value.slice(i * count, (i + 1) * count)
			.map((value) => value ? value - 1 : NaN),
	}));
}

/**
 * Sets process.parent: the process that started each process, as index plus 1 (0: unknown). Sets
 * rec.family: the process of interest and its descendants.
 */
function addFamily(rec) {
	const { process, thread } = rec;
	const children = Array.from({ length: process.count }, () => []);

	process.parent = new Uint32Array(process.count);
	for (let t = 0; t < thread.count; t++) {
		const own = thread.process[t];
		const parent = thread.parent[t] ? thread.process[thread.parent[t] - 1] : own;

		if (parent === own || process.parent[own])
			continue;
		process.parent[own] = parent + 1;
		children[parent].push(own);
	}
	const target = rec.explained[rec.meta.target];
	const family = new Set(target ? [target.process] : []);

	for (const one of family) // the loop also visits the processes that it adds
		for (const child of children[one])
			family.add(child);
	rec.family = [...family].sort((a, b) => a - b);
}

/** The graphs of the process of a recorded command include its descendants. */
export function hasFamily(rec, process) {
	return Boolean(rec.meta.command) && rec.family.length > 1 &&
		process === rec.explained[rec.meta.target].process;
}

function addProcesses(rec) {
	const { process, thread } = rec;

	process.firstThread = new Uint32Array(process.count + 1);
	for (let t = 0; t < thread.count; t++)
		process.firstThread[thread.process[t] + 1]++;
	for (let p = 0; p < process.count; p++)
		process.firstThread[p + 1] += process.firstThread[p];
	process.explained = new Int32Array(process.count).fill(-1);
	rec.explained.forEach((one, i) => {
		// A process may have two explanations: of itself, and of one of its threads.
		if (process.explained[one.process] < 0)
			process.explained[one.process] = i;
	});
	addFamily(rec);
}

function addSpans(rec, columns) {
	const { thread } = rec;
	const { ns, what } = rec.span;

	thread.firstSpan = sums(thread.spans);
	// The table has a column of starts, but none of durations, which would take tens of
	// megabytes of memory.
	rec.span = { count: what.length, start: startsOf(thread, ns), ...spread(what, columns) };
}

/**
 * A recording has millions of spans, and the page waits for this function. So the function is one
 * loop over arrays with elements of one type.
 */
function spread(what, columns) {
	const given = (name) => new Uint32Array(columns[`span.${name}`] ?? 0);
	const waits = given("wait"), enders = given("by"), wakers = given("waker"), cpus = given("cpu");
	const { kind, cause, wait, by, waker, cpu } = {
		kind: new Uint8Array(what.length), cause: new Uint8Array(what.length),
		wait: new Uint32Array(what.length), by: new Uint32Array(what.length),
		waker: new Uint32Array(what.length), cpu: new Uint16Array(what.length),
	};
	const has = Uint8Array.from({ length: 256 }, (_, one) => valuesOf(one & 7, one >> 3));
	let nextWait = 0, nextBy = 0, nextWaker = 0, nextCpu = 0;

	for (let i = 0; i < what.length; i++) {
		const one = what[i], bits = has[one];

		kind[i] = one & 7;
		cause[i] = one >> 3;
		if (bits & HAS.wait)
			wait[i] = waits[nextWait++];
		if (bits & HAS.by)
			by[i] = enders[nextBy++];
		if (bits & HAS.waker)
			waker[i] = wakers[nextWaker++];
		if (bits & HAS.cpu)
			cpu[i] = cpus[nextCpu++];
	}
	return { kind, cause, wait, by, waker, cpu };
}

function startsOf(thread, ns) {
	const start = new Float64Array(ns.length);

	thread.to = new Float64Array(thread.count);
	for (let t = 0; t < thread.count; t++) {
		let at = thread.from[t];

		for (let i = thread.firstSpan[t]; i < thread.firstSpan[t + 1]; i++) {
			start[i] = at;
			at += ns[i];
		}
		thread.to[t] = at;
	}
	return start;
}

function addSamples(rec) {
	const { sample, thread } = rec;

	thread.firstSample = sums(thread.samples);
	for (let t = 0; t < thread.count; t++)
		for (let i = thread.firstSample[t] + 1; i < thread.firstSample[t + 1]; i++)
			sample.at[i] += sample.at[i - 1];
}

function addPieces(rec) {
	const { piece, hop } = rec;
	let first = 0;

	piece.from = new Float64Array(piece.count);
	piece.to = new Float64Array(piece.count);
	piece.category = new Uint8Array(piece.count);
	for (let i = 0; i < piece.count; i++)
		piece.category[i] = Math.max(hop.what[piece.hop[i]], 1) - 1;
	for (const one of rec.explained)
		for (const path of one.paths?.list ?? []) {
			path.firstPiece = first;
			first += path.pieces;
			addTimes(piece, path.firstPiece, first);
		}
}

/**
 * For the first point of a row, point.gap is the time since the base (meta.base_ns), otherwise the
 * time since the previous point.
 */
function addPoints({ point, requests }) {
	const { span = 0, paused = 0 } = requests;
	const seconds = Math.max(span - paused, 0) / 1e9;
	let first = 0;

	point.at = new Float64Array(point.count);
	for (const row of requests.rows) {
		row.firstPoint = first;
		row.rate = seconds ? row.count / seconds : 0;
		first += row.points;
		for (let i = row.firstPoint, at = 0; i < first; i++)
			point.at[i] = at += point.gap[i];
	}
}

/**
 * For the first piece, piece.gap is the time since the base (meta.base_ns), otherwise the time
 * since the end of the previous piece.
 */
function addTimes(piece, first, end) {
	let at = 0;

	for (let i = first; i < end; i++) {
		piece.from[i] = at + piece.gap[i];
		piece.to[i] = at = piece.from[i] + piece.ns[i];
	}
}

/** Returns the prefix sums of counts: element i is the sum of the counts before i. */
function sums(counts) {
	const first = new Uint32Array(counts.length + 1);

	for (let i = 0; i < counts.length; i++)
		first[i + 1] = first[i] + counts[i];
	return first;
}

export function spanEnd(rec, thread, span) {
	return span + 1 < rec.thread.firstSpan[thread + 1] ? rec.span.start[span + 1]
							   : rec.thread.to[thread];
}

/** Returns the span of a thread at an instant, or -1. */
export function spanAt(rec, thread, t) {
	const { firstSpan, from, to } = rec.thread;

	if (t < from[thread] || t >= to[thread])
		return -1;
	return lastNotAfter(rec.span.start, firstSpan[thread], firstSpan[thread + 1], t);
}

/**
 * Returns the index of the last element of the sorted values[low..high) that is at most the value,
 * or low if all elements are greater.
 */
export function lastNotAfter(values, low, high, value) {
	while (high - low > 1) {
		const middle = (low + high) >>> 1;

		if (values[middle] <= value)
			low = middle;
		else
			high = middle;
	}
	return low;
}

export function threadOf(rec, span) {
	return lastNotAfter(rec.thread.firstSpan, 0, rec.thread.count, span);
}

/** Returns the frames of a stack, the outermost first. */
export function framesOf(rec, stackNode) {
	const frames = [];

	for (let node = stackNode; node; node = rec.stack.parent[node])
		frames.push(rec.stack.frame[node]);
	return frames.reverse();
}

/** Returns the hops of a chain, starting with the hop of the path's thread. */
export function hopsOf(rec, hopNode) {
	const hops = [];

	for (let node = hopNode; node; node = rec.hop.parent[node])
		hops.push(node);
	return hops.reverse();
}

export function frameName(rec, frame) {
	const { symbol, module } = rec.frame;

	return rec.string[symbol[frame]] || rec.string[module[frame]] || "[unknown]";
}
