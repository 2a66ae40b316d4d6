// SPDX-License-Identifier: GPL-2.0-or-later
//
// Converts gestures (pointer, wheel and keys on the stage) to calls of a target. The target has
// these functions:
//
//  pan(dx, dy) zoomAt(x, factor, y) select(x0, x1, done, marks) isSide(x) click(x, y)
//  doubleClick(x, y) hover(x, y, event) leave() scroll(dy) zoom(factor) step(share) zoomToChosen()
//  moveCursor(dx, dy) activateCursor()
//
// Positions are in px of the picture; one px of the picture takes target.scale px of the page.

const CLICK_PX = 4;
const DOUBLE_MS = 400;
const NEVER = { x: 0, y: 0, at: -Infinity };
const WHEEL_ZOOM = 1.0016;
const PAGE_SHARE = 0.85;

export function watchGestures(element, target) {
	const drag = new Drag(element, target);

	element.addEventListener("pointerdown", (event) => drag.begin(event));
	element.addEventListener("pointermove", (event) => drag.move(event));
	element.addEventListener("pointerup", (event) => drag.end(event));
	element.addEventListener("pointercancel", () => drag.cancel());
	element.addEventListener("pointerleave", () => target.leave());
	element.addEventListener("wheel", (event) => onWheel(event, element, target),
				 { passive: false });
	element.addEventListener("keydown", (event) => onStageKey(event, element, target));
}

function placeIn(element, { clientX, clientY }, { scale }) {
	const { left, top } = element.getBoundingClientRect();

	return { x: (clientX - left) / scale, y: (clientY - top) / scale };
}

function heightOf(element, { scale }) {
	return element.clientHeight / scale;
}

function distance(a, b) {
	return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Recognizes double clicks. */
export class Clicks {
	#last = NEVER;

	isSecond(place, at) {
		const isSecond = at - this.#last.at < DOUBLE_MS && distance(place, this.#last) < CLICK_PX;

		this.#last = isSecond ? NEVER : { ...place, at };
		return isSecond;
	}
}

class Drag {
	#element;
	#target;
	#from = null;
	#last = null;
	#moved = false;
	#clicks = new Clicks();

	constructor(element, target) {
		this.#element = element;
		this.#target = target;
	}

	begin(event) {
		const place = placeIn(this.#element, event, this.#target);
		const width = this.#element.clientWidth / this.#target.scale;

		// Beyond this position is the scroll bar, whose clicks the browser handles.
		if (event.button !== 0 || place.x >= width)
			return;
		const marks = event.ctrlKey && this.#target.canMark;

		this.#from = this.#last = { ...place, marks, selects: event.shiftKey || marks };
		this.#moved = false;
	}

	move(event) {
		const place = placeIn(this.#element, event, this.#target);

		if (!this.#from) {
			this.#target.hover(place.x, place.y, event);
			return;
		}
		if (!this.#moved && distance(place, this.#from) < CLICK_PX)
			return;
		if (!this.#moved)
			// An element that has captured the pointer also gets its clicks, so the
			// pointer is captured only when it moves.
			this.#element.setPointerCapture(event.pointerId);
		this.#moved = true;
		this.#target.leave();
		if (this.#from.selects)
			this.#target.select(this.#from.x, place.x, false, this.#from.marks);
		else
			this.#target.pan(place.x - this.#last.x, place.y - this.#last.y);
		this.#last = place;
	}

	end(event) {
		const place = placeIn(this.#element, event, this.#target);

		if (this.#from && !this.#moved)
			this.#click(place, event.timeStamp);
		else if (this.#from?.selects)
			this.#target.select(this.#from.x, place.x, true, this.#from.marks);
		this.#from = null;
	}

	/**
	 * The first click may open a panel, which moves the picture. So the stage applies a double
	 * click to the box that its first click selected.
	 */
	#click(place, at) {
		if (this.#clicks.isSecond(place, at))
			this.#target.doubleClick(place.x, place.y);
		else
			this.#target.click(place.x, place.y);
	}

	cancel() {
		this.#from = null;
		this.#target.leave();
	}
}

function onWheel(event, element, target) {
	const { x, y } = placeIn(element, event, target);
	const unit = event.deltaMode === 1 ? 16
		: event.deltaMode === 2 ? heightOf(element, target) : 1;
	const dx = event.deltaX * unit, dy = event.deltaY * unit;

	event.preventDefault();
	target.leave();
	if (event.shiftKey || target.isSide(x))
		target.scroll(dy || dx);
	else if (Math.abs(dx) > Math.abs(dy))
		target.pan(-dx, 0);
	else
		target.zoomAt(x, WHEEL_ZOOM ** dy, y);
}

const ACTIONS = {
	ArrowLeft: (target) => target.step(-0.15),
	ArrowRight: (target) => target.step(0.15),
	ArrowUp: (target) => target.scroll(-54),
	ArrowDown: (target) => target.scroll(54),
	PageUp: (target, element) => target.scroll(-heightOf(element, target) * PAGE_SHARE),
	PageDown: (target, element) => target.scroll(heightOf(element, target) * PAGE_SHARE),
	Home: (target) => target.scroll(-Infinity),
	End: (target) => target.scroll(Infinity),
	"+": (target) => target.zoom(0.7),
	"=": (target) => target.zoom(0.7),
	"-": (target) => target.zoom(1 / 0.7),
	w: (target) => target.zoom(0.7),
	s: (target) => target.zoom(1 / 0.7),
	a: (target) => target.step(-0.15),
	d: (target) => target.step(0.15),
	f: (target) => target.zoomToChosen(),
	Enter: (target) => target.activateCursor(),
};

const SHIFT_ACTIONS = {
	ArrowLeft: (target) => target.moveCursor(-1, 0),
	ArrowRight: (target) => target.moveCursor(1, 0),
	ArrowUp: (target) => target.moveCursor(0, -1),
	ArrowDown: (target) => target.moveCursor(0, 1),
};

export function onStageKey(event, element, target) {
	const act = (event.shiftKey && SHIFT_ACTIONS[event.key]) || ACTIONS[event.key];

	if (!act || event.ctrlKey || event.metaKey || event.altKey)
		return;
	event.preventDefault();
	act(target, element);
}
