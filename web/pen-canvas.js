// SPDX-License-Identifier: GPL-2.0-or-later
//
// Paints scenes on a canvas.
import { BUSY, INK, MARKED } from "./scene.js";
import { colourOf, fillOf, labelColourOf } from "./palette.js";
import { LABELLED_PX, LABEL_FONT, LABEL_PADDING, Widths, fittedLabel } from "./label.js";

/** Minimum width of a box that is separated from the next box by a gap. */
const GAP_FROM_PX = 3;

export class CanvasPen {
	#canvas;
	#context;
	#widths;
	#scale = 1;

	constructor(canvas) {
		this.#canvas = canvas;
		this.#context = canvas.getContext("2d", { alpha: false });
		this.#context.font = LABEL_FONT;
		this.#widths = new Widths((text) => this.#context.measureText(text).width);
	}

	/** width, height: in px; scale: dots of the screen per px. */
	begin(width, height, scale, palette) {
		const columns = Math.max(Math.round(width * scale), 1);
		const lines = Math.max(Math.round(height * scale), 1);

		// Setting the size allocates memory, even if the size stays the same.
		if (this.#canvas.width !== columns || this.#canvas.height !== lines) {
			this.#canvas.width = columns;
			this.#canvas.height = lines;
		}
		this.#scale = scale;
		this.palette = palette;
		this.#context.setTransform(scale, 0, 0, scale, 0, 0);
		this.#context.fillStyle = palette.background;
		// The last dot may extend beyond the last px.
		this.#context.fillRect(0, 0, columns / scale, lines / scale);
	}

	/** Paints a scene dy px below the top. If dy is not 0, nothing is painted above dy. */
	paint(scene, dy = 0) {
		const context = this.#context;

		context.save();
		if (dy) {
			const below = this.#onDot(dy);

			context.beginPath();
			context.rect(0, below, this.#canvas.width, this.#canvas.height);
			context.clip();
			context.translate(0, below);
		}
		this.#lines(scene.lines, (ink) => ink === INK.grid);
		this.#boxes(scene.boxes);
		this.#lines(scene.lines, (ink) => ink !== INK.grid);
		this.#labels(scene.boxes);
		this.#texts(scene.texts);
		context.restore();
	}

	/**
	 * Rounds a position to whole dots. At other positions, the browser would smooth edges,
	 * which is slow and looks blurred.
	 */
	#onDot(px) {
		return Math.round(px * this.#scale) / this.#scale;
	}

	outline(scene, i, dy = 0) {
		const { x, y, w, h } = scene.boxes;
		const context = this.#context;

		context.strokeStyle = colourOf(this.palette, INK.text);
		context.lineWidth = 1;
		context.strokeRect(x[i] + 0.5, y[i] + dy + 0.5, Math.max(w[i] - 1, 1), h[i] - 1);
	}

	#boxes({ x, y, w, h, ink, flags }) {
		const context = this.#context;
		const scale = this.#scale;
		let last = "";

		for (let i = 0; i < x.length; i++) {
			const fill = fillOf(this.palette, ink[i],
					    flags[i] & MARKED, flags[i] & BUSY);
			const left = this.#onDot(x[i]), right = this.#onDot(x[i] + w[i]);
			const top = this.#onDot(y[i]), bottom = this.#onDot(y[i] + h[i]);
			const gap = right - left >= GAP_FROM_PX ? 1 / scale : 0;

			if (fill !== last)
				context.fillStyle = last = fill;
			context.fillRect(left, top, Math.max(right - left - gap, 1 / scale),
					 bottom - top);
		}
	}

	#lines({ x1, y1, x2, y2, ink }, wanted) {
		const context = this.#context;
		let last = -1;

		context.lineWidth = 1;
		for (let i = 0; i < x1.length; i++) {
			if (!wanted(ink[i]))
				continue;
			if (ink[i] !== last) {
				if (last >= 0)
					context.stroke();
				context.beginPath();
				context.strokeStyle = colourOf(this.palette, last = ink[i]);
			}
			// A line through the middle of a dot covers one row of dots, not two pale
			// ones.
			const upright = x1[i] === x2[i] ? 0.5 : 0;

			context.moveTo(Math.floor(x1[i]) + upright, y1[i]);
			context.lineTo(Math.floor(x2[i]) + upright, y2[i]);
		}
		if (last >= 0)
			context.stroke();
	}

	#labels({ x, y, w, h, ink, label }) {
		const context = this.#context;

		context.font = LABEL_FONT;
		context.textBaseline = "middle";
		context.textAlign = "left";
		for (let i = 0; i < x.length; i++) {
			if (w[i] < LABELLED_PX || !label[i])
				continue;
			const left = Math.max(x[i], 0);
			const text = fittedLabel(label[i], x[i] + w[i] - left, this.#widths.of);

			if (!text)
				continue;
			context.fillStyle = labelColourOf(this.palette, ink[i]);
			context.fillText(text, left + LABEL_PADDING, y[i] + h[i] / 2 + 0.5);
		}
	}

	#texts({ x, y, text, ink, align }) {
		const context = this.#context;

		for (let i = 0; i < x.length; i++) {
			context.textAlign = align[i];
			context.fillStyle = colourOf(this.palette, ink[i]);
			context.fillText(text[i], x[i], y[i] + 0.5);
		}
	}
}
