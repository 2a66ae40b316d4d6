// SPDX-License-Identifier: GPL-2.0-or-later
//
// Handles sets of program names in the state: texts with one name per line.

export function namesIn(text) {
	return new Set((text ?? "").split("\n").filter((name) => name));
}

export function hasName(text, name) {
	return namesIn(text).has(lineOf(name));
}

export function toggled(text, name) {
	const names = namesIn(text), line = lineOf(name);

	if (!names.delete(line))
		names.add(line);
	return [...names].join("\n");
}

/** A process chooses its own name, which may contain newlines. */
export function lineOf(name) {
	return name.replaceAll("\n", " ");
}
