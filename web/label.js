// SPDX-License-Identifier: GPL-2.0-or-later
//
// Cuts a label to the part that fits into a box.

export const LABEL_PX = 11;
export const LABEL_FONT = `${LABEL_PX}px system-ui, ` +
	"\"Segoe UI\", \"Noto Sans\", \"Liberation Sans\", sans-serif";
export const LABEL_PADDING = 3;
/** Minimum width of a box with a label: a letter and an ellipsis. */
export const LABELLED_PX = 22;

/** Returns the text that fits into a box, or "". */
export function fittedLabel(label, boxWidth, widthOf) {
	const room = boxWidth - 2 * LABEL_PADDING;

	if (!label || boxWidth < LABELLED_PX)
		return "";
	const width = widthOf(label);

	if (width <= room)
		return label;
	// Letters differ in width, so the first length is an estimate.
	let kept = Math.floor(label.length * (room - widthOf("…")) / width);

	while (kept > 0 && widthOf(label.slice(0, kept) + "…") > room)
		kept--;
	return kept < 1 ? "" : label.slice(0, kept) + "…";
}

/** Caches the widths of texts, because measuring is slow. */
export class Widths {
	#measure;
	#known = new Map();

	constructor(measure) {
		this.#measure = measure;
		this.of = (text) => this.#of(text);
	}

	#of(text) {
		let width = this.#known.get(text);

		if (width === undefined) {
			if (this.#known.size > 50_000)
				this.#known.clear();
			width = this.#measure(text);
			this.#known.set(text, width);
		}
		return width;
	}
}
