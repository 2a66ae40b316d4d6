// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sums the time on CPUs by stack. The time of a run is measured, and divided equally among the
// samples of the run. A run without samples gets the stack with which it left the CPU, or stacks
// from samples of other runs (docs/model.md).
import { KIND } from "../data/recording.js";
import { firstWhere } from "../flame/seen.js";
import { NATURE } from "../flame/words.js";
import { INK } from "../scene.js";
import { spansWithin } from "./spans.js";

/** A sample may be taken up to 20 µs after the end of its run (docs/model.md). */
const GRACE_NS = 20000;

const NOT_SAMPLED = "[not sampled]";

/**
 * The cause, in span.cause, of a run without samples that gets the stack with which it left the
 * CPU.
 */
const SHOWN_BY_PLACE = 1;

/** groups: the result of threadsByName(). */
export function addOnCpu(rec, groups, from, to, sums) {
	const { trie } = sums;
	const byStack = new Float64Array(rec.stack.count);

	for (const [name, threads] of groups) {
		const touched = [];
		let notSampled = 0;

		for (const thread of threads)
			notSampled += sumRuns(rec, thread, from, to, byStack, touched, sums);
		const known = addInferred(rec, threads, from, to, notSampled, byStack, touched);

		notSampled -= known;
		sums.inferred += known;
		flushStacks(sums, name, byStack, touched);
		if (notSampled > 0)
			sums.add(trie.leaf(trie.name(0, name), NOT_SAMPLED, INK.run), notSampled);
	}
}

/**
 * Adds the time of runs without samples to the stacks of the samples that represent these runs.
 * Adds at most notSampled ns. Returns the added time.
 */
function addInferred(rec, threads, from, to, notSampled, byStack, touched) {
	const { stack, stands } = rec.sample;

	if (notSampled === 0)
		return 0;
	const samples = threads.flatMap((thread) => indicesWithin(rec, thread, from, to));
	const known = samples.reduce((sum, i) => sum + stands[i], 0);
	const scale = known > notSampled ? notSampled / known : 1;

	for (const i of samples) {
		if (stands[i] === 0)
			continue;
		if (byStack[stack[i]] === 0)
			touched.push(stack[i]);
		byStack[stack[i]] += stands[i] * scale;
	}
	return Math.min(known, notSampled);
}

function indicesWithin(rec, thread, from, to) {
	const first = rec.thread.firstSample[thread], end = rec.thread.firstSample[thread + 1];
	const low = firstWhere(first, end, (i) => rec.sample.at[i] >= from);
	const high = firstWhere(low, end, (i) => rec.sample.at[i] > to);

	return Array.from({ length: high - low }, (_, i) => low + i);
}

function flushStacks(sums, name, byStack, touched) {
	const base = sums.trie.name(0, name);

	for (const stack of touched) {
		const node = sums.trie.stack(stack ? base : sums.trie.noStack(base), stack);

		sums.add(node, byStack[stack]);
		sums.mark(node, NATURE.runs, byStack[stack]);
		byStack[stack] = 0;
	}
}

/**
 * Adds the time of the runs of a thread to byStack, by stack. Returns the time without a known
 * stack.
 */
function sumRuns(rec, thread, from, to, byStack, touched, sums) {
	const { start, kind } = rec.span;
	const { at, stack } = rec.sample;
	const [low, high] = spansWithin(rec, thread, from, to);
	const lastSpan = rec.thread.firstSpan[thread + 1];
	const lastSample = rec.thread.firstSample[thread + 1];
	let next = firstWhere(rec.thread.firstSample[thread], lastSample,
			      (i) => at[i] >= start[low]);
	let notSampled = 0;

	for (let i = low; i < high; i++) {
		if (kind[i] !== KIND.run)
			continue;
		const begin = start[i];
		const end = i + 1 < lastSpan ? start[i + 1] : rec.thread.to[thread];

		while (next < lastSample && at[next] < begin)
			next++;
		const first = next;

		if (next < lastSample && at[next] < end + GRACE_NS) {
			const limit = Math.min(end + GRACE_NS, nextRun(rec, i + 1, lastSpan));

			while (next < lastSample && at[next] < limit)
				next++;
		}
		if (next === first) {
			const ns = Math.min(end, to) - Math.max(begin, from);
			const place = stackOfPlace(rec, i, lastSpan);

			if (place) {
				if (byStack[place] === 0)
					touched.push(place);
				byStack[place] += ns;
				sums.inferred += ns;
			} else {
				notSampled += ns;
			}
		}
		for (let k = first; k < next; k++) {
			const ns = shareWithin(begin, end, k - first, next - first, from, to);

			if (ns > 0 && byStack[stack[k]] === 0)
				touched.push(stack[k]);
			byStack[stack[k]] += ns;
		}
	}
	return notSampled;
}

/**
 * Returns the stack with which a run left its CPU, if this stack represents the run; otherwise 0.
 */
function stackOfPlace(rec, run, lastSpan) {
	return rec.span.cause[run] === SHOWN_BY_PLACE && run + 1 < lastSpan
		? rec.wait.stack[rec.span.wait[run + 1]] : 0;
}

function nextRun(rec, i, end) {
	while (i < end && rec.span.kind[i] !== KIND.run)
		i++;
	return i < end ? rec.span.start[i] : Infinity;
}

/**
 * Divides a run into n equal parts of whole ns, and returns how much of part k is within the range.
 */
function shareWithin(begin, end, k, n, from, to) {
	const a = begin + Math.floor((end - begin) * k / n);
	const b = begin + Math.floor((end - begin) * (k + 1) / n);

	return Math.max(Math.min(b, to) - Math.max(a, from), 0);
}
