// SPDX-License-Identifier: GPL-2.0-or-later
//
// Starts a Chromium, and controls it by the DevTools protocol over pipes: messages in JSON that end
// with NUL, to its file descriptor 3 and from its descriptor 4. No port is opened, and only node is
// needed. A browser whose pipe is closed ends by itself, so it also ends if the test dies.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const START_MS = 30_000;
const END_MS = 5_000;

/** Returns the path of Chromium: $CHROMIUM, or one of the names that Debian and others use. */
const PROGRAM = process.env.CHROMIUM ?? "chromium";

const OPTIONS = [
	"--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check",
	"--disable-breakpad", "--disable-component-update", "--disable-background-networking",
	"--disable-sync", "--disable-extensions", "--disable-gpu", "--disable-dev-shm-usage",
	"--force-color-profile=srgb", "--password-store=basic", "--lang=en",
];

export class DevTools {
	#child;
	#folder = mkdtempSync(join(tmpdir(), "rsp-chromium-"));
	#partial = [];
	#asked = new Map();
	#listeners = new Map();
	#lastId = 0;
	#said = "";
	#ended = null;
	#kill = () => this.#end();

	constructor() {
		// The sandbox of Chromium does not work for root.
		const root = process.getuid() === 0 ? ["--no-sandbox"] : [];
		const profile = `--user-data-dir=${join(this.#folder, "profile")}`;

		// A process group of its own, so that its helpers end with it.
		this.#child = spawn(PROGRAM, [...OPTIONS, ...root, profile, "about:blank"],
			{ stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"], detached: true });
		process.on("exit", this.#kill);
		this.#child.on("error", (error) => this.#fail(`${PROGRAM}: ${error.message}`));
		this.#child.on("exit", () => this.#fail(`${PROGRAM} has ended: ${this.#said}`));
		this.#child.stderr.on("data", (text) => {
			this.#said = (this.#said + text).slice(-1000);
		});
		// If the browser has ended, its exit reports that; the failed write does not
		// matter.
		this.#child.stdio[3].on("error", () => {});
		this.#child.stdio[4].on("error", () => {});
		this.#child.stdio[4].on("data", (bytes) => this.#receive(bytes));
	}

	/**
	 * Sends a command and returns the answer. session: that of a page; undefined: the browser
	 * itself.
	 */
	ask(method, params = {}, session = undefined) {
		if (this.#ended)
			return Promise.reject(new Error(this.#ended));
		return new Promise((resolve, reject) => {
			const id = ++this.#lastId;

			this.#asked.set(id, { method, resolve, reject });
			this.#child.stdio[3].write(`${JSON.stringify({
				id, method, params, sessionId: session })}\0`);
		});
	}

	/** Calls listener(method, params) at each event of a session; undefined: of the browser. */
	listen(session, listener) {
		this.#listeners.set(session, listener);
	}

	/** Makes a directory that is removed with the browser. */
	get folder() {
		return this.#folder;
	}

	started() {
		return within(START_MS, () => `${PROGRAM} says nothing: ${this.#said}`,
			this.ask("Browser.getVersion"));
	}

	async close() {
		const gone = new Promise((resolve) => this.#child.once("exit", resolve));

		try {
			// A browser that is asked to end waits for its helpers. If it is killed,
			// init inherits them.
			if (!this.#ended) {
				this.ask("Browser.close").catch(() => {});
				await within(END_MS, () => "it does not end", gone);
			}
		} catch {
			// The caller decides how to handle the problem.
		}
		this.#end();
		process.off("exit", this.#kill);
	}

	/* Does nothing asynchronous, because the process may be about to end. */
	#end() {
		try {
			process.kill(-this.#child.pid, "SIGKILL");
		} catch {
			// The browser has ended.
		}
		rmSync(this.#folder,
			{ recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
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

/**
 * Returns the result of a promise, or throws an error after ms. why: returns the reason for the
 * error.
 */
export async function within(ms, why, promise) {
	let timer;
	const late = new Promise((_, reject) => {
		timer = setTimeout(() => reject(new Error(`after ${ms / 1000} s: ${why()}`)), ms);
	});

	try {
		return await Promise.race([promise, late]);
	} finally {
		clearTimeout(timer);
	}
}

// The default action of a signal would leave no time to end the browser.
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"])
	process.on(signal, () => process.exit(1));
