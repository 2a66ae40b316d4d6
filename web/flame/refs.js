// SPDX-License-Identifier: GPL-2.0-or-later
//
// References to boxes and names in the flame view. A box is a piece and a depth in the piece's
// pseudo-stack. A name is a path. The name of a lane is the first path of the lane.

export const DEPTHS = 2 ** 16;
export const HEADS = 2 ** 52;
export const LANES = HEADS + 2 ** 32;

export function refOf(piece, depth) {
	return piece * DEPTHS + depth;
}
