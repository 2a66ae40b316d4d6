// SPDX-License-Identifier: GPL-2.0-or-later
//
// The contents of a picture: boxes, lines and texts, in pixels of the drawing area. Layouts fill a
// scene, pens (canvas, SVG) paint it, and tests read it. Scenes do not need the DOM.
//
// A frame may have tens of thousands of boxes. So a scene has columns of numbers instead of an
// object for each box.

/** An ink is the meaning of a colour, such as "run"; palette.js contains the colours. */
export const INKS = [
	"run", "mostlyRun", "both", "mostlySleep", "sleep", "disk", "queue", "network", "name",
	"other", "interrupt", "runqueue", "timeout", "unknown", "lost", "faint", "mark", "text",
	"ownHead", "muted", "grid", "link", "request", "slowRequest", "event",
];
export const INK = Object.freeze(Object.fromEntries(INKS.map((name, i) => [name, i])));

export const MARKED = 1; // found by the search
export const BUSY = 2; // represents several things that are too small to be drawn

export class Scene {
	constructor() {
		this.clear();
	}

	clear() {
		this.boxes = { x: [], y: [], w: [], h: [], ink: [], ref: [], label: [], flags: [] };
		this.lines = { x1: [], y1: [], x2: [], y2: [], ink: [] };
		this.texts = { x: [], y: [], text: [], ink: [], align: [] };
	}

	get boxCount() {
		return this.boxes.x.length;
	}

	/**
	 * ref: the number by which the picture and the state refer to the box; -1: the pointer
	 * ignores the box.
	 */
	box(x, y, w, h, ink, ref = -1, label = "", flags = 0) {
		const b = this.boxes;

		b.x.push(x);
		b.y.push(y);
		b.w.push(w);
		b.h.push(h);
		b.ink.push(ink);
		b.ref.push(ref);
		b.label.push(label);
		b.flags.push(flags);
	}

	line(x1, y1, x2, y2, ink = INK.link) {
		const l = this.lines;

		l.x1.push(x1);
		l.y1.push(y1);
		l.x2.push(x2);
		l.y2.push(y2);
		l.ink.push(ink);
	}

	/** y: the middle of the text. align: "left", "center" or "right". */
	text(x, y, text, ink = INK.text, align = "left") {
		const t = this.texts;

		t.x.push(x);
		t.y.push(y);
		t.text.push(text);
		t.ink.push(ink);
		t.align.push(align);
	}

	/** Returns the index of the topmost box with a ref at a point, or -1. */
	hit(x, y) {
		const b = this.boxes;

		for (let i = b.x.length - 1; i >= 0; i--)
			if (b.ref[i] >= 0 && x >= b.x[i] && x < b.x[i] + Math.max(b.w[i], 1) &&
			    y >= b.y[i] && y < b.y[i] + b.h[i])
				return i;
		return -1;
	}
}
