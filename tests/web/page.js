// SPDX-License-Identifier: GPL-2.0-or-later
//
// The methods that a page has in every browser. problems: errors, dialogs and requests to other
// hosts, which a page must not cause. The class of each browser adds the other methods.

import { setTimeout as pause } from "node:timers/promises";

export const DEADLINE_MS = 10_000;
const POLL_MS = 15;

/** URLs that cause no request to another host. */
export const LOCAL = /^(file|data|blob|about|chrome|resource|moz-[a-z-]*|jar):/;

export class AnyPage {
	problems = [];

	/**
	 * Adds new problems to this.problems. Overridden for a browser that does not report
	 * problems by itself.
	 */
	async gather() {}

	/**
	 * Returns the result of fn as soon as it is true. what: the condition, for error messages.
	 */
	async until(what, fn, ...args) {
		const deadline = Date.now() + DEADLINE_MS;
		let failure = "";

		for (;;) {
			let value = null;

			try {
				value = await this.evaluate(fn, ...args);
				failure = "";
			} catch (error) {
				// Calls fail while the browser loads a document.
				failure = ` (${error.message})`;
			}
			if (value)
				return value;
			// After an error in the page, the condition may never become true.
			if (this.problems.length)
				throw new Error(this.problems.join("\n"));
			if (Date.now() > deadline)
				throw new Error(`not in ${DEADLINE_MS} ms: ${what}${failure}`);
			await pause(POLL_MS);
		}
	}

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
