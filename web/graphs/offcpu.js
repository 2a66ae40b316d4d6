// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sums the time off CPUs by stack and awaited object. The graph of wakeups also adds the wakers.
import { CAUSE, KIND } from "../data/recording.js";
import { PairIndex } from "../flame/pair-index.js";
import { NATURE } from "../flame/words.js";
import { INK } from "../scene.js";
import { spansWithin } from "./spans.js";

const CAUSES = 8;
const INK_OF_CAUSE = [INK.unknown, INK.sleep, INK.disk, INK.network, INK.timeout, INK.timeout,
		      INK.interrupt, INK.interrupt];
/** If the cause also has a name, the name is put after the text. */
const WORD_OF_CAUSE = ["[unknown]", "", "disk", "network", "its own timer", "timeout", "hardware",
		       "kernel"];

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
		const base = sums.trie.name(0, name);

		for (const key of touched) {
			sums.add(waitNode(rec, sums, base, key, byWait[key]), byWait[key]);
			byWait[key] = 0;
		}
	}
}

export function addWakeups(rec, groups, from, to, sums) {
	const wakers = new PairIndex();

	for (const [name, threads] of groups) {
		const waits = new PairIndex();
		const times = [];

		for (const thread of threads)
			eachWait(rec, thread, from, to, (span, ns) => {
				const wait = rec.span.wait[span] * CAUSES + rec.span.cause[span];
				const index = waits.of(wait, wakers.of(wakerName(rec, span),
								       wakerStack(rec, span)));

				times[index] = (times[index] ?? 0) + ns;
			});
		const base = sums.trie.name(0, name);

		times.forEach((ns, index) => {
			const wait = waits.first(index), waker = waits.second(index);
			const node = waitNode(rec, sums, base, wait, ns);

			sums.add(wakerNode(rec, sums, node, wait % CAUSES, wakers.first(waker),
					   wakers.second(waker)), ns);
		});
	}
}

/** Calls fn(span, ns) for each wait of a thread; ns: its time within the range. */
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

/** Returns the node of a wait: its stack and, above the stack, the system call and the object. */
function waitNode(rec, sums, base, key, ns) {
	const node = sums.trie.once(base, key, () => {
		const wait = Math.floor(key / CAUSES);
		const stack = sums.trie.stack(base, rec.wait.stack[wait]);
		const label = waitLabel(rec, wait);

		if (!label)
			return rec.wait.stack[wait] ? stack : sums.trie.noStack(base);
		return sums.trie.leaf(stack, label, INK_OF_CAUSE[key % CAUSES]);
	});

	sums.mark(node, NATURE.sleeps, ns);
	return node;
}

function waitLabel(rec, wait) {
	const call = rec.string[rec.wait.syscall[wait]];
	const object = rec.string[rec.wait.object[wait]];

	return call && object && call !== object ? `${call}: ${object}` : call || object;
}

/** Returns the name of the waker or of another cause, as the index of a string. */
function wakerName(rec, span) {
	const by = rec.span.by[span];

	return rec.span.cause[span] === CAUSE.task ? rec.thread.name[by] : by;
}

/** Returns the waker's stack or, for CAUSE.net, the sender's name as the index of a string. */
function wakerStack(rec, span) {
	const waker = rec.span.waker[span];

	if (rec.span.cause[span] !== CAUSE.net)
		return waker;
	return waker > 0 ? rec.thread.name[waker - 1] : 0;
}

function wakerNode(rec, { trie }, wait, cause, waker, stack) {
	if (cause === CAUSE.task)
		return trie.reversedStack(trie.name(wait, waker), stack);
	// A wait without stack and label has no node of its own: its causes and all waits are
	// children of the process's node. The numbers of waits begin at 0, so causes have negative
	// numbers.
	const source = trie.once(wait, -1 - (waker * CAUSES + cause), () => {
		const name = rec.string[waker], word = WORD_OF_CAUSE[cause];

		return trie.leaf(wait, name ? `${word}: ${name}` : word, INK_OF_CAUSE[cause]);
	});

	return cause === CAUSE.net && stack ? trie.name(source, stack) : source;
}
