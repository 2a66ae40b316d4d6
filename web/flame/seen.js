// SPDX-License-Identifier: GPL-2.0-or-later
//
// Selects the pieces of a path to draw: at most one per pixel. If several pieces begin within a
// pixel, the longest one represents them.

/**
 * Returns the first element of [low, high) for which isTrue() is true, or high, by a binary search.
 */
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

/** Like firstWhere(), but fast if the result is near low. */
export function gallopTo(low, high, isTrue) {
	let step = 1;

	while (low + step < high && !isTrue(low + step))
		step *= 2;
	return firstWhere(low, Math.min(low + step + 1, high), isTrue);
}

/** Returns [low, high]: the pieces low..high-1 of first..end-1 overlap the range from..to. */
export function piecesIn(piece, first, end, from, to) {
	const low = firstWhere(first, end, (i) => piece.to[i] > from);

	return [low, firstWhere(low, end, (i) => piece.from[i] >= to)];
}

export function hasPieces(piece, { firstPiece, pieces }, from, to) {
	const [low, high] = piecesIn(piece, firstPiece, firstPiece + pieces, from, to);

	return low < high;
}

/**
 * Returns the pieces to draw as columns. piece: the index of the piece; first, last: the pieces
 * that it represents; from, to: the times of its box. view: {from, to, width}.
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
