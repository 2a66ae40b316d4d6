// SPDX-License-Identifier: GPL-2.0-or-later
//
// Control paths and a range -> how much time went to which chain, category and row.
import { piecesIn } from "./seen.js";

/** The pieces of a path that lie partly in a range: calls fn(piece, ns of it that do). */
export function eachPiece(rec, path, from, to, fn) {
	const { piece } = rec;
	const end = path.firstPiece + path.pieces;
	const [low, high] = piecesIn(piece, path.firstPiece, end, from, to);

	for (let i = low; i < high; i++)
		fn(i, Math.min(piece.to[i], to) - Math.max(piece.from[i], from));
}

/** All paths: of each hop node that is a leaf its ns. */
export function hopWeights(rec, explained, from, to) {
	const weights = new Float64Array(rec.hop.count);

	for (const path of explained.paths.list)
		eachPiece(rec, path, from, to, (piece, ns) => {
			weights[rec.piece.hop[piece]] += ns;
		});
	return weights;
}

/** Weights of hop nodes -> the own weight of each row: that of the chains with this row on top. */
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

/** Nodes' own weights -> with all that is above them. Parents come before their children. */
export function totalsOf(parents, own) {
	const totals = Float64Array.from(own);

	for (let i = own.length - 1; i > 0; i--)
		totals[parents[i]] += totals[i];
	return totals;
}

/**
 * The result of a search: the number of nodes, and the weight of stacks that contain one of them.
 * isMatch(node); node 0 is the ground.
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

/** Of one path: the time of each category, and of all. */
export function categoryTimes(rec, path, from, to) {
	const times = new Float64Array(rec.meta.categories.length);
	let total = 0;

	eachPiece(rec, path, from, to, (piece, ns) => {
		times[rec.piece.category[piece]] += ns;
		total += ns;
	});
	return { times, total };
}
