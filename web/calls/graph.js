// SPDX-License-Identifier: GPL-2.0-or-later
//
// Computes a call graph from stacks with times: the list of functions, a tree of callees and a tree
// of callers. The rules are those of lib/profile/function-list.c and calls.c. In the total time of
// a function, each stack counts once, even if the function is recursive. All code of a module
// without symbols is one function.
import { totalsOf } from "../flame/weights.js";

/** Replaces the number of a function if a node is a process, or if the function is unknown. */
export const NO_FUNCTION = -1;

/** Returns the name that links (the fragment of the URL) use for a function. */
export function functionKey({ name, module }) {
	return module ? `${name}@${module}` : name;
}

export class CallGraph {
	#parents;
	#own;
	#totals;
	#firstChild;
	#sibling;
	#functionOf; // of each node
	#isOutermost; // of each node: whether none of its callers is the same function
	#numbers = new Map(); // key -> number

	/**
	 * [number]: {name, module, self, total, depth}; depth: the smallest depth of its nodes.
	 */
	functions = [];

	/**
	 * trie: a StackTrie; own: the time of each node, without its callees. nameOf(token):
	 * returns {name, module}.
	 */
	constructor(trie, own, nameOf) {
		this.#parents = trie.parents.slice(0, own.length);
		this.#own = own;
		this.#totals = totalsOf(this.#parents, own);
		this.total = this.#totals[0] ?? 0;
		this.#link();
		this.#name(trie, nameOf);
		this.#weigh();
	}

	find(key) {
		return this.#numbers.get(key) ?? NO_FUNCTION;
	}

	/**
	 * Returns the roots of the tree of callees, the longest first. If a function is given, it
	 * is the only root. A node is {number, total, self, nodes}.
	 */
	calleesFrom(number) {
		const groups = new Map();

		if (number === NO_FUNCTION)
			this.#eachRoot((node) => this.#addCallee(groups, node));
		else
			this.#eachNode((node) => {
				if (this.#functionOf[node] === number && this.#isOutermost[node])
					this.#addCallee(groups, node);
			});
		return this.#ordered(groups);
	}

	calleesOf({ nodes }) {
		const groups = new Map();

		for (const node of nodes)
			this.#eachChild(node, (child) => this.#addCallee(groups, child));
		return this.#ordered(groups);
	}

	/**
	 * Returns the roots of the tree of callers. If a function is given, it is the only root.
	 * Otherwise, the roots are all functions with time of their own, and their own time is
	 * their total. A node is {number, total, self, nodes, weights}; self: the time of the
	 * stacks whose outermost function is this node.
	 */
	callersFrom(number) {
		const groups = new Map();

		this.#eachNode((node) => {
			if (number === NO_FUNCTION)
				this.#addCaller(groups, node, this.#own[node]);
			else if (this.#functionOf[node] === number && this.#isOutermost[node])
				this.#addCaller(groups, node, this.#totals[node]);
		});
		return this.#ordered(groups);
	}

	callersOf({ nodes, weights }) {
		const groups = new Map();

		nodes.forEach((node, i) => {
			this.#addCaller(groups, this.#parents[node], weights[i]);
		});
		return this.#ordered(groups);
	}

	#link() {
		this.#firstChild = new Int32Array(this.#own.length);
		this.#sibling = new Int32Array(this.#own.length);
		for (let node = this.#own.length - 1; node > 0; node--)
			if (this.#totals[node] > 0) {
				this.#sibling[node] = this.#firstChild[this.#parents[node]];
				this.#firstChild[this.#parents[node]] = node;
			}
	}

	#name(trie, nameOf) {
		const ofToken = trie.tokens.map(() => NO_FUNCTION);

		this.#functionOf = new Int32Array(this.#own.length).fill(NO_FUNCTION);
		this.#eachNode((node) => {
			const token = trie.token[node];

			// A node below the root is a process, which is not a function.
			if (this.#parents[node] === 0)
				return;
			if (ofToken[token] === NO_FUNCTION)
				ofToken[token] = this.#numberOf(nameOf(trie.tokens[token]));
			this.#functionOf[node] = ofToken[token];
		});
	}

	#numberOf(names) {
		const key = functionKey(names);

		if (!this.#numbers.has(key)) {
			this.#numbers.set(key, this.functions.length);
			this.functions.push({ ...names, self: 0, total: 0, depth: Infinity });
		}
		return this.#numbers.get(key);
	}

	#weigh() {
		const depths = new Int32Array(this.#own.length);

		this.#isOutermost = new Uint8Array(this.#own.length);
		this.#eachNode((node) => {
			const number = this.#functionOf[node];

			depths[node] = depths[this.#parents[node]] + 1;
			if (number === NO_FUNCTION)
				return;
			const one = this.functions[number];

			one.self += this.#own[node];
			if (this.#isRecursive(node, number))
				return;
			this.#isOutermost[node] = 1;
			one.total += this.#totals[node];
			one.depth = Math.min(one.depth, depths[node]);
		});
	}

	#isRecursive(node, number) {
		for (let one = this.#parents[node]; one; one = this.#parents[one])
			if (this.#functionOf[one] === number)
				return true;
		return false;
	}

	/** Calls fn(node) for nodes with time, callers first. */
	#eachNode(fn) {
		for (let node = 1; node < this.#own.length; node++)
			if (this.#totals[node] > 0)
				fn(node);
	}

	#eachChild(node, fn) {
		for (let child = this.#firstChild[node]; child; child = this.#sibling[child])
			fn(child);
	}

	/** Calls fn(node) for the outermost functions of the stacks. */
	#eachRoot(fn) {
		this.#eachChild(0, (process) => this.#eachChild(process, fn));
	}

	#addCallee(groups, node) {
		const group = this.#groupOf(groups, this.#functionOf[node]);

		group.total += this.#totals[node];
		group.self += this.#own[node];
		group.nodes.push(node);
	}

	#addCaller(groups, node, weight) {
		const number = this.#functionOf[node];

		if (number === NO_FUNCTION || weight === 0)
			return;
		const group = this.#groupOf(groups, number);

		group.total += weight;
		if (this.#functionOf[this.#parents[node]] === NO_FUNCTION)
			group.self += weight;
		group.nodes.push(node);
		group.weights.push(weight);
	}

	#groupOf(groups, number) {
		if (!groups.has(number))
			groups.set(number, { number, total: 0, self: 0, nodes: [], weights: [] });
		return groups.get(number);
	}

	#ordered(groups) {
		const name = ({ number }) => this.functions[number].name;

		return [...groups.values()].sort((a, b) =>
			b.total - a.total || (name(a) < name(b) ? -1 : Number(name(a) > name(b))));
	}
}
