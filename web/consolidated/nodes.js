// SPDX-License-Identifier: GPL-2.0-or-later
//
// Control paths and a range -> a tree of pseudo-stacks: equal ones gathered, the longest first.
import { hopWeights, rowWeights } from "../flame/weights.js";
import { hasPieces } from "../flame/seen.js";
import { ROW, SLEEPS } from "../flame/rows.js";
import { INK } from "../scene.js";
import { WeightTree, stacksBelow } from "../graphs/tree.js";
import { formatNs } from "../format.js";

/** rows: PseudoRows. What WeightedPicture shows. */
export function consolidatedNodes(rec, explained, rows, from, to) {
	const weights = hopWeights(rec, explained, from, to);
	const own = rowWeights(rows, weights);
	const parents = rows.parent.slice(0, own.length);
	const tree = new WeightTree(parents, own, longestFirst);
	const natures = naturesOf(rows, weights, own.length);
	const count = explained.paths.list
		.filter((path) => hasPieces(rec.piece, path, from, to)).length;
	const all = `${count} control path${count === 1 ? "" : "s"}: ${formatNs(tree.extent)}`;

	return {
		tree, parents,
		labelOf: (row) => row ? rows.label(row) : all,
		inkOf: (row) => row ? rows.ink(row, natures[row]) : INK.faint,
		matcherOf: (query) => {
			const matches = rows.matches(query);

			return (row) => matches[rows.token[row]];
		},
		factsOf: (row) => row ? rows.facts(row) : [],
		stacksOf: (row) => stacksBelow(rows.parent, row, (one) => rows.label(one),
					     (one) => rows.kind(one) === ROW.name),
	};
}

function longestFirst(a, b, { totals }) {
	return totals[b] - totals[a] || a - b;
}

/** What each row does: that of the leaves with it on top, or waits for the thread above it. */
function naturesOf(rows, weights, count) {
	const natures = new Uint8Array(count);

	weights.forEach((ns, hop) => {
		if (ns > 0)
			natures[rows.topOf(hop)] |= rows.natureOf(hop);
	});
	for (let row = count - 1; row > 0; row--)
		natures[rows.parent[row]] |= rows.kind(row) === ROW.name ? SLEEPS : natures[row];
	return natures;
}
