// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sets of names of programs in the state: a text, with one name on each line.

export function namesIn(text) {
	return new Set((text ?? "").split("\n").filter((name) => name));
}

export function hasName(text, name) {
	return namesIn(text).has(lineOf(name));
}

/** The same, with a name more, or without it. */
export function toggled(text, name) {
	const names = namesIn(text), line = lineOf(name);

	if (!names.delete(line))
		names.add(line);
	return [...names].join("\n");
}

/** A name as a line: its process chooses it, and may have chosen several. */
export function lineOf(name) {
	return name.replaceAll("\n", " ");
}
