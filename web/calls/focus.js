// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes the rows of a table one stop for the Tab key: one row has the focus, and arrow keys move
// the focus to other rows.

export function moveFocus(rows, row) {
	if (!row)
		return;
	for (const one of rows)
		one.tabIndex = one === row ? 0 : -1;
	row.focus({ preventScroll: true });
	row.scrollIntoView({ block: "nearest" });
}
