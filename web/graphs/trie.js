// SPDX-License-Identifier: GPL-2.0-or-later
//
// Stacks -> nodes that share their beginnings. Nodes are kept while a graph is shown, so that a
// node is the same one in every range; what changes are the weights.
import { frameName, framesOf } from "../data/recording.js";
import { NATURE_INK } from "../flame/rows.js";
import { INK } from "../scene.js";

/** What a node is: a frame's ink follows from what is done in it. */
export const NODE = Object.freeze({ name: 0, frame: 1, leaf: 2 });

const KEYS_MAX = 2 ** 26;

export class StackTrie {
	#rec;
	#children = new Map();
	#keys = new Map();
	#nodeOfStack = new Map();
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
		const key = base * KEYS_MAX + stack;
		let node = this.#nodeOfStack.get(key);

		if (node === undefined) {
			const below = this.stack(base, this.#rec.stack.parent[stack]);

			node = this.#isShown(stack) ? this.#frame(below, this.#rec.stack.frame[stack], NODE.frame,
								   INK.run) : below;
			this.#nodeOfStack.set(key, node);
		}
		return node;
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
		const key = parent * KEYS_MAX + this.#keyOf(name);
		let node = this.#children.get(key);

		if (node === undefined) {
			node = this.parents.length;
			this.#children.set(key, node);
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
	#own = [];
	#natures = [];

	constructor(trie) {
		this.trie = trie;
	}

	add(node, ns) {
		this.#own[node] = (this.#own[node] ?? 0) + ns;
	}

	/** nature: what is done in the frames up to there. */
	mark(node, nature) {
		this.#natures[node] = (this.#natures[node] ?? 0) | nature;
	}

	own() {
		return Float64Array.from({ length: this.trie.count }, (_, node) => this.#own[node] ?? 0);
	}

	natures() {
		const { parents, count } = this.trie;
		const natures = Uint8Array.from({ length: count }, (_, node) => this.#natures[node] ?? 0);

		for (let node = count - 1; node > 0; node--)
			natures[parents[node]] |= natures[node];
		return natures;
	}
}
