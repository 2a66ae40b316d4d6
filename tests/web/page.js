// SPDX-License-Identifier: GPL-2.0-or-later
//
// A page as its user meets it, in any browser: what is there, a mouse, a keyboard. Conditions are
// awaited with a deadline. What a page must not do (errors, dialogs, requests to anywhere) is gathered
// in problems. A browser's own class adds evaluate(), goto(), reload(), resize(), move(), press(),
// release(), wheel(), key(), screenshot() and close().

import { setTimeout as pause } from "node:timers/promises";

export const DEADLINE_MS = 10_000;
const POLL_MS = 15;

/** Addresses that are no request to anywhere. */
export const LOCAL = /^(file|data|blob|about|chrome|resource|moz-[a-z-]*|jar):/;

export class AnyPage {
	problems = [];

	/** Fetches the problems of a browser that does not tell them by itself. */
	async gather() {}

	/** The first result of fn that is true; what: what is awaited, for the message. */
	async until(what, fn, ...args) {
		const deadline = Date.now() + DEADLINE_MS;
		let failure = "";

		for (;;) {
			let value = null;

			try {
				value = await this.evaluate(fn, ...args);
				failure = "";
			} catch (error) {
				// Between two documents there is nothing to ask.
				failure = ` (${error.message})`;
			}
			if (value)
				return value;
			// It need not be waited for what a broken page will not do.
			if (this.problems.length)
				throw new Error(this.problems.join("\n"));
			if (Date.now() > deadline)
				throw new Error(`not in ${DEADLINE_MS} ms: ${what}${failure}`);
			await pause(POLL_MS);
		}
	}

	/** The box of an element: {x, y, width, height} in the window, and its centre: cx, cy. */
	rect(selector) {
		return this.until(`there is ${selector}`, (wanted) => {
			const { x, y, width, height } =
				document.querySelector(wanted)?.getBoundingClientRect() ?? {};

			return width > 0 &&
				{ x, y, width, height, cx: x + width / 2, cy: y + height / 2 };
		}, selector);
	}

	async clickAt(x, y) {
		await this.move(x, y);
		await this.press();
		await this.release();
	}

	/** With the mouse, at the centre of an element. */
	async click(selector) {
		const { cx, cy } = await this.rect(selector);

		await this.clickAt(cx, cy);
	}

	async drag(from, to, { shift = false, ctrl = false, steps = 8 } = {}) {
		await this.move(from.x, from.y);
		await this.press({ shift, ctrl });
		for (let i = 1; i <= steps; i++)
			await this.move(from.x + (to.x - from.x) * i / steps,
				from.y + (to.y - from.y) * i / steps);
		await this.release();
	}

	async type(text) {
		for (const character of text)
			await this.key(character);
	}
}
