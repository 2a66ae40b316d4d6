// SPDX-License-Identifier: GPL-2.0-or-later
//
// Starts Chromium and controls it by the DevTools protocol. Messages are JSON, each of which ends
// with NUL, over descriptors 3 and 4. Chromium ends when its pipe is closed, so it also ends if the
// test is killed.

import { join } from "node:path";

import { Program, within } from "./program.js";

const START_MS = 30_000;

const PROGRAM = process.env.CHROMIUM ?? "chromium";

const OPTIONS = [
	"--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check",
	"--disable-breakpad", "--disable-component-update", "--disable-background-networking",
	"--disable-sync", "--disable-extensions", "--disable-gpu", "--disable-dev-shm-usage",
	"--force-color-profile=srgb", "--password-store=basic", "--lang=en",
];

export class DevTools {
	#program;
	#partial = [];
	#asked = new Map();
	#listeners = new Map();
	#lastId = 0;
	#ended = null;

	constructor() {
		// The sandbox of Chromium does not work for root.
		const root = process.getuid() === 0 ? ["--no-sandbox"] : [];
		const options = (folder) =>
			[...OPTIONS, ...root, `--user-data-dir=${join(folder, "profile")}`, "about:blank"];

		this.#program = new Program(PROGRAM, options, ["pipe", "pipe"], (why) => this.#fail(why));
		// If the browser has ended, its exit is reported elsewhere, so a failed write is
		// ignored.
		this.#pipe(3).on("error", () => {});
		this.#pipe(4).on("error", () => {});
		this.#pipe(4).on("data", (bytes) => this.#receive(bytes));
	}

	#pipe(number) {
		return this.#program.child.stdio[number];
	}

	/** session: the ID of a page's session; undefined: the browser itself. */
	ask(method, params = {}, session = undefined) {
		if (this.#ended)
			return Promise.reject(new Error(this.#ended));
		return new Promise((resolve, reject) => {
			const id = ++this.#lastId;

			this.#asked.set(id, { method, resolve, reject });
			this.#pipe(3).write(`${JSON.stringify({
				id, method, params, sessionId: session })}\0`);
		});
	}

	/**
	 * Calls listener(method, params) at each event. session: undefined for the browser itself.
	 */
	listen(session, listener) {
		this.#listeners.set(session, listener);
	}

	/** The directory is removed when the browser ends. */
	get folder() {
		return this.#program.folder;
	}

	started() {
		return within(START_MS, () => `${PROGRAM} says nothing: ${this.#program.said}`,
			this.ask("Browser.getVersion"));
	}

	close() {
		return this.#program.close(() => {
			this.ask("Browser.close").catch(() => {});
		});
	}

	#fail(why) {
		this.#ended ??= why.trim();
		for (const { reject } of this.#asked.values())
			reject(new Error(this.#ended));
		this.#asked.clear();
	}

	#receive(bytes) {
		let from = 0;

		for (let nul; (nul = bytes.indexOf(0, from)) >= 0; from = nul + 1) {
			const message = [...this.#partial, bytes.subarray(from, nul)];

			this.#partial = [];
			this.#dispatch(JSON.parse(Buffer.concat(message).toString()));
		}
		if (from < bytes.length)
			this.#partial.push(bytes.subarray(from));
	}

	#dispatch(message) {
		const asked = this.#asked.get(message.id);

		if (message.method) {
			this.#listeners.get(message.sessionId)?.(message.method, message.params);
		} else if (asked) {
			const { error, result } = message;

			this.#asked.delete(message.id);
			if (error)
				asked.reject(new Error(`${asked.method}: ${error.message}`));
			else
				asked.resolve(result);
		}
	}
}
