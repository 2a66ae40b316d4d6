// SPDX-License-Identifier: GPL-2.0-or-later
//
// Converts numbers to texts, like lib/base/format.c, so that a page and a report show the same
// texts.

const UNITS = [
	{ from: 999_500_000, ns: 1e9, name: "s" },
	{ from: 999_500, ns: 1e6, name: "ms" },
	{ from: 1000, ns: 1000, name: "µs" },
];

/** Returns a time as text: "1.23 s", "12.3 ms", "123 µs", "7 ns". */
export function formatNs(ns) {
	const whole = Math.round(Math.max(ns, 0));
	const unit = UNITS.find((one) => whole >= one.from);

	return unit ? `${threeDigits(whole, unit.ns)} ${unit.name}` : `${whole} ns`;
}

function threeDigits(ns, unitNs) {
	for (const digits of [2, 1, 0]) {
		const scale = 10 ** digits;
		const step = unitNs / scale;
		const n = Math.floor(ns / step) + (ns % step * 2 >= step ? 1 : 0);

		if (n < 1000 || digits === 0)
			return (n / scale).toFixed(digits);
	}
}

/**
 * Returns a share as text: "43 %", "4.3 %". The text is "0 %" only for 0, and "100 %" only for the
 * whole.
 */
export function formatShare(part, whole) {
	const tenths = whole ? Math.floor(part / whole * 1000 + 0.5) : 0;

	if (!whole || !part)
		return "0 %";
	if (part === whole)
		return "100 %";
	if (tenths === 0)
		return "<0.1 %";
	if (tenths >= 995 && part < whole)
		return `99.${tenths < 999 ? tenths - 990 : 9} %`;
	if (tenths < 100)
		return `${(tenths / 10).toFixed(1)} %`;
	return `${Math.floor(part / whole * 100 + 0.5)} %`;
}

export function formatBytes(n) {
	const units = ["B", "KiB", "MiB", "GiB", "TiB"];
	let i = 0;

	for (; n >= 1024 && i + 1 < units.length; i++)
		n /= 1024;
	return `${n.toFixed(i > 0 && n < 100 ? 1 : 0)} ${units[i]}`;
}

/** Returns a number with separators: "1,234,567". */
export function formatCount(n) {
	return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * Cuts a text to a number of characters. A path keeps its end; any other text keeps its beginning.
 */
export function formatName(name, columns) {
	if (name.length <= columns)
		return name;
	return name.startsWith("/") ? "…" + name.slice(name.length - columns + 1)
				    : name.slice(0, columns - 1) + "…";
}

export function countText(count, word) {
	return `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`;
}
