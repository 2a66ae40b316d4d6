// SPDX-License-Identifier: GPL-2.0-or-later
//
// The visible part of the x axis. In a picture over time, this is the range of the state. In a
// picture of a sum, this is the zoom of the stage.
import { RANGE_MIN_NS } from "./state.js";

/** Returns the range zoomed by a factor about the instant at, kept within 0..end. */
export function zoomed({ from, to }, at, factor, end) {
	const width = Math.min(Math.max((to - from) * factor, RANGE_MIN_NS), end);
	const start = at - (at - from) * width / Math.max(to - from, 1);

	return moved({ from: start, to: start + width }, 0, end);
}

export function moved({ from, to }, ns, end) {
	const width = Math.min(to - from, end);
	const start = Math.min(Math.max(from + ns, 0), end - width);

	return { from: start, to: start + width };
}

export class TimeAxis {
	#state;
	#end;

	constructor(state, end) {
		this.#state = state;
		this.#end = end;
	}

	get range() {
		return { from: this.#state.from, to: this.#state.to };
	}

	get end() {
		return this.#end;
	}

	set({ from, to }) {
		this.#state.set({ from, to });
	}
}

export class WeightAxis {
	#picture;
	#changed;
	#zoom = null;

	constructor(picture, changed) {
		this.#picture = picture;
		this.#changed = changed;
	}

	/** A zoom ends when the sum changes (another graph, process or range). */
	get isZoomed() {
		return this.#zoom?.end === this.end;
	}

	get range() {
		return this.isZoomed ? moved(this.#zoom, 0, this.end) : { from: 0, to: this.end };
	}

	get end() {
		return Math.max(this.#picture.extent(), 1);
	}

	set({ from, to }) {
		this.#zoom = to - from >= this.end ? null : { from, to, end: this.end };
		this.#changed();
	}

	reset() {
		this.#zoom = null;
		this.#changed();
	}
}
