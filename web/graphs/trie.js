// SPDX-License-Identifier: GPL-2.0-or-later
//
// Stacks -> nodes. Stacks with the same outer frames share nodes. Nodes are kept while a graph is
// shown. So a node is the same in every range, and only the weights change.
import { frameName } from "../data/recording.js";
import { PairIndex, PairMemo } from "../flame/pair-index.js";
import { inkOfTimes } from "../flame/rows.js";
import { NATURE } from "../flame/words.js";
import { INK } from "../scene.js";

/** The type of a node. The ink of a frame depends on the activity. */
export const NODE = Object.freeze({ name: 0, frame: 1, leaf: 2 });

export class StackTrie {
	#rec;
	#nodes = new PairIndex(); // of parent and token; without node 0
	#tokens = new Map();
	#stacks = new PairMemo(); // of base and stack
	#reversed = new PairMemo();
	#others = new PairMemo();
	#hasUser;

	/** detail: as in the flame view. */
	constructor(rec, detail) {
		this.#rec = rec;
		this.detail = detail;
		this.#hasUser = onUserFrames(rec);
		this.parents = [0];
		this.token = [0];
		// Each different name, leaf and frame, once. Nodes refer to them by index.
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

	/** The result of a search, by token. */
	matches(query) {
		return Uint8Array.from(this.tokens, ({ label }) => query.test(label) ? 1 : 0);
	}

	/** Returns the node for the name of a process or thread. name: the index of a string. */
	name(parent, name) {
		const label = this.#rec.string[name] || "[unknown]";

		return this.#child(parent, -1 - name, label, NODE.name, INK.name);
	}

	leaf(parent, label, ink) {
		return this.#child(parent, `${ink} ${label}`, label, NODE.leaf, ink);
	}

	/** Returns the node for a stack that was not recorded. */
	noStack(base) {
		return this.detail === "names" ? base : this.leaf(base, "[no stack]", INK.unknown);
	}

	/** Returns the child of base for a number. make() makes the node if it does not exist. */
	once(base, number, make) {
		return this.#others.of(base, number, make);
	}

	/** Adds the frames of a stack above base, outermost first. Returns the topmost node. */
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

	/** Like stack(), but innermost frame first. */
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

	/** times: the result of Sums.times(). */
	inkOf(node, { run, sleep }) {
		const { kind, ink } = this.tokens[this.token[node]];

		return kind === NODE.frame ? inkOfTimes(run[node], sleep[node], 0) : ink;
	}

	/**
	 * Hides frames of the kernel if a frame of user space represents them: a frame below them
	 * or, in a reversed stack, a frame anywhere.
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

/** For each stack, 1 if it contains a frame of user space. */
function onUserFrames({ stack, frame }) {
	const has = new Uint8Array(stack.count);

	for (let node = 1; node < stack.count; node++)
		has[node] = frame.kernel[stack.frame[node]] ? has[stack.parent[node]] : 1;
	return has;
}

/** The measurements in a range, per node. */
export class Sums {
	#own = new Float64Array(1024);
	#run = new Float64Array(1024);
	#sleep = new Float64Array(1024);

	/**
	 * The time of runs without samples that other samples, or the stack with which the run left
	 * the CPU, stand for.
	 */
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
	 * Returns how long each node ran and slept, including the nodes above it. Call this once,
	 * after all times were added.
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
