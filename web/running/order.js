// SPDX-License-Identifier: GPL-2.0-or-later
//
// Computes the order of processes from top to bottom: processes that often wake each other are
// close together.
//
// The processes form a graph. The weight of an edge is the number of wakeups between two processes.
// From the process of interest, a spanning tree grows, always by the heaviest edge (Prim's
// algorithm). The result is the depth-first order of the tree. Kernel threads come last: they wake
// nearly all processes, so they would connect all of them.
import { THREAD_FLAG } from "../data/recording.js";

/** A fork counts as FORK_WEIGHT wakeups, so that a process is close to its parent. */
const FORK_WEIGHT = 20;

/** first: the process of interest. */
export function orderOfProcesses(rec, wakeups, first) {
	const linkWeights = linkWeightsOf(rec, wakeups);
	const order = [];
	const placed = new Uint8Array(rec.process.count);

	for (const root of rootsOf(rec, first))
		if (!placed[root])
			appendTree(rec, treeFrom(root, linkWeights, placed), root, order);
	return order;
}

/**
 * Returns the processes from which trees may grow, in this order: the process of interest, other
 * processes by age, kernel threads.
 */
function rootsOf(rec, first) {
	const ages = Array.from({ length: rec.process.count }, (_, p) => p);
	const bornAt = (p) => rec.thread.from[rec.process.firstThread[p]] ?? 0;

	ages.sort((a, b) => isKernel(rec, a) - isKernel(rec, b) || bornAt(a) - bornAt(b) || a - b);
	return rec.process.count ? [first, ...ages] : [];
}

export function isKernel(rec, process) {
	const thread = rec.process.firstThread[process];

	return rec.thread.flags[thread] & THREAD_FLAG.kernel ? 1 : 0;
}

/**
 * Returns, for each process, a Map from another process to the weight of their edge: the number of
 * wakeups in both directions, plus FORK_WEIGHT for a fork. Kernel threads have no edges.
 */
function linkWeightsOf(rec, wakeups) {
	const linkWeights = Array.from({ length: rec.process.count }, () => new Map());

	const add = (a, b, weight) => {
		if (a === b || isKernel(rec, a) || isKernel(rec, b))
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

/** A tree may be as deep as the number of processes, so this function is not recursive. */
function appendTree(rec, children, root, order) {
	const stack = [root];

	while (stack.length) {
		const process = stack.pop();

		order.push(process);
		// The last element of the stack is visited first.
		stack.push(...inOrder(rec, process, children.get(process)).reverse());
	}
}

/** The children that the process started come first. The other children keep their order. */
function inOrder(rec, process, children) {
	const isOwn = (child) => parentOf(rec, child) === process;

	return [...children.filter(isOwn).sort((a, b) => a - b),
		...children.filter((child) => !isOwn(child))];
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
