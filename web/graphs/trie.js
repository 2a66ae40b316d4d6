// SPDX-License-Identifier: GPL-2.0-or-later
//
// Stacks -> nodes that share their beginnings. Nodes are kept while a graph is shown, so that a
// node is the same one in every range; what changes are the weights.
import { frameName, framesOf } from "../data/recording.js";
import { PairIndex } from "../flame/pair-index.js";
import { NATURE_INK } from "../flame/rows.js";
import { INK } from "../scene.js";

/** What a node is: a frame's ink follows from what is done in it. */
export const NODE = Object.freeze({ name: 0, frame: 1, leaf: 2 });

export class StackTrie {
	#rec;
	#nodes = new PairIndex(); // of parent and key; node 0 is not in it
	#keys = new Map();
	#stacks = new PairIndex(); // of base and stack
	#nodeOfStack = [];
	#hasUser;

	/** detail: as in the flame view. */
	constructor(rec, detail) {
		this.#rec = rec;
		this.detail = detail;
		this.#hasUser = onUserFrames(rec);
		this.parents = [0];
		this.labels = ["all"];
		this.kinds = [NODE.name];
		this.inks = [INK.faint];
		this.frames = [0];
	}

	get count() {
		return this.parents.length;
	}

	name(parent, label) {
		return this.#child(parent, `n${label}`, label, NODE.name, INK.name);
	}

	leaf(parent, label, ink) {
		return this.#child(parent, `l${ink} ${label}`, label, NODE.leaf, ink);
	}

	/** The node of a stack on another node. */
	stack(base, stack) {
		if (stack === 0 || this.detail === "names")
			return base;
		const index = this.#stacks.of(base, stack);

		if (index === this.#nodeOfStack.length) {
			this.#nodeOfStack.push(0); // its callers come behind it
			const below = this.stack(base, this.#rec.stack.parent[stack]);

			this.#nodeOfStack[index] = this.#isShown(stack)
				? this.#frame(below, this.#rec.stack.frame[stack], NODE.frame, INK.run) : below;
		}
		return this.#nodeOfStack[index];
	}

	/** The same, innermost frame below. */
	reversedStack(base, stack) {
		const { frame } = this.#rec;
		const all = this.detail === "all";
		let node = base;

		if (this.detail !== "names")
			for (const one of framesOf(this.#rec, stack).reverse())
				if (all || !this.#hasUser[stack] || !frame.kernel[one])
					node = this.#frame(node, one, NODE.leaf, INK.run);
		return node;
	}

	inkOf(node, nature) {
		return this.kinds[node] === NODE.frame ? NATURE_INK[nature] : this.inks[node];
	}

	/** Frames of the kernel are left out where a call from user space stands for them. */
	#isShown(stack) {
		return this.detail === "all" || !this.#hasUser[stack] ||
			!this.#rec.frame.kernel[this.#rec.stack.frame[stack]];
	}

	#frame(parent, frame, kind, ink) {
		return this.#child(parent, frame * 2 + (kind === NODE.leaf ? 1 : 0),
				   frameName(this.#rec, frame), kind, ink, frame);
	}

	#child(parent, name, label, kind, ink, frame = 0) {
		const node = this.#nodes.of(parent, this.#keyOf(name)) + 1;

		if (node === this.parents.length) {
			this.parents.push(parent);
			this.labels.push(label);
			this.kinds.push(kind);
			this.inks.push(ink);
			this.frames.push(frame);
		}
		return node;
	}

	#keyOf(name) {
		let key = this.#keys.get(name);

		if (key === undefined) {
			key = this.#keys.size;
			this.#keys.set(name, key);
		}
		return key;
	}
}

/** Of each stack 1 if a frame of user space is in it. */
function onUserFrames({ stack, frame }) {
	const has = new Uint8Array(stack.count);

	for (let node = 1; node < stack.count; node++)
		has[node] = frame.kernel[stack.frame[node]] ? has[stack.parent[node]] : 1;
	return has;
}

/** What is measured in a range, node by node. */
export class Sums {
	#own = new Float64Array(1024);
	#natures = new Uint8Array(1024);

	constructor(trie) {
		this.trie = trie;
	}

	add(node, ns) {
		this.#reach(node);
		this.#own[node] += ns;
	}

	/** nature: what is done in the frames up to there. */
	mark(node, nature) {
		this.#reach(node);
		this.#natures[node] |= nature;
	}

	own() {
		this.#reach(this.trie.count);
		return this.#own.subarray(0, this.trie.count);
	}

	natures() {
		const { parents, count } = this.trie;

		this.#reach(count);
		for (let node = count - 1; node > 0; node--)
			this.#natures[parents[node]] |= this.#natures[node];
		return this.#natures;
	}

	#reach(node) {
		if (node < this.#own.length)
			return;
		const own = new Float64Array(node * 2), natures = new Uint8Array(node * 2);

		own.set(this.#own);
		natures.set(this.#natures);
		this.#own = own;
		this.#natures = natures;
	}
}
