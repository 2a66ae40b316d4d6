// SPDX-License-Identifier: GPL-2.0-or-later
//
// A Chromium of our own, spoken to by the DevTools protocol over a pipe: messages in JSON that end
// with NUL, ours to its file descriptor 3, its own from 4. No port is opened, nothing but node is
// needed, and a browser whose pipe is closed ends by itself, whatever became of us.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const START_MS = 30_000;
const END_MS = 5_000;

/** Where Chromium is: $CHROMIUM, or what Debian and others call it. */
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
		// Its sandbox refuses to work for root.
		const root = process.getuid() === 0 ? ["--no-sandbox"] : [];
		const profile = `--user-data-dir=${join(this.#folder, "profile")}`;

		// A process group of its own: its helpers end with it.
		this.#child = spawn(PROGRAM, [...OPTIONS, ...root, profile, "about:blank"],
			{ stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"], detached: true });
		process.on("exit", this.#kill);
		this.#child.on("error", (error) => this.#fail(`${PROGRAM}: ${error.message}`));
		this.#child.on("exit", () => this.#fail(`${PROGRAM} has ended: ${this.#said}`));
		this.#child.stderr.on("data", (text) => {
			this.#said = (this.#said + text).slice(-1000);
		});
		// What is written to a browser that has ended is told of by its exit.
		this.#child.stdio[3].on("error", () => {});
		this.#child.stdio[4].on("error", () => {});
		this.#child.stdio[4].on("data", (bytes) => this.#receive(bytes));
	}

	/** The answer to a command; session: of a page, else of the browser itself. */
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

	/** A directory that is gone with the browser. */
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
			// Asked to, it waits for its helpers; killed, it leaves them to init.
			if (!this.#ended) {
				this.ask("Browser.close").catch(() => {});
				await within(END_MS, () => "it does not end", gone);
			}
		} catch {
			// The next step is what to do about it.
		}
		this.#end();
		process.off("exit", this.#kill);
	}

	/* Nothing asynchronous: the process may be at its end. */
	#end() {
		try {
			process.kill(-this.#child.pid, "SIGKILL");
		} catch {
			// It has ended.
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

/** What a promise gives, or an error: after ms that it is not there. why: says what was missed. */
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

// The default action of a signal leaves no time to end the browser.
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"])
	process.on(signal, () => process.exit(1));
