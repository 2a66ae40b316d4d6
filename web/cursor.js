// SPDX-License-Identifier: GPL-2.0-or-later
//
// Moves a cursor through the boxes of a picture with the arrow keys.

/**
 * Returns the index of the visible box with a ref that is nearest to box i in the direction dx, dy,
 * or -1. If i is -1, the search begins at the top left.
 */
export function nextBox(scene, i, dx, dy, { width, height }) {
	const { x, y, w, h, ref } = scene.boxes;
	const middle = (b) => ({ x: (clamped(x[b], width) + clamped(x[b] + w[b], width)) / 2,
				 y: y[b] + h[b] / 2 });
	const at = i < 0 ? { x: 0, y: 0 } : middle(i);
	let best = -1, bestDistance = Infinity;

	for (let b = 0; b < ref.length; b++) {
		if (ref[b] < 0 || b === i || (i >= 0 && ref[b] === ref[i]))
			continue;
		if (x[b] + w[b] <= 0 || x[b] >= width || y[b] + h[b] <= 0 || y[b] >= height)
			continue;
		const distance = distanceTo(middle(b), at, i < 0 ? 0 : dx, dy);

		if (distance < bestDistance) {
			best = b;
			bestDistance = distance;
		}
	}
	return best;
}

function clamped(value, most) {
	return Math.min(Math.max(value, 0), most);
}

/**
 * Returns a distance for the search, or infinity if `to` does not lie in the direction from `from`.
 * A horizontal move prefers boxes of the same row.
 */
function distanceTo(to, from, dx, dy) {
	const along = dx ? (to.x - from.x) * dx : (to.y - from.y) * (dy || 1);
	const aside = Math.abs(dx ? to.y - from.y : to.x - from.x);

	return along <= (dx ? 0 : 2) ? Infinity : along + aside * (dx ? 100 : 0.1);
}
