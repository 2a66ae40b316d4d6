// SPDX-License-Identifier: GPL-2.0-or-later
//
// Refs of the flame view: the numbers by which the state and the scene refer to boxes and names.
// The ref of a box consists of a piece and of a depth in the piece's pseudo-stack. The ref of a
// path's name is HEADS + the index of the path. The ref of a lane's name is LANES + the index of
// its first path.

export const DEPTHS = 2 ** 16;
export const HEADS = 2 ** 52;
export const LANES = HEADS + 2 ** 32;

export function refOf(piece, depth) {
	return piece * DEPTHS + depth;
}
