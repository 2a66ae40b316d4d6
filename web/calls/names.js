// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names the functions of a call graph as lib/profile/function-list.c does.

export function functionOfToken(rec, { label, frame }) {
	if (!frame)
		return { name: label, module: "" };
	const module = rec.string[rec.frame.module[frame]];
	const symbol = rec.string[rec.frame.symbol[frame]];

	return { name: isUnnamed(symbol, module) ? `${module || "?"} (no symbols)` : symbol, module };
}

function isUnnamed(symbol, module) {
	return symbol.startsWith("0x") ||
		(module !== "" && symbol.startsWith(`${module}+0x`));
}
