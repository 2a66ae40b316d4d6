// SPDX-License-Identifier: GPL-2.0-or-later
//
// Merges the equal pseudo-stacks of control paths in a range into a tree, in which the longest
// siblings come first.
import { hopWeights, rowWeights } from "../flame/weights.js";
import { hasPieces } from "../flame/seen.js";
import { ROW, inkOfTimes } from "../flame/rows.js";
import { NATURE } from "../flame/words.js";
import { INK } from "../scene.js";
import { WeightTree, stacksBelow } from "../graphs/tree.js";
import { formatNs } from "../format.js";

/** rows: a PseudoRows. Returns nodes for WeightedPicture.show(). */
export function consolidatedNodes(rec, explained, rows, from, to) {
	const weights = hopWeights(rec, explained, from, to);
	const own = rowWeights(rows, weights);
	const parents = rows.parent.slice(0, own.length);
	const tree = new WeightTree(parents, own, longestFirst);
	const times = timesOf(rows, weights, tree.totals);
	const count = explained.paths.list
		.filter((path) => hasPieces(rec.piece, path, from, to)).length;
	const all = `${count} control path${count === 1 ? "" : "s"}: ${formatNs(tree.extent)}`;

	return {
		tree, parents,
		labelOf: (row) => row ? rows.label(row) : all,
		inkOf: (row) => row ? inkOf(rows, row, times, tree.totals) : INK.faint,
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

function inkOf(rows, row, { run, ready }, totals) {
	return rows.kind(row) === ROW.frame
		? inkOfTimes(run[row], totals[row] - run[row] - ready[row], ready[row])
		: rows.ownInk(row);
}

/**
 * Returns the times for which each row ran and waited for a CPU. Times above the next name of a
 * process do not count.
 */
function timesOf(rows, weights, totals) {
	const count = totals.length;
	const run = new Float64Array(count), ready = new Float64Array(count);

	weights.forEach((ns, hop) => {
		const nature = ns > 0 ? rows.natureOf(hop) : NATURE.sleeps;

		if (nature === NATURE.runs)
			run[rows.topOf(hop)] += ns;
		else if (nature === NATURE.ready)
			ready[rows.topOf(hop)] += ns;
	});
	for (let row = count - 1; row > 0; row--)
		if (rows.kind(row) !== ROW.name) {
			run[rows.parent[row]] += run[row];
			ready[rows.parent[row]] += ready[row];
		}
	return { run, ready };
}
