// SPDX-License-Identifier: GPL-2.0-or-later
//
// Draws the flame graphs of a process or of all processes: on CPU, off CPU, both together, wakeups.
import { hasFamily } from "../data/recording.js";
import { formatNs } from "../format.js";
import { GRAPHS, sumsOf } from "./kinds.js";
import { WeightTree, stacksBelow } from "./tree.js";
import { NODE, StackTrie } from "./trie.js";
import { WeightedPicture } from "./weighted.js";

export function graphPicture(rec) {
	return new GraphPicture(rec);
}

class GraphPicture extends WeightedPicture {
	id = "graphs";
	title = "Flame graphs";
	#rec;
	#trie = null;
	#trieKey = "";
	#key = "";
	#nodes = null;

	constructor(rec) {
		super();
		this.#rec = rec;
	}

	update(state, query) {
		const graph = GRAPHS[state.graph] ?? GRAPHS.cpu;
		const { all, frames } = state;
		const trieKey = [graph.title, all ? -1 : state.process, frames].join();

		if (trieKey !== this.#trieKey) {
			this.#trie = new StackTrie(this.#rec, frames);
			this.#trieKey = trieKey;
		}
		const key = [trieKey, state.from, state.to].join();

		if (key !== this.#key) {
			this.#nodes = graphNodes(this.#rec, this.#trie, graph, {
				process: state.process, all, from: state.from, to: state.to,
			});
			this.#key = key;
		}
		this.show(this.#nodes, graph.empty, state.icicle, query);
	}
}

/** Returns nodes for WeightedPicture.show(). */
function graphNodes(rec, trie, graph, what) {
	const sums = sumsOf(rec, trie, graph, what);
	const parents = trie.parents.slice();
	const tree = new WeightTree(parents, sums.own(), (a, b) => compareNames(trie, a, b));
	const times = sums.times();
	const family = !what.all && hasFamily(rec, what.process) ? ", with descendants" : "";
	const root = `${graph.title}: ${formatNs(tree.extent)}${family}`;

	return {
		tree, parents,
		labelOf: (node) => node ? trie.labelOf(node) : root,
		inkOf: (node) => trie.inkOf(node, times),
		factsOf: (node) => moduleFacts(rec, trie.tokens[trie.token[node]].frame),
		stacksOf: (node) => stacksBelow(parents, node, (one) => trie.labelOf(one),
						(one) => trie.kindOf(one) === NODE.name),
		matcherOf: (query) => {
			const matches = trie.matches(query);

			return (node) => matches[trie.token[node]];
		},
	};
}

function compareNames(trie, a, b) {
	const one = trie.labelOf(a), other = trie.labelOf(b);

	if (one === other)
		return a - b;
	return one < other ? -1 : 1;
}

function moduleFacts(rec, frame) {
	const module = frame ? rec.string[rec.frame.module[frame]] : "";

	return module ? [["module", module]] : [];
}
