// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rows of which at most one has the focus: Tab moves the focus to it, arrow keys move it to other
// rows.

/** Moves the focus to a row; undefined: keeps it. */
export function moveFocus(rows, row) {
	if (!row)
		return;
	for (const one of rows)
		one.tabIndex = one === row ? 0 : -1;
	row.focus({ preventScroll: true });
	row.scrollIntoView({ block: "nearest" });
}
