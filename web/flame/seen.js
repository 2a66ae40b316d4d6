// SPDX-License-Identifier: GPL-2.0-or-later
//
// The pieces of a path -> the pieces that are visible at a zoom, at most one per pixel. If several
// pieces begin within a pixel, the longest one represents them.

/** Binary search: returns the first of [low, high) for which isTrue() is true, or high. */
export function firstWhere(low, high, isTrue) {
	while (low < high) {
		const middle = (low + high) >>> 1;

		if (isTrue(middle))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/**
 * Like firstWhere(), but fast if the result is near low: the cost depends on the distance, not on
 * the number of elements.
 */
export function gallopTo(low, high, isTrue) {
	let step = 1;

	while (low + step < high && !isTrue(low + step))
		step *= 2;
	return firstWhere(low, Math.min(low + step + 1, high), isTrue);
}

/** Returns the pieces of [first, end) that overlap a range: [low, high). */
export function piecesIn(piece, first, end, from, to) {
	const low = firstWhere(first, end, (i) => piece.to[i] > from);

	return [low, firstWhere(low, end, (i) => piece.from[i] >= to)];
}

/** Returns whether a path has time in a range. */
export function hasPieces(piece, { firstPiece, pieces }, from, to) {
	const [low, high] = piecesIn(piece, firstPiece, firstPiece + pieces, from, to);

	return low < high;
}

/**
 * view: {from, to, width}. Returns the visible pieces as columns: the index of the piece, the first
 * and the last of the pieces that it represents, and the begin and the end of its box.
 */
export function seenPieces(piece, longest, low, high, view) {
	const pixel = (view.to - view.from) / view.width;
	const seen = { piece: [], first: [], last: [], from: [], to: [] };
	let i = low;

	while (i < high) {
		const begin = Math.max(piece.from[i], view.from);

		if (piece.to[i] - begin >= pixel) {
			add(seen, i, i, i, begin, Math.min(piece.to[i], view.to));
			i++;
			continue;
		}
		const column = Math.floor((begin - view.from) / pixel);
		const next = view.from + (column + 1) * pixel;
		const end = gallopTo(i, high, (k) => k > i && piece.from[k] >= next);
		const one = end - i === 1 ? i : longest.of(i, end);

		add(seen, one, i, end - 1, view.from + column * pixel,
		    Math.min(Math.max(next, piece.to[end - 1]), view.to));
		i = end;
	}
	return seen;
}

function add(seen, piece, first, last, from, to) {
	seen.piece.push(piece);
	seen.first.push(first);
	seen.last.push(last);
	seen.from.push(from);
	seen.to.push(to);
}
