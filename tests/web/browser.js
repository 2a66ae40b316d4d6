// SPDX-License-Identifier: GPL-2.0-or-later
//
// Controls a page in Chromium like a user, with mouse, keyboard and downloads.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { DevTools } from "./devtools.js";
import { AnyPage, DEADLINE_MS, LOCAL } from "./page.js";
import { within } from "./program.js";

const CTRL = 2, SHIFT = 8;
const LEFT = 1; // bit mask of the pressed buttons
const AT_REST = { x: 0, y: 0, buttons: 0, modifiers: 0 };

/* Keys without a character: the key code, and the text that the key enters. */
const KEYS = {
	Escape: [27], Enter: [13, "\r"], Tab: [9], Home: [36], End: [35], Backspace: [8],
	ArrowLeft: [37], ArrowUp: [38], ArrowRight: [39], ArrowDown: [40],
};

export class Browser {
	#devtools = new DevTools();
	#expected = null; // the download that a test waits for: {resolve, guid, name}
	#page = null;

	static async launch() {
		const browser = new Browser();

		await browser.#devtools.started();
		browser.#devtools.listen(undefined,
			(method, params) => browser.#hear(method, params));
		return browser;
	}

	/**
	 * Opens a URL in a tab without history. All tests use the same tab, because opening a tab
	 * takes longer than most tests.
	 */
	async open(url, { width = 1280, height = 800 } = {}) {
		this.#page ??= await this.#newPage();
		await this.#page.begin(url, width, height);
		return this.#page;
	}

	async #newPage() {
		const ask = (method, params) => this.#devtools.ask(method, params);
		const { targetId } = await ask("Target.createTarget", { url: "about:blank" });
		const { sessionId } = await ask("Target.attachToTarget",
			{ targetId, flatten: true });
		const page = new Page(this, this.#devtools, sessionId);

		await ask("Browser.setDownloadBehavior", {
			behavior: "allowAndName", downloadPath: this.#devtools.folder, eventsEnabled: true,
		});
		await page.prepare();
		return page;
	}

	/** Calls action(), which starts a download. Returns {name, bytes} of the file. */
	async download(action) {
		const file = new Promise((resolve) => {
			this.#expected = { resolve };
		});

		await action();
		return within(DEADLINE_MS, () => "nothing is downloaded", file);
	}

	close() {
		return this.#devtools.close();
	}

	#hear(method, params) {
		if (method === "Browser.downloadWillBegin" && this.#expected)
			Object.assign(this.#expected,
				{ guid: params.guid, name: params.suggestedFilename });
		if (method === "Browser.downloadProgress" && params.state === "completed" &&
		    this.#expected?.guid === params.guid) {
			const { resolve, name } = this.#expected;
			const path = join(this.#devtools.folder, params.guid);

			resolve({ name, bytes: readFileSync(path) });
			this.#expected = null;
		}
	}
}

class Page extends AnyPage {
	#browser;
	#devtools;
	#session;
	#mouse = { ...AT_REST };

	constructor(browser, devtools, session) {
		super();
		this.#browser = browser;
		this.#devtools = devtools;
		this.#session = session;
		devtools.listen(session, (method, params) => this.#hear(method, params));
	}

	ask(method, params = {}) {
		return this.#devtools.ask(method, params, this.#session);
	}

	async prepare() {
		for (const domain of ["Page", "Runtime", "Network", "Log"])
			await this.ask(`${domain}.enable`);
	}

	async begin(url, width, height) {
		this.#mouse = { ...AT_REST };
		await this.resize(width, height);
		await this.goto(url);
		await this.ask("Page.resetNavigationHistory");
		this.problems = [];
	}

	resize(width, height) {
		return this.ask("Emulation.setDeviceMetricsOverride",
			{ width, height, deviceScaleFactor: 1, mobile: false });
	}

	async goto(url) {
		const { errorText } = await this.ask("Page.navigate", { url });

		if (errorText)
			throw new Error(`${url}: ${errorText}`);
		await this.until("the page is loaded", () => document.readyState === "complete");
	}

	async reload() {
		await this.evaluate(() => { globalThis.beforeReload = true; });
		await this.ask("Page.reload");
		await this.until("the page is loaded again",
			() => !globalThis.beforeReload && document.readyState === "complete");
	}

	async evaluate(fn, ...args) {
		const { result, exceptionDetails } = await this.ask("Runtime.evaluate", {
			expression: `(${fn})(...${JSON.stringify(args)})`,
			awaitPromise: true, returnByValue: true,
		});

		if (exceptionDetails)
			throw new Error(textOfException(exceptionDetails));
		return result.value;
	}

	async move(x, y) {
		Object.assign(this.#mouse, { x, y });
		await this.#dispatchMouse("mouseMoved",
			{ button: this.#mouse.buttons ? "left" : "none" });
	}

	async press({ shift = false, ctrl = false, count = 1 } = {}) {
		const modifiers = (shift ? SHIFT : 0) | (ctrl ? CTRL : 0);

		Object.assign(this.#mouse, { buttons: LEFT, modifiers });
		await this.#dispatchMouse("mousePressed", { button: "left", clickCount: count });
	}

	async release({ count = 1 } = {}) {
		this.#mouse.buttons = 0;
		await this.#dispatchMouse("mouseReleased", { button: "left", clickCount: count });
		this.#mouse.modifiers = 0;
	}

	async wheel(x, y, deltaY) {
		await this.move(x, y);
		await this.#dispatchMouse("mouseWheel", { deltaX: 0, deltaY });
	}

	/** Names of keys are, for example, "a", "?" and "Escape". */
	async key(name, { shift = false } = {}) {
		// The key code of a letter or digit is its character code.
		const [code, text] = KEYS[name] ??
			[/^\w$/.test(name) ? name.toUpperCase().charCodeAt(0) : 0, name];
		const event = {
			key: name, code: KEYS[name] ? name : "", windowsVirtualKeyCode: code,
			modifiers: shift ? SHIFT : 0,
		};

		await this.ask("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown",
			...event, text });
		await this.ask("Input.dispatchKeyEvent", { type: "keyUp", ...event });
	}

	download(action) {
		return this.#browser.download(action);
	}

	async screenshot() {
		const { data } = await this.ask("Page.captureScreenshot", { format: "png" });

		return Buffer.from(data, "base64");
	}

	/**
	 * Leaves the page. If the next URL differed only in its fragment, the browser would not
	 * load the page again.
	 */
	close() {
		return this.goto("about:blank");
	}

	#dispatchMouse(type, more) {
		return this.ask("Input.dispatchMouseEvent", { type, ...this.#mouse, ...more });
	}

	#hear(method, params) {
		switch (method) {
		case "Runtime.consoleAPICalled":
			if (["error", "warning", "assert"].includes(params.type))
				this.problems.push(`console: ${textOfArguments(params.args)}`);
			break;
		case "Runtime.exceptionThrown":
			this.problems.push(textOfException(params.exceptionDetails));
			break;
		case "Log.entryAdded":
			if (params.entry.level === "error")
				this.problems.push([params.entry.text, params.entry.url].join(" "));
			break;
		case "Network.requestWillBeSent":
			if (!LOCAL.test(params.request.url))
				this.problems.push(`request to ${params.request.url}`);
			break;
		case "Page.javascriptDialogOpening":
			this.problems.push(`dialog: ${params.message}`);
			this.ask("Page.handleJavaScriptDialog", { accept: true }).catch(() => {});
			break;
		}
	}
}

function textOfException({ exception, text }) {
	return exception?.description ?? text;
}

function textOfArguments(values) {
	return values.map(({ value, description }) => value ?? description).join(" ");
}
