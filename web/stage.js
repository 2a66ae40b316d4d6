// SPDX-License-Identifier: GPL-2.0-or-later
//
// The place of a picture on the page: a canvas with a ruler and a scroll bar. The stage converts
// gestures to changes of the state (pictures over time) or of its own zoom (pictures of sums, such
// as flame graphs).
import { TimeAxis, WeightAxis, moved, zoomed } from "./axis.js";
import { nextBox } from "./cursor.js";
import { el, pageScale, remOf } from "./dom.js";
import { onStageKey, watchGestures } from "./gestures.js";
import { describeMark, layoutMarks, markAt } from "./marks.js";
import { CanvasPen } from "./pen-canvas.js";
import { RULER_HEIGHT, layoutRuler } from "./scale.js";
import { Scene } from "./scene.js";
import { Scroll } from "./scroll.js";
import { Tooltip } from "./tooltip.js";

/** Minimum width of a selection. A narrower selection is accidental. */
const SELECT_MIN_PX = 3;
/** The margin on both sides after zooming to a box, as a share of its length. */
const ZOOM_MARGIN = 0.05;
const BELOW_PX = 4;
const KEYS_HINT = "arrows move, plus and minus zoom, question mark shows all keys";

export class Stage {
	#state;
	#end;
	#origin;
	#rec;
	#palette;
	#painted;
	#picture = null;
	#axis = null;
	#axes = new Map();
	#scene = new Scene();
	#ruler = new Scene();
	#marks = new Scene();
	#hovered = -1;
	#range = "";
	#due = false;
	#scale = 1;
	#canvas = el("canvas", { "aria-hidden": "true" });
	#selection = el("div", { class: "selection", hidden: true });
	#tooltip = new Tooltip();
	#scroll;
	#pen;

	/** painted(): called after each frame. */
	constructor(rec, state, { palette, painted }) {
		this.#state = state;
		this.#end = rec.end;
		this.#origin = rec.origin;
		this.#rec = rec;
		this.#palette = palette;
		this.#painted = painted;
		this.element = el("div", { class: "stage", tabindex: "0", role: "application" });
		this.#scroll = new Scroll(this.element, state);
		this.element.append(this.#canvas, this.#scroll.spacer, this.#selection,
				    this.#tooltip.element);
		this.#pen = new CanvasPen(this.#canvas);
		watchGestures(this.element, this);
		new ResizeObserver(() => this.invalidate()).observe(this.element);
	}

	get picture() {
		return this.#picture;
	}

	get scene() {
		return this.#scene;
	}

	get #rulerHeight() {
		return this.#picture.axis === "time" ? RULER_HEIGHT : 0;
	}

