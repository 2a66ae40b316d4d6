// SPDX-License-Identifier: GPL-2.0-or-later
//
// Shows the strips (curves over the whole recording), and the range as a window in them. Dragging
// in the strips selects a new range.
import { moved } from "./axis.js";
import { el, pageScale, remOf } from "./dom.js";
import { atText } from "./flame/words.js";
import { Clicks } from "./gestures.js";
import { layoutMarkLines, markAt } from "./marks.js";
import { CanvasPen } from "./pen-canvas.js";
import { Scene } from "./scene.js";
import {
	STRIP_NAMES_WIDTH, describeStrips, layoutStrips, stripsHeight, stripsOf,
} from "./strips.js";
import { Tooltip } from "./tooltip.js";

const DRAG_MIN_PX = 3;

export class StripsView {
	#rec;
	#state;
	#palette;
	#strips;
	#pen;
	#scene = new Scene();
	#canvas = el("canvas", { "aria-hidden": "true" });
	#tooltip = new Tooltip();
	#before = el("div", { class: "shade" });
	#after = el("div", { class: "shade" });
	#grip = el("div", { class: "grip", title: "Move the range" });
	#from;
	#to;
	#plot;

	constructor(rec, state, palette) {
		this.#rec = rec;
		this.#state = state;
		this.#palette = palette;
		this.#strips = stripsOf(rec);
		this.#pen = new CanvasPen(this.#canvas);
		this.#from = this.#handle("from", "Begin of the range");
		this.#to = this.#handle("to", "End of the range");
		this.#plot = el("div", { class: "plot", style: `left:${remOf(STRIP_NAMES_WIDTH)}` },
				this.#before, this.#after, this.#grip, this.#from, this.#to);
		this.element = el("div", {
			class: "strips", role: "group", "aria-label": "The whole recording",
			style: `height:${remOf(stripsHeight(this.#strips))}`,
		}, this.#canvas, this.#plot, this.#tooltip.element);
		this.#watch();
		new ResizeObserver(() => this.paint()).observe(this.element);
	}

	paint() {
		const { clientWidth, clientHeight } = this.element;
		const scale = pageScale();
		const width = clientWidth / scale;

		if (!clientWidth)
			return;
		this.#canvas.style.width = `${clientWidth}px`;
		this.#canvas.style.height = `${clientHeight}px`;
		this.#scene.clear();
		layoutStrips(this.#scene, this.#strips, width);
		layoutMarkLines(this.#scene, this.#rec.marks, this.#view(width), STRIP_NAMES_WIDTH);
		this.#pen.begin(width, clientHeight / scale, devicePixelRatio * scale,
				this.#palette());
		this.#pen.paint(this.#scene);
	}

	#view(width) {
		return { from: 0, to: this.#rec.end, width, height: stripsHeight(this.#strips) };
	}

	update() {
		const { from, to } = this.#state;
		const share = (t) => `${t / this.#rec.end * 100}%`;

		this.element.classList.toggle("whole", from <= 0 && to >= this.#rec.end);
		this.#before.style.width = share(from);
		this.#after.style.left = share(to);
		this.#after.style.width = share(this.#rec.end - to);
		this.#from.style.left = this.#grip.style.left = share(from);
		this.#to.style.left = share(to);
		this.#grip.style.width = share(to - from);
		for (const [handle, t] of [[this.#from, from], [this.#to, to]]) {
			handle.setAttribute("aria-valuenow", t);
			handle.setAttribute("aria-valuetext", atText(this.#rec, t));
		}
	}

	#handle(name, title) {
		const { end } = this.#rec;
		const move = (ns) => this.#state.set(this.#with(name, this.#state[name] + ns));
		const keys = { ArrowLeft: -0.01, ArrowRight: 0.01, PageUp: -0.1, PageDown: 0.1 };

		return el("div", {
			class: "handle", role: "slider", tabindex: "0", title, "aria-label": title,
			"aria-valuemin": "0", "aria-valuemax": String(end), dataset: { name },
			onkeydown: (event) => {
				if (keys[event.key] === undefined)
					return;
				event.preventDefault();
				move(keys[event.key] * end);
			},
		});
	}

	#with(name, t) {
		const { from, to } = this.#state;

		return name === "from" ? { from: Math.min(Math.max(t, 0), to), to }
				       : { from, to: Math.max(Math.min(t, this.#rec.end), from) };
	}

	#instantAt(event) {
		const { left, width } = this.#plot.getBoundingClientRect();
		const share = (event.clientX - left) / Math.max(width, 1);

		return Math.min(Math.max(share, 0), 1) * this.#rec.end;
	}

	#watch() {
		const clicks = new Clicks();
		let act = null;

		this.#plot.addEventListener("pointerdown", (event) => {
			if (event.button !== 0)
				return;
			this.#plot.setPointerCapture(event.pointerId);
			act = this.#dragOf(event);
		});
		this.#plot.addEventListener("pointermove", (event) => {
			if (act)
				act(event);
			else
				this.#tooltip.show(Math.round(event.clientX),
						   () => this.#describe(event), event);
		});
		this.#plot.addEventListener("pointerup", ({ clientX, clientY, timeStamp }) => {
			act = null;
			if (clicks.isSecond({ x: clientX, y: clientY }, timeStamp))
				this.#state.set({ from: 0, to: this.#rec.end });
		});
		this.#plot.addEventListener("pointerleave", () => this.#tooltip.hide());
	}

	/** Returns the function that handles the pointer's moves until the button is released. */
	#dragOf(down) {
		const { from, to } = this.#state;
		const start = this.#instantAt(down);
		const { name } = down.target.dataset;

		this.#tooltip.hide();
		if (name)
			return (event) => this.#state.set(this.#with(name, this.#instantAt(event)));
		if (down.target === this.#grip)
			return (event) => this.#state.set(
				moved({ from, to }, this.#instantAt(event) - start, this.#rec.end));
		return (event) => {
			const t = this.#instantAt(event);

			if (Math.abs(event.clientX - down.clientX) < DRAG_MIN_PX)
				return;
			this.#state.set({ from: Math.min(start, t), to: Math.max(start, t) });
		};
	}

	#describe(event) {
		const t = this.#instantAt(event);
		const scale = pageScale();
		const view = this.#view(this.element.clientWidth / scale);
		const x = STRIP_NAMES_WIDTH + t / this.#rec.end * (view.width - STRIP_NAMES_WIDTH);
		const mark = markAt(this.#rec.marks, view, STRIP_NAMES_WIDTH, x);
		const rows = describeStrips(this.#rec, t);

		if (mark >= 0)
			rows.unshift(["mark", this.#rec.marks[mark].text]);
		return { title: "The whole machine", rows };
	}
}
