// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where a picture is seen: a canvas with a ruler and a scroll bar. It asks the picture for a scene
// whenever something else is to be seen, at most once a frame, and turns gestures into changes of
// the state (time) or of its own zoom (sums).
import { TimeAxis, WeightAxis, moved, zoomed } from "./axis.js";
import { el } from "./dom.js";
import { watchGestures } from "./gestures.js";
import { CanvasPen } from "./pen-canvas.js";
import { RULER_HEIGHT, layoutRuler } from "./scale.js";
import { Scene } from "./scene.js";
import { Tooltip } from "./tooltip.js";

/** Selecting less than that is taken for a slip of the hand. */
const SELECT_MIN_PX = 3;

export class Stage {
	#state;
	#end;
	#palette;
	#painted;
	#picture = null;
	#axis = null;
	#axes = new Map();
	#scene = new Scene();
	#ruler = new Scene();
	#hovered = -1;
	#anchor = null;
	#top = NaN;
	#due = false;
	#canvas = el("canvas", { "aria-hidden": "true" });
	#spacer = el("div", { class: "spacer" });
	#selection = el("div", { class: "selection", hidden: true });
	#tooltip = new Tooltip();
	#pen;

	/** palette(): the one to paint with; painted(): called after each frame. */
	constructor(rec, state, { palette, painted }) {
		this.#state = state;
		this.#end = rec.end;
		this.#palette = palette;
		this.#painted = painted;
		this.element = el("div", { class: "stage", tabindex: "0", role: "img" },
				  this.#canvas, this.#spacer, this.#selection, this.#tooltip.element);
		this.#pen = new CanvasPen(this.#canvas);
		watchGestures(this.element, this);
		this.element.addEventListener("scroll", () => this.#scrolled());
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

	/** The picture has been updated already. */
	show(picture) {
		if (picture !== this.#picture) {
			this.#picture = picture;
			this.#axis = this.#axisOf(picture);
			this.#anchor = null;
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
		const width = this.element.clientWidth, height = this.element.clientHeight;

		if (!width || !height)
			return;
		this.#canvas.style.width = `${width}px`;
		this.#canvas.style.height = `${height}px`;
		this.#fitScroll(width, height);
		this.#layout(this.#scene, this.#ruler, width, height, this.element.scrollTop);
		this.#pen.begin(width, height, devicePixelRatio, this.#palette());
		this.#pen.paint(this.#ruler);
		this.#pen.paint(this.#scene, this.#rulerHeight);
		this.#outlineHovered();
		this.#painted();
	}

	#layout(scene, ruler, width, height, top) {
		const { from, to } = this.#axis.range;

		scene.clear();
		ruler.clear();
		if (this.#rulerHeight)
			layoutRuler(ruler, { from, to, width, height }, this.#side);
		this.#picture.layout(scene, { from, to, width, top, height: height - this.#rulerHeight });
	}

	/** The picture as layers for an export: as wide as it is seen, in all its height if that is sane. */
	layers(heightMax) {
		const width = this.element.clientWidth;
		const height = Math.min(this.#picture.height(width) + this.#rulerHeight + 4, heightMax);
		const scene = new Scene(), ruler = new Scene();

		this.#layout(scene, ruler, width, height, 0);
		return { width, height, layers: [{ scene: ruler, dy: 0 }, { scene, dy: this.#rulerHeight }] };
	}

	/** The scroll bar, and a place that stays where it is when rows come and go. */
	#fitScroll(width, height) {
		const content = this.#picture.height(width) + this.#rulerHeight + 4;
		const elsewhere = this.#state.top !== this.#top;

		this.#spacer.style.height = `${Math.max(content - height, 0)}px`;
		if (elsewhere)
			this.#scrollTo(this.#wantedTop(content - height));
		else if (this.#anchor)
			this.#scrollTo(this.#picture.yOfAnchor(this.#anchor.key) - this.#anchor.offset);
		if (elsewhere || !this.#anchor)
			this.#keepAnchor(0);
	}

	#wantedTop(lowest) {
		if (this.#state.top >= 0)
			return this.#state.top;
		return this.#picture.anchor === "bottom" ? lowest : 0;
	}

	#scrollTo(top) {
		if (Math.abs(top - this.element.scrollTop) >= 1)
			this.element.scrollTop = top;
		this.#top = this.#state.top;
	}

	/** From now on the thing y px below the top is to stay there. */
	#keepAnchor(y) {
		const picture = this.#picture;
		const key = picture.anchorAt?.(this.element.scrollTop + y) ?? -1;

		this.#anchor = key < 0 ? null
				       : { key, offset: picture.yOfAnchor(key) - this.element.scrollTop };
	}

	#scrolled() {
		const top = Math.round(this.element.scrollTop);

		if (top === this.#state.top)
			return;
		this.#top = top;
		this.#keepAnchor(0);
		this.#state.set({ top });
	}

	#outlineHovered() {
		if (this.#hovered < 0)
			return;
		const i = this.#scene.boxes.ref.lastIndexOf(this.#hovered);

		if (i >= 0)
			this.#pen.outline(this.#scene, i, this.#rulerHeight);
	}

	#hit(x, y) {
		return y < this.#rulerHeight ? -1 : this.#scene.hit(x, y - this.#rulerHeight);
	}

	#instantAt(x) {
		const { from, to } = this.#axis.range;
		const plot = Math.max(this.element.clientWidth - this.#side, 1);

		return from + (x - this.#side) / plot * (to - from);
	}

	#nsOfPx(px) {
		const { from, to } = this.#axis.range;

		return px * (to - from) / Math.max(this.element.clientWidth - this.#side, 1);
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
			this.#tooltip.hide();
		else
			this.#tooltip.show(ref, () => this.#picture.describe(ref), event);
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

	pan(dx, dy) {
		this.#axis.set(moved(this.#axis.range, -this.#nsOfPx(dx), this.#axis.end));
		if (dy)
			this.scroll(-dy);
	}

	scroll(dy) {
		this.element.scrollTop += Math.min(Math.max(dy, -1e7), 1e7);
	}

	zoomAt(x, factor, y = 0) {
		const at = this.#instantAt(Math.max(x, this.#side));

		this.#keepAnchor(Math.max(y - this.#rulerHeight, 0));
		this.#axis.set(zoomed(this.#axis.range, at, factor, this.#axis.end));
	}

	zoom(factor) {
		this.zoomAt((this.#side + this.element.clientWidth) / 2, factor);
	}

	/** Moves by a share of what is seen. */
	step(share) {
		const { from, to } = this.#axis.range;

		this.#axis.set(moved({ from, to }, share * (to - from), this.#axis.end));
	}

	isSide(x) {
		return x < this.#side;
	}

	select(x0, x1, done) {
		const left = Math.max(Math.min(x0, x1), this.#side);
		const right = Math.min(Math.max(x0, x1), this.element.clientWidth);

		this.#selection.hidden = done;
		this.#selection.style.left = `${left}px`;
		this.#selection.style.width = `${Math.max(right - left, 0)}px`;
		if (done && right - left >= SELECT_MIN_PX)
			this.#axis.set({ from: this.#instantAt(left), to: this.#instantAt(right) });
	}

	/** All of a sum again; false if it was so already. */
	unzoom() {
		if (!this.#axis?.isZoomed)
			return false;
		this.#axis.reset();
		return true;
	}
}

const KEYS_HINT = "arrows move, plus and minus zoom, question mark shows all keys";
