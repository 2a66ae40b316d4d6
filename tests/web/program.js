// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a browser in a process group and a directory of its own. When this process exits, or gets
// SIGHUP, SIGINT or SIGTERM, it kills the process group and removes the directory.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const END_MS = 5_000;
const SAID_MAX = 1000;

export class Program {
	#kill = () => this.#end();
	#exited;
	/** The last part of the browser's standard error. */
	said = "";

	/**
	 * options(folder): returns the arguments of the browser. failed(why): called when the
	 * browser ends, or cannot start.
	 */
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

	/**
	 * ask() asks the browser to end, because the browser then waits for its helper processes.
	 */
	async close(ask) {
		try {
			ask();
			await within(END_MS, () => "it does not end", this.#exited);
		} catch {
		}
		this.#end();
		process.off("exit", this.#kill);
	}

	/* #end() is synchronous, because this process may be about to end. */
	#end() {
		try {
			process.kill(-this.child.pid, "SIGKILL");
		} catch {
			// There is no such process group: the browser has ended.
		}
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
	}
}

/**
 * Returns the result of a promise, or throws an error after ms. why(): returns the text of the
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

// By default, a signal would end this process without its "exit" handlers, which end the browser.
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"])
	process.on(signal, () => process.exit(1));
