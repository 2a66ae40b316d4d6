// SPDX-License-Identifier: GPL-2.0-or-later
//
// A browser as a process: in a process group of its own, with a directory of its own. Both are gone when
// this process ends, whatever it ends by.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const END_MS = 5_000;
const SAID_MAX = 1000;

export class Program {
	#kill = () => this.#end();
	#exited;
	/** The end of what it wrote to its standard error. */
	said = "";

	/** options(folder); failed(why): called when it ends or cannot start. */
	constructor(name, options, stdio, failed) {
		this.folder = mkdtempSync(join(tmpdir(), `rsp-${name}-`));
		this.child = spawn(name, options(this.folder),
			{ stdio: ["ignore", "ignore", "pipe", ...stdio], detached: true,
			  env: { ...process.env, HOME: this.folder } });
		process.on("exit", this.#kill);
		this.#exited = new Promise((resolve) => this.child.once("exit", resolve));
		this.child.on("error", (error) => failed(`${name}: ${error.message}`));
		this.child.on("exit", () => failed(`${name} has ended: ${this.said}`));
		this.child.stderr.on("data", (text) => {
			this.said = (this.said + text).slice(-SAID_MAX);
		});
	}

	/** ask(): asks it to end. Then it waits for its helpers; killed, it leaves them to init. */
	async close(ask) {
		try {
			ask();
			await within(END_MS, () => "it does not end", this.#exited);
		} catch {
			// The next step is what to do about it.
		}
		this.#end();
		process.off("exit", this.#kill);
	}

	/* Nothing asynchronous: the process may be at its end. */
	#end() {
		try {
			process.kill(-this.child.pid, "SIGKILL");
		} catch {
			// It has ended.
		}
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
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
