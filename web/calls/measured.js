// SPDX-License-Identifier: GPL-2.0-or-later
//
// Computes the call graph that the state selects: a process or all processes, a kind of graph, and
// a range. A new range only changes the times of the stacks.
import { GRAPHS, sumsOf } from "../graphs/kinds.js";
import { StackTrie } from "../graphs/trie.js";
import { CallGraph } from "./graph.js";
import { functionOfToken } from "./names.js";

export class MeasuredCalls {
	#rec;
	#trie = null;
	#trieKey = "";
	#key = "";

	/** inferred: the time of runs without samples, in ns, whose stacks are inferred (oncpu.js). */
	graph = null;
	inferred = 0;
	kind = GRAPHS.cpu;

	constructor(rec) {
		this.#rec = rec;
	}

	/** Returns whether the graph is a new one. */
	update({ graph, all, process, from, to }) {
		const trieKey = [graph, all ? -1 : process].join();
		const key = [trieKey, from, to].join();

		if (key === this.#key)
			return false;
		if (trieKey !== this.#trieKey)
			this.#trie = new StackTrie(this.#rec, "all");
		this.#trieKey = trieKey;
		this.#key = key;
		this.kind = GRAPHS[graph] ?? GRAPHS.cpu;
		const sums = sumsOf(this.#rec, this.#trie, this.kind, { process, all, from, to });

		this.inferred = sums.inferred;
		this.graph = new CallGraph(this.#trie, sums.own(),
			(token) => functionOfToken(this.#rec, token));
		return true;
	}
}
