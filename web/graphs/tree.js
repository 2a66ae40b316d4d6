// SPDX-License-Identifier: GPL-2.0-or-later
//
// Computes the positions of nodes with weights. A node lies above its parent, beside its sorted
// siblings. Children are sorted only when needed, because most are too narrow to be drawn.
import { totalsOf } from "../flame/weights.js";

/** Narrower boxes are omitted. */
const NARROWEST_PX = 0.5;

export class WeightTree {
	#parents;
	#compare;
	#firstChild;
	#sibling;
	#children = new Map();
	#begins = new Map([[0, 0]]);

	/**
	 * parents: the parent of each node, which has a lower index than the node; node 0 is the
	 * root. compare(a, b, tree): the order of two siblings.
	 */
	constructor(parents, own, compare) {
		this.#parents = parents;
		this.#compare = compare;
		this.own = own;
		this.totals = totalsOf(parents, own);
		this.#firstChild = new Int32Array(own.length);
		this.#sibling = new Int32Array(own.length);
		for (let node = own.length - 1; node > 0; node--)
			if (this.totals[node] > 0) {
				this.#sibling[node] = this.#firstChild[parents[node]];
				this.#firstChild[parents[node]] = node;
			}
	}

	get extent() {
		return this.totals[0] ?? 0;
	}

	childrenOf(node) {
		if (!this.#children.has(node))
			this.#children.set(node, this.#ordered(node));
		return this.#children.get(node);
	}

	/** Returns the left end of a node, in units of weight. */
	beginOf(node) {
		if (!this.#begins.has(node))
			this.childrenOf(this.#parents[node]);
		return this.#begins.get(node);
	}

	#ordered(node) {
		const children = [];
		let at = this.beginOf(node);

		for (let child = this.#firstChild[node]; child; child = this.#sibling[child])
			children.push(child);
		children.sort((a, b) => this.#compare(a, b, this));
		for (const child of children) {
			this.#begins.set(child, at);
			at += this.totals[child];
		}
		return children;
	}
}

/**
 * Calls fn(node, x, width, depth) for each visible node of a tree. view: {from, to, width}; from
 * and to are in units of weight, width in px.
 */
export function eachVisibleNode(tree, view, fn) {
	const scale = view.width / (view.to - view.from);
	const waiting = tree.extent > 0 ? [[0, 0]] : [];

	while (waiting.length) {
		const [node, depth] = waiting.pop();
		const x = (tree.beginOf(node) - view.from) * scale;
		const width = tree.totals[node] * scale;

		if (width < NARROWEST_PX || x > view.width || x + width < 0)
			continue;
		fn(node, x, width, depth);
		for (const child of tree.childrenOf(node))
			if (tree.totals[child] * scale >= NARROWEST_PX)
				waiting.push([child, depth + 1]);
	}
}

/**
 * Divides the nodes from top down to the root into stacks. As in the picture, the highest stack
 * comes first. A stack begins at a node for which isName() is true. Its frames are the nodes above
 * this node, up to the next such node or to top.
 */
export function stacksBelow(parents, top, labelOf, isName) {
	const stacks = [];
	let frames = [];

	for (let node = top; node; node = parents[node])
		if (isName(node)) {
			stacks.push({ title: labelOf(node), frames });
			frames = [];
		} else {
			frames.unshift(labelOf(node));
		}
	return stacks;
}
