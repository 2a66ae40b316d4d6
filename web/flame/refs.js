// SPDX-License-Identifier: GPL-2.0-or-later
//
// The references of boxes in the flame view: a piece and a depth in its pseudo-stack, or the head
// of a path's band.

export const DEPTHS = 2 ** 16;
export const HEADS = 2 ** 52;

export function refOf(piece, depth) {
	return piece * DEPTHS + depth;
}
