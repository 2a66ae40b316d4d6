// SPDX-License-Identifier: GPL-2.0-or-later
//
// Defines the kinds of flame graphs, and computes their sums over a range. The call graph shows the
// same kinds.
import { addOffCpu, addWakeups } from "./offcpu.js";
import { addOnCpu } from "./oncpu.js";
import { threadsByName } from "./spans.js";
import { Sums } from "./trie.js";

/** The kinds, by the value of "graph" in the state. */
export const GRAPHS = {
	cpu: { title: "On CPU", empty: "Nothing ran in this range.", fill: [addOnCpu] },
	off: { title: "Off CPU", empty: "Nothing waited in this range.", fill: [addOffCpu] },
	hot: { title: "On and off CPU", empty: "Nothing ran or waited in this range.",
	       fill: [addOnCpu, addOffCpu] },
	wakeup: { title: "Off CPU, by waker", empty: "Nothing waited in this range.",
		  fill: [addWakeups] },
};

export function sumsOf(rec, trie, graph, { process, all, from, to }) {
	const sums = new Sums(trie);
	const groups = threadsByName(rec, process, all);

	for (const add of graph.fill)
		add(rec, groups, from, to, sums);
	return sums;
}
