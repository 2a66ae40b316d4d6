// SPDX-License-Identifier: GPL-2.0-or-later
//
// The references of boxes in the flame view: a piece and a depth in its pseudo-stack, or the name of a
// path, or that of a lane that several paths share, by the first one.

export const DEPTHS = 2 ** 16;
export const HEADS = 2 ** 52;
export const LANES = HEADS + 2 ** 32;

export function refOf(piece, depth) {
	return piece * DEPTHS + depth;
}
