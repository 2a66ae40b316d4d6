// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rows of which one can have the focus: Tab leads to it, arrows to the others.

/** Moves the focus to a row; undefined: it stays. */
export function moveFocus(rows, row) {
	if (!row)
		return;
	for (const one of rows)
		one.tabIndex = one === row ? 0 : -1;
	row.focus({ preventScroll: true });
	row.scrollIntoView({ block: "nearest" });
}
