// SPDX-License-Identifier: GPL-2.0-or-later
//
// Waits -> the time off CPUs by where and for what, and for the wakeup graph by who ended it.
import { CAUSE, KIND } from "../data/recording.js";
import { SLEEPS } from "../flame/rows.js";
import { INK } from "../scene.js";
import { spansWithin } from "./spans.js";

const CAUSES = 8;
const INK_OF_CAUSE = [INK.unknown, INK.other, INK.disk, INK.network, INK.timeout, INK.timeout,
		      INK.interrupt, INK.interrupt];
/** Of causes that name nobody, and in front of who is named. */
const WORD_OF_CAUSE = ["[unknown]", "", "disk", "network", "its own timer", "timeout", "hardware",
		       "kernel"];
const PAIRS_MAX = 2 ** 26;

export function addOffCpu(rec, groups, from, to, sums) {
	const byWait = new Float64Array(rec.wait.count * CAUSES);

	for (const [name, threads] of groups) {
		const touched = [];

		for (const thread of threads)
			eachWait(rec, thread, from, to, (span, ns) => {
				const key = rec.span.wait[span] * CAUSES + rec.span.cause[span];

				if (byWait[key] === 0)
					touched.push(key);
				byWait[key] += ns;
			});
		for (const key of touched) {
			sums.add(waitNode(rec, sums, name, key), byWait[key]);
			byWait[key] = 0;
		}
	}
}

export function addWakeups(rec, groups, from, to, sums) {
	const wakers = new Pairs();

	for (const [name, threads] of groups) {
		const waits = new Pairs();

		for (const thread of threads)
			eachWait(rec, thread, from, to, (span, ns) => {
				const waker = wakers.indexOf(wakerName(rec, span), wakerStack(rec, span));
				const wait = rec.span.wait[span] * CAUSES + rec.span.cause[span];

				waits.add(waits.indexOf(wait, waker), ns);
			});
		waits.each((wait, waker, ns) => {
			const [who, stack] = wakers.at(waker);

			sums.add(wakerNode(rec, sums, waitNode(rec, sums, name, wait), wait % CAUSES, who, stack),
				 ns);
		});
	}
}

/** Calls fn(span, ns of it in the range) for what a thread waited for. */
function eachWait(rec, thread, from, to, fn) {
	const { start, kind } = rec.span;
	const [low, high] = spansWithin(rec, thread, from, to);
	const last = rec.thread.firstSpan[thread + 1] - 1;

	for (let i = low; i < high; i++)
		if (kind[i] === KIND.blocked) {
			const end = i < last ? start[i + 1] : rec.thread.to[thread];

			fn(i, Math.min(end, to) - Math.max(start[i], from));
		}
}

/** The stack, and on top of it the call and its object. */
function waitNode(rec, sums, name, key) {
	const { trie } = sums;
	const wait = Math.floor(key / CAUSES);
	const stack = trie.stack(trie.name(0, name), rec.wait.stack[wait]);
	const call = rec.string[rec.wait.syscall[wait]], object = rec.string[rec.wait.object[wait]];
	const label = call && object && call !== object ? `${call}: ${object}` : call || object;

	sums.mark(stack, SLEEPS);
	return label ? trie.leaf(stack, label, INK_OF_CAUSE[key % CAUSES]) : stack;
}

/** Who ended a wait: the name of a thread, or what it is called otherwise, as a string's index. */
function wakerName(rec, span) {
	const by = rec.span.by[span];

	return rec.span.cause[span] === CAUSE.task ? rec.thread.name[by] : by;
}

/** With TASK the stack of the waker; with NET the sender's name. */
function wakerStack(rec, span) {
	const waker = rec.span.waker[span];

	if (rec.span.cause[span] !== CAUSE.net)
		return waker;
	return waker > 0 ? rec.thread.name[waker - 1] : 0;
}

function wakerNode(rec, { trie }, wait, cause, who, stack) {
	const name = rec.string[who];

	if (cause === CAUSE.task)
		return trie.reversedStack(trie.name(wait, name || "[unknown]"), stack);
	const word = WORD_OF_CAUSE[cause];
	const source = trie.leaf(wait, name ? `${word}: ${name}` : word, INK_OF_CAUSE[cause]);

	return cause === CAUSE.net && stack ? trie.name(source, rec.string[stack]) : source;
}

/** Pairs of numbers -> sums. */
class Pairs {
	#index = new Map();
	#pairs = [];
	#sums = [];

	indexOf(a, b) {
		const key = a * PAIRS_MAX + b;
		let index = this.#index.get(key);

		if (index === undefined) {
			index = this.#pairs.length;
			this.#index.set(key, index);
			this.#pairs.push([a, b]);
			this.#sums.push(0);
		}
		return index;
	}

	at(index) {
		return this.#pairs[index];
	}

	add(index, ns) {
		this.#sums[index] += ns;
	}

	each(fn) {
		this.#pairs.forEach(([a, b], index) => fn(a, b, this.#sums[index]));
	}
}
