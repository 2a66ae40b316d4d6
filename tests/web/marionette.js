// SPDX-License-Identifier: GPL-2.0-or-later
//
// Starts Firefox and controls it by its Marionette protocol, over a loopback connection. A message
// is a command of WebDriver in JSON, after its length.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { Program, within } from "./program.js";

const START_MS = 60_000;
const POLL_MS = 20;

const PROGRAM = process.env.FIREFOX ?? "firefox-esr";

/*
 * With these preferences, Firefox listens on a free port, does not contact Mozilla's servers, and
 * shows almost only the page in its window.
 */
const PREFERENCES = {
	"marionette.port": 0, "app.update.disabledForTesting": true, "browser.startup.page": 0,
	"browser.shell.checkDefaultBrowser": false, "datareporting.policy.dataSubmissionEnabled": false,
	"toolkit.telemetry.enabled": false, "network.connectivity-service.enabled": false,
	"network.captive-portal-service.enabled": false, "services.settings.server": "data:,",
	"browser.aboutwelcome.enabled": false, "extensions.enabledScopes": 0,
	"layout.css.devPixelsPerPx": "1.0", "ui.prefersReducedMotion": 1,
};

export class Marionette {
	#program;
	#socket = null;
	#received = Buffer.alloc(0);
	#asked = new Map();
	#lastId = 0;
	#ended = null;

	async start() {
		this.#program = new Program(PROGRAM, (folder) => optionsFor(folder), [],
			(why) => this.#fail(why));
		const port = await within(START_MS, () => `${PROGRAM} opens no port: ${this.#program.said}`,
			this.#port());

		this.#socket = connect(port, "127.0.0.1");
		this.#socket.on("data", (bytes) => this.#receive(bytes));
		this.#socket.on("error", (error) => this.#fail(error.message));
		await this.ask("WebDriver:NewSession", { pageLoadStrategy: "normal" });
	}

	ask(name, params = {}) {
		if (this.#ended)
			return Promise.reject(new Error(this.#ended));
		return new Promise((resolve, reject) => {
			const id = ++this.#lastId;
			const text = JSON.stringify([0, id, name, params]);

			this.#asked.set(id, { name, resolve, reject });
			this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
		});
	}

	close() {
		return this.#program.close(() => {
			this.ask("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
		});
	}

	/** Returns the port number, after Firefox has written it to a file. */
	async #port() {
		const file = join(this.#program.folder, "profile", "MarionetteActivePort");

		while (!this.#ended) {
			const port = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;

			if (port)
				return port;
			await pause(POLL_MS);
		}
		throw new Error(this.#ended);
	}

	#fail(why) {
		this.#ended ??= why.trim();
		for (const { reject } of this.#asked.values())
			reject(new Error(this.#ended));
		this.#asked.clear();
	}

	#receive(bytes) {
		this.#received = Buffer.concat([this.#received, bytes]);
		for (;;) {
			const colon = this.#received.indexOf(":");
			const length = Number(this.#received.subarray(0, Math.max(colon, 0)));
			const end = colon + 1 + length;

			if (colon < 0 || this.#received.length < end)
				return;
			const message = this.#received.subarray(colon + 1, end).toString();

			this.#received = this.#received.subarray(end);
			this.#dispatch(JSON.parse(message));
		}
	}

	/**
	 * Handles a message. The first message is a greeting; an answer is [1, id, error, result].
	 */
	#dispatch(message) {
		const [, id, error, result] = Array.isArray(message) ? message : [];
		const asked = this.#asked.get(id);

		if (!asked)
			return;
		this.#asked.delete(id);
		if (error)
			asked.reject(new Error(`${asked.name}: ${error.message}`));
		else
			asked.resolve(result);
	}
}

function optionsFor(folder) {
	const profile = join(folder, "profile");
	const lines = Object.entries(PREFERENCES).map(([name, value]) =>
		`user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`);

	mkdirSync(profile);
	writeFileSync(join(profile, "user.js"), lines.join(""));
	return ["--headless", "--no-remote", "--profile", profile, "--marionette",
		"--remote-allow-system-access", "about:blank"];
}
