// SPDX-License-Identifier: GPL-2.0-or-later
//
// Computes the order of processes from top to bottom: processes that often wake each other are
// close together.
//
// The processes form a graph. The weight of an edge is the number of wakeups between two processes.
// From the process of interest, a spanning tree grows, always by the heaviest edge (Prim's
// algorithm). inOrder() lists the processes of the tree. The processes of the recorder come after all
// other processes, and kernel threads come last: they wake nearly all processes, so they would
// connect all of them.
import { THREAD_FLAG } from "../data/recording.js";
import { sumsOfThread } from "./sums.js";

/** A fork counts as FORK_WEIGHT wakeups, so that a process is close to its parent. */
const FORK_WEIGHT = 20;

/** The names of the recorder's processes. Keep this equal to lib/trace/own.c. */
const RECORDER = /^(rspd|rsp-worker|rspctl|rspd-.*)$/;

/** Ranks of processes. Only processes of the rank "usual" have edges. */
const RANK = { usual: 0, recorder: 1, kernel: 2 };

/** Returns the indices of processes, from top to bottom. first: the process of interest. */
export function orderOfProcesses(rec, wakeups, first) {
	const all = Array.from({ length: rec.process.count }, (_, p) => p);
	const ranks = all.map((p) => p === first ? RANK.usual : rankOf(rec, p));
	const linkWeights = linkWeightsOf(rec, wakeups, ranks);
	const ran = all.map((p) => ranOf(rec, p));
	const placed = new Uint8Array(rec.process.count);

	return rootsOf(rec, first, ranks).flatMap((root) => placed[root] ? []
		: inOrder(rec, treeFrom(root, linkWeights, placed), root, ran));
}

/**
 * Returns the processes from which trees may grow, in this order: the process of interest, other
 * processes by rank and age.
 */
function rootsOf(rec, first, ranks) {
	const bornAt = (p) => rec.thread.from[rec.process.firstThread[p]] ?? 0;
	const others = ranks.map((_, p) => p)
		.sort((a, b) => ranks[a] - ranks[b] || bornAt(a) - bornAt(b) || a - b);

	return rec.process.count ? [first, ...others] : [];
}

function rankOf(rec, process) {
	const thread = rec.process.firstThread[process];

	if (rec.thread.flags[thread] & THREAD_FLAG.kernel)
		return RANK.kernel;
	return RECORDER.test(rec.string[rec.process.name[process]]) ? RANK.recorder : RANK.usual;
}

/** Returns the time for which the threads of a process ran. */
function ranOf(rec, process) {
	const { firstThread } = rec.process;
	let ns = 0;

	for (let thread = firstThread[process]; thread < firstThread[process + 1]; thread++)
		ns += sumsOfThread(rec, thread, 0, Infinity).run;
	return ns;
}

/**
 * Returns, for each process, a Map from another process to the weight of their edge: the number of
 * wakeups in both directions, plus FORK_WEIGHT for a fork.
 */
function linkWeightsOf(rec, wakeups, ranks) {
	const linkWeights = Array.from({ length: rec.process.count }, () => new Map());

	const add = (a, b, weight) => {
		if (a === b || ranks[a] !== RANK.usual || ranks[b] !== RANK.usual)
			return;
		linkWeights[a].set(b, (linkWeights[a].get(b) ?? 0) + weight);
		linkWeights[b].set(a, (linkWeights[b].get(a) ?? 0) + weight);
	};

	for (let i = 0; i < wakeups.count; i++)
		add(rec.thread.process[wakeups.waker[i]], rec.thread.process[wakeups.wakee[i]], 1);
	for (let p = 0; p < rec.process.count; p++)
		if (parentOf(rec, p) >= 0)
			add(parentOf(rec, p), p, FORK_WEIGHT);
	return linkWeights;
}

/** Returns the parent of a process, or -1 if the parent is unknown. */
function parentOf(rec, process) {
	const parent = rec.thread.parent[rec.process.firstThread[process]];

	return parent ? rec.thread.process[parent - 1] : -1;
}

/**
 * Returns the heaviest tree from a root as a Map from a process to its children, in the order in
 * which they were found.
 */
function treeFrom(root, linkWeights, placed) {
	const children = new Map();
	const heap = [{ weight: 0, from: -1, to: root }];

	while (heap.length) {
		const { from, to } = popHeaviest(heap);

		if (placed[to])
			continue;
		placed[to] = 1;
		children.set(to, []);
		children.get(from)?.push(to);
		for (const [other, weight] of linkWeights[to])
			if (!placed[other])
				pushEdge(heap, { weight, from: to, to: other });
	}
	return children;
}

/**
 * Returns the processes of a tree by families. A family is a process and its descendants by fork.
 * The family of the root comes first. Families that communicate with it follow, those with the most
 * wakeups first, and then families that communicate with these. In a family, children of one name
 * are adjacent, and those names come first whose processes ran longest, with their descendants.
 * ran: the time for which each process ran.
 */
function inOrder(rec, children, root, ran) {
	const ownOf = (process) => children.get(process)
		.filter((child) => parentOf(rec, child) === process);
	const sums = sumsOfFamilies(children, root, ownOf, ran);
	const familyOf = (head) => depthFirst(head, (one) => byTime(rec, ownOf(one), sums));
	const order = familyOf(root);

	// Families are appended to the list while the loop reads it.
	for (const process of order)
		for (const child of children.get(process))
			if (parentOf(rec, child) !== process)
				familyOf(child).forEach((one) => order.push(one));
	return order;
}

/** Returns siblings sorted by the time of all siblings of the same name, then by age. */
function byTime(rec, siblings, sums) {
	const { name } = rec.process;
	const total = new Map();

	for (const one of siblings)
		total.set(name[one], (total.get(name[one]) ?? 0) + sums.get(one));
	return siblings.sort((a, b) => total.get(name[b]) - total.get(name[a]) ||
		name[a] - name[b] || a - b);
}

/** Returns a Map: process of a tree → total time for which the process and its descendants ran. */
function sumsOfFamilies(children, root, ownOf, ran) {
	const sums = new Map();
	const bottomUp = depthFirst(root, (one) => children.get(one)).reverse();

	for (const process of bottomUp)
		sums.set(process, ownOf(process)
			.reduce((sum, child) => sum + sums.get(child), ran[process]));
	return sums;
}

/**
 * Returns the processes of a tree depth first. The function is not recursive, because a tree may be
 * as deep as the number of processes.
 */
function depthFirst(root, childrenOf) {
	const order = [];
	const stack = [root];

	while (stack.length) {
		const process = stack.pop();

		order.push(process);
		// The last element of the stack is visited first.
		stack.push(...[...childrenOf(process)].reverse());
	}
	return order;
}

function pushEdge(heap, edge) {
	let i = heap.push(edge) - 1;

	for (let up = (i - 1) >> 1; i > 0 && heap[up].weight < edge.weight; up = (i - 1) >> 1) {
		heap[i] = heap[up];
		i = up;
	}
	heap[i] = edge;
}

function popHeaviest(heap) {
	const top = heap[0];
	const last = heap.pop();
	let i = 0;

	if (!heap.length)
		return top;
	for (;;) {
		let down = 2 * i + 1;

		if (down + 1 < heap.length && heap[down + 1].weight > heap[down].weight)
			down++;
		if (down >= heap.length || heap[down].weight <= last.weight)
			break;
		heap[i] = heap[down];
		i = down;
	}
	heap[i] = last;
	return top;
}
