// SPDX-License-Identifier: GPL-2.0-or-later
//
// Flame graphs: on-CPU, off-CPU, both (hot and cold) and wakeups, of a process or of all.
import { formatNs } from "../format.js";
import { addOffCpu, addWakeups } from "./offcpu.js";
import { addOnCpu } from "./oncpu.js";
import { threadsByName } from "./spans.js";
import { WeightTree, stacksBelow } from "./tree.js";
import { NODE, StackTrie, Sums } from "./trie.js";
import { WeightedPicture } from "./weighted.js";

const GRAPHS = {
	cpu: { title: "On CPU", empty: "Nothing ran in this range.", fill: [addOnCpu] },
	off: { title: "Off CPU", empty: "Nothing waited in this range.", fill: [addOffCpu] },
	hot: { title: "On and off CPU", empty: "Nothing ran or waited in this range.",
		   fill: [addOnCpu, addOffCpu] },
	wakeup: { title: "Off CPU, by who ended it", empty: "Nothing waited in this range.",
		  fill: [addWakeups] },
};

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

/** What WeightedPicture shows. */
function graphNodes(rec, trie, graph, { process, all, from, to }) {
	const sums = new Sums(trie);
	const groups = threadsByName(rec, process, all);

	for (const add of graph.fill)
		add(rec, groups, from, to, sums);
	const parents = trie.parents.slice();
	const tree = new WeightTree(parents, sums.own(), (a, b) => compareNames(trie, a, b));
	const times = sums.times();
	const root = `${graph.title}: ${formatNs(tree.extent)}`;

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
