// SPDX-License-Identifier: GPL-2.0-or-later
//
// Merges stacks into a tree: stacks with the same outer frames share nodes. A node stays the same
// when the range changes; only its weight changes.
import { frameName } from "../data/recording.js";
import { PairIndex, PairMemo } from "../flame/pair-index.js";
import { inkOfTimes } from "../flame/rows.js";
import { NATURE } from "../flame/words.js";
import { INK } from "../scene.js";

export const NODE = Object.freeze({ name: 0, frame: 1, leaf: 2 });

export class StackTrie {
	#rec;
	#nodes = new PairIndex(); // maps (parent, token) to a node; without node 0
	#tokens = new Map();
	#stacks = new PairMemo(); // maps (base, stack) to a node
	#reversed = new PairMemo();
	#others = new PairMemo();
	#hasUser;

	/** detail: an element of DETAILS (flame/rows.js). */
	constructor(rec, detail) {
		this.#rec = rec;
		this.detail = detail;
		this.#hasUser = onUserFrames(rec);
		this.parents = [0];
		this.token = [0];
		// Each different name, leaf and frame is one token. A node refers to its token by
		// index.
		this.tokens = [{ label: "all", kind: NODE.name, ink: INK.faint, frame: 0 }];
	}

	get count() {
		return this.parents.length;
	}

	labelOf(node) {
		return this.tokens[this.token[node]].label;
	}

	kindOf(node) {
		return this.tokens[this.token[node]].kind;
	}

	/** Returns 1 for each token whose label matches the search, otherwise 0. */
	matches(query) {
		return Uint8Array.from(this.tokens, ({ label }) => query.test(label) ? 1 : 0);
	}

	/** Returns the node for a process or thread; name: its name, as the index of a string. */
	name(parent, name) {
		const label = this.#rec.string[name] || "[unknown]";

		return this.#child(parent, -1 - name, label, NODE.name, INK.name);
	}

	leaf(parent, label, ink) {
		return this.#child(parent, `${ink} ${label}`, label, NODE.leaf, ink);
	}

	/** Returns the node for a stack that was not recorded; base itself if stacks are hidden. */
	noStack(base) {
		return this.detail === "names" ? base : this.leaf(base, "[no stack]", INK.unknown);
	}

	/**
	 * Returns the node for a pair (base, number). make() makes the node when the pair is new.
	 */
	once(base, number, make) {
		return this.#others.of(base, number, make);
	}

	/**
	 * Adds the frames of a stack above base, the outermost frame first, except hidden frames.
	 * Returns the topmost node.
	 */
	stack(base, stack) {
		if (stack === 0 || this.detail === "names")
			return base;
		return this.#stacks.of(base, stack, () => {
			const below = this.stack(base, this.#rec.stack.parent[stack]);

			return this.#isShown(stack)
				? this.#frame(below, this.#rec.stack.frame[stack], NODE.frame)
				: below;
		});
	}

	/** Like stack(), but adds the innermost frame first, and makes nodes of kind NODE.leaf. */
	reversedStack(base, stack) {
		if (stack === 0 || this.detail === "names")
			return base;
		return this.#reversed.of(base, stack, () => {
			const { parent, frame } = this.#rec.stack;
			let node = base;

			for (let one = stack; one; one = parent[one])
				if (this.#isShown(one, stack))
					node = this.#frame(node, frame[one], NODE.leaf);
			return node;
		});
	}

	/** The second argument is the result of Sums.times(). */
	inkOf(node, { run, sleep }) {
		const { kind, ink } = this.tokens[this.token[node]];

		return kind === NODE.frame ? inkOfTimes(run[node], sleep[node], 0) : ink;
	}

	/**
	 * Returns whether a frame is shown. Unless all frames are shown, a frame of the kernel is
	 * hidden if the stack contains a frame of user space: below this frame or, in a reversed
	 * stack, anywhere.
	 */
	#isShown(node, stack = node) {
		return this.detail === "all" || !this.#hasUser[stack] ||
			!this.#rec.frame.kernel[this.#rec.stack.frame[node]];
	}

	#frame(parent, frame, kind) {
		return this.#child(parent, frame * 2 + (kind === NODE.leaf ? 1 : 0),
				   frameName(this.#rec, frame), kind, INK.run, frame);
	}

	#child(parent, name, label, kind, ink, frame = 0) {
		const token = this.#tokenOf(name, label, kind, ink, frame);
		const node = this.#nodes.of(parent, token) + 1;

		if (node === this.parents.length) {
			this.parents.push(parent);
			this.token.push(token);
		}
		return node;
	}

	#tokenOf(name, label, kind, ink, frame) {
		let token = this.#tokens.get(name);

		if (token === undefined) {
			token = this.tokens.length;
			this.#tokens.set(name, token);
			this.tokens.push({ label, kind, ink, frame });
		}
		return token;
	}
}

/** Returns, for each stack, 1 if it contains a frame of user space, otherwise 0. */
function onUserFrames({ stack, frame }) {
	const has = new Uint8Array(stack.count);

	for (let node = 1; node < stack.count; node++)
		has[node] = frame.kernel[stack.frame[node]] ? has[stack.parent[node]] : 1;
	return has;
}

/** The times of the nodes of a StackTrie within a range. */
export class Sums {
	#own = new Float64Array(1024);
	#run = new Float64Array(1024);
	#sleep = new Float64Array(1024);

	/** The time of runs without samples, in ns, for which other stacks were used (oncpu.js). */
	inferred = 0;

	constructor(trie) {
		this.trie = trie;
	}

	add(node, ns) {
		this.#reach(node);
		this.#own[node] += ns;
	}

	/** nature: the activity in the frames up to the node. */
	mark(node, nature, ns) {
		this.#reach(node);
		(nature === NATURE.runs ? this.#run : this.#sleep)[node] += ns;
	}

	own() {
		this.#reach(this.trie.count);
		return this.#own.subarray(0, this.trie.count);
	}

	/**
	 * Returns the times for which each node ran and slept, with the nodes above it. Call this
	 * once, after all times have been added.
	 */
	times() {
		const { parents, count } = this.trie;

		this.#reach(count);
		for (let node = count - 1; node > 0; node--) {
			this.#run[parents[node]] += this.#run[node];
			this.#sleep[parents[node]] += this.#sleep[node];
		}
		return { run: this.#run, sleep: this.#sleep };
	}

	#reach(node) {
		if (node < this.#own.length)
			return;
		this.#own = enlarged(this.#own, node * 2);
		this.#run = enlarged(this.#run, node * 2);
		this.#sleep = enlarged(this.#sleep, node * 2);
	}
}

function enlarged(values, size) {
	const larger = new Float64Array(size);

	larger.set(values);
	return larger;
}
