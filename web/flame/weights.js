// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sums the time of control paths in a range by chain, category and row.
import { piecesIn } from "./seen.js";

/**
 * Calls fn(piece, ns) for each piece of a path that overlaps a range; ns: its time within the
 * range.
 */
export function eachPiece(rec, path, from, to, fn) {
	const { piece } = rec;
	const end = path.firstPiece + path.pieces;
	const [low, high] = piecesIn(piece, path.firstPiece, end, from, to);

	for (let i = low; i < high; i++)
		fn(i, Math.min(piece.to[i], to) - Math.max(piece.from[i], from));
}

/** Returns, for each hop that is a leaf, its time in ns over all paths. */
export function hopWeights(rec, explained, from, to) {
	const weights = new Float64Array(rec.hop.count);

	for (const path of explained.paths.list)
		eachPiece(rec, path, from, to, (piece, ns) => {
			weights[rec.piece.hop[piece]] += ns;
		});
	return weights;
}

/** Returns, for each row, the weight of the chains with this topmost row. */
export function rowWeights(rows, weights) {
	const tops = [];

	weights.forEach((ns, hop) => {
		if (ns > 0)
			tops.push(rows.topOf(hop), ns);
	});
	const own = new Float64Array(rows.count);

	for (let i = 0; i < tops.length; i += 2)
		own[tops[i]] += tops[i + 1];
	return own;
}

/**
 * Returns the total of each node: its own weight, and the weights of all nodes above it. parents:
 * the parent of each node, which has a lower index than the node.
 */
export function totalsOf(parents, own) {
	const totals = Float64Array.from(own);

	for (let i = own.length - 1; i > 0; i--)
		totals[parents[i]] += totals[i];
	return totals;
}

/**
 * Returns the number of matching nodes with a weight, and the weight of the stacks that contain a
 * matching node. Node 0 is not searched.
 */
export function matchedIn(parents, totals, isMatch) {
	const within = new Uint8Array(totals.length);
	let count = 0, ns = 0;

	for (let i = 1; i < totals.length; i++) {
		const found = isMatch(i);

		within[i] = within[parents[i]] || found ? 1 : 0;
		count += found && totals[i] > 0 ? 1 : 0;
		if (found && !within[parents[i]])
			ns += totals[i];
	}
	return { count, ns };
}

export function categoryTimes(rec, path, from, to) {
	const times = new Float64Array(rec.meta.categories.length);
	let total = 0;

	eachPiece(rec, path, from, to, (piece, ns) => {
		times[rec.piece.category[piece]] += ns;
		total += ns;
	});
	return { times, total };
}