	get #side() {
		return this.#picture.side ?? 0;
	}

	/** The px of the page per px of the picture. */
	get scale() {
		return this.#scale;
	}

	/** Lengths in this file are in px of the picture, except those of styles. */
	get #width() {
		return this.element.clientWidth / this.#scale;
	}

	get #height() {
		return this.element.clientHeight / this.#scale;
	}

	/** Shows a picture whose update() the caller has already called. */
	show(picture) {
		if (picture !== this.#picture) {
			this.#picture = picture;
			this.#axis = this.#axisOf(picture);
			this.#hovered = -1;
			this.#tooltip.hide();
			this.element.setAttribute("aria-label", `${picture.title}; ${KEYS_HINT}`);
		}
		this.invalidate();
	}

	#axisOf(picture) {
		if (!this.#axes.has(picture))
			this.#axes.set(picture, picture.axis === "time"
				? new TimeAxis(this.#state, this.#end)
				: new WeightAxis(picture, () => this.invalidate()));
		return this.#axes.get(picture);
	}

	/** Paints again in the next frame. */
	invalidate() {
		if (this.#due || !this.#picture)
			return;
		this.#due = true;
		requestAnimationFrame(() => {
			this.#due = false;
			this.#paint();
		});
	}

	#paint() {
		const scale = this.#scale = pageScale();
		const width = this.#width, height = this.#height;

		if (!width || !height)
			return;
		this.#forgetTip();
		this.#canvas.style.width = `${width * scale}px`;
		this.#canvas.style.height = `${height * scale}px`;
		this.#scroll.fit(this.#picture, this.#contentHeight(width),
				 { height, ruler: this.#rulerHeight }, scale);
		this.#layout(this.#scenes, width, height, this.#scroll.top);
		this.#pen.begin(width, height, devicePixelRatio * scale, this.#palette());
		this.#pen.paint(this.#ruler);
		this.#pen.paint(this.#scene, this.#rulerHeight);
		this.#outline();
		this.#pen.paint(this.#marks, this.#rulerHeight);
		this.#painted();
	}

	/** After a zoom or a movement by keys, another box may be under the pointer. */
	#forgetTip() {
		const { from, to } = this.#axis.range;
		const range = `${from} ${to}`;

		if (range !== this.#range)
			this.#tooltip.hide();
		this.#range = range;
	}

	#contentHeight(width) {
		return this.#picture.height(width, this.#axis.range) + this.#rulerHeight + BELOW_PX;
	}

	get #scenes() {
		return { scene: this.#scene, ruler: this.#ruler, marks: this.#marks };
	}

	#layout({ scene, ruler, marks }, width, height, top) {
		const { from, to } = this.#axis.range;
		const view = { from, to, width, height: height - this.#rulerHeight };

		scene.clear();
		ruler.clear();
		marks.clear();
		if (this.#rulerHeight) {
			layoutRuler(ruler, { ...view, height }, this.#side, this.#origin);
			layoutMarks(marks, this.#rec.marks, view, this.#side);
		}
		this.#picture.layout(scene, { ...view, top, focus: this.#focus });
	}

	/**
	 * Returns {width, height, layers} of the whole picture, for an export. height is at most
	 * heightMax.
	 */
	layers(heightMax) {
		const width = this.#width;
		const whole = this.#picture.fills ? this.#height : this.#contentHeight(width);
		const height = Math.min(whole, heightMax);
		const scene = new Scene(), ruler = new Scene(), marks = new Scene();
		const dy = this.#rulerHeight;

		this.#layout({ scene, ruler, marks }, width, height, 0);
		return {
			width, height,
			layers: [{ scene: ruler, dy: 0 }, { scene, dy }, { scene: marks, dy }],
		};
	}

	get #focus() {
		return new Set([this.#hovered, this.#state.chosen].filter((ref) => ref >= 0));
	}

	#outline() {
		for (const ref of this.#focus) {
			const i = this.#scene.boxes.ref.lastIndexOf(this.#drawnRef(ref));

			if (i >= 0)
				this.#pen.outline(this.#scene, i, this.#rulerHeight);
		}
	}

	/** Returns the ref of the drawn box that represents the box with the given ref. */
	#drawnRef(ref) {
		return this.#picture.drawnRef?.(ref) ?? ref;
	}

	#hit(x, y) {
		return y < this.#rulerHeight ? -1 : this.#scene.hit(x, y - this.#rulerHeight);
	}

	#instantAt(x) {
		const { from, to } = this.#axis.range;
		const plot = Math.max(this.#width - this.#side, 1);

		return from + (x - this.#side) / plot * (to - from);
	}

	#nsOfPx(px) {
		const { from, to } = this.#axis.range;

		return px * (to - from) / Math.max(this.#width - this.#side, 1);
	}

	hover(x, y, event) {
		const i = this.#hit(x, y);
		const ref = i < 0 ? -1 : this.#scene.boxes.ref[i];

		if (ref !== this.#hovered) {
			this.#hovered = ref;
			this.element.classList.toggle("pointing", ref >= 0);
			this.invalidate();
		}
		if (ref < 0)
			this.#hoverMark(x, event);
		else
			this.#tooltip.show(ref, () => this.#picture.describe(ref), event);
	}

	/** Called only if no box is under the pointer: a mark must not hide a box. */
	#hoverMark(x, event) {
		const view = { ...this.#axis.range, width: this.#width };
		const i = this.#rulerHeight ? markAt(this.#rec.marks, view, this.#side, x) : -1;

		if (i < 0)
			this.#tooltip.hide();
		else
			this.#tooltip.show(`mark ${i}`, () => describeMark(this.#rec, i), event);
	}

	leave() {
		this.#tooltip.hide();
		if (this.#hovered >= 0) {
			this.#hovered = -1;
			this.invalidate();
		}
	}

	click(x, y) {
		const i = this.#hit(x, y);

		this.element.focus({ preventScroll: true });
		this.#tooltip.dismiss();
		if (i >= 0)
			this.#activate(this.#scene.boxes.ref[i]);
		else
			this.#state.set({ chosen: -1 });
	}

	/**
	 * In a picture over time, zooms to the box that the first click selected, or shows the
	 * whole recording if there was no box.
	 */
	doubleClick(x, y) {
		if (this.#picture.axis !== "time")
			this.click(x, y);
		else if (this.#state.chosen >= 0)
			this.zoomToChosen();
		else if (this.#hit(x, y) < 0)
			this.#axis.set({ from: 0, to: this.#axis.end });
	}

	zoomToChosen() {
		const { chosen } = this.#state;
		const times = chosen < 0 ? null : this.#picture.timesOf?.(chosen);

		if (!times)
			return;
		const margin = (times.to - times.from) * ZOOM_MARGIN;

		this.#axis.set({ from: times.from - margin, to: times.to + margin });
	}

	#activate(ref) {
		const change = this.#picture.click(ref);

		if (change) {
			this.#state.set(change);
			return;
		}
		if (this.#picture.focus)
			this.#axis.set(this.#picture.focus(ref));
		this.#state.set({ chosen: ref });
	}

	/** The cursor acts like the pointer: it shows the tooltip. */
	moveCursor(dx, dy) {
		const { x, y, w, h, ref } = this.#scene.boxes;
		const at = this.#hovered < 0 ? -1 : ref.lastIndexOf(this.#hovered);
		const i = nextBox(this.#scene, at, dx, dy, this.#visible);

		if (i < 0)
			return;
		const { left, top } = this.element.getBoundingClientRect();
		const right = Math.max(x[i], 0) + Math.min(w[i], 40) / 2;
		const below = this.#rulerHeight + y[i] + h[i] / 2;

		this.#hovered = ref[i];
		this.#tooltip.show(ref[i], () => this.#picture.describe(ref[i]), {
			clientX: left + right * this.#scale, clientY: top + below * this.#scale,
		});
		this.invalidate();
	}

	get #visible() {
		return {
			width: this.#width, height: this.#height - this.#rulerHeight,
		};
	}

	activateCursor() {
		if (this.#hovered >= 0) {
			this.#tooltip.dismiss();
			this.#activate(this.#hovered);
		}
	}

	/** Handles a key for the picture that another element of the page received. */
	key(event) {
		if (this.#picture)
			onStageKey(event, this.element, this);
	}

	pan(dx, dy) {
		this.#axis.set(moved(this.#axis.range, -this.#nsOfPx(dx), this.#axis.end));
		if (dy)
			this.scroll(-dy);
	}

	scroll(dy) {
		this.#scroll.by(dy);
	}

	zoomAt(x, factor, y = 0) {
		const at = this.#instantAt(Math.max(x, this.#side));

		this.#scroll.keep(Math.max(y - this.#rulerHeight, 0));
		this.#axis.set(zoomed(this.#axis.range, at, factor, this.#axis.end));
	}

	zoom(factor) {
		this.zoomAt((this.#side + this.#width) / 2, factor);
	}

	step(share) {
		const { from, to } = this.#axis.range;

		this.#axis.set(moved({ from, to }, share * (to - from), this.#axis.end));
	}

	isSide(x) {
		return x < this.#side;
	}

	get canMark() {
		return this.#picture?.mark !== undefined;
	}

	/**
	 * Shows the selection between two positions or, if done is set, uses it: as the visible
	 * range or, if marks is set, as the span that the picture marks.
	 */
	select(x0, x1, done, marks) {
		const left = Math.max(Math.min(x0, x1), this.#side);
		const right = Math.min(Math.max(x0, x1), this.#width);

		this.#selection.hidden = done;
		Object.assign(this.#selection.style, {
			top: remOf(this.#scroll.top), left: remOf(left),
			width: remOf(Math.max(right - left, 0)),
		});
		if (!done || right - left < SELECT_MIN_PX)
			return;
		const from = this.#instantAt(left), to = this.#instantAt(right);

		if (marks)
			this.#state.set(this.#picture.mark(from, to));
		else
			this.#axis.set({ from, to });
	}

	/** Returns false if there was no zoom. */
	unzoom() {
		if (!this.#axis?.isZoomed)
			return false;
		this.#axis.reset();
		return true;
	}
}
