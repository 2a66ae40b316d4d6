// SPDX-License-Identifier: GPL-2.0-or-later
//
// Controls a page in Firefox, with the methods of browser.js except download().

import { Marionette } from "./marionette.js";
import { AnyPage, LOCAL } from "./page.js";

/* WebDriver uses these characters for keys without a character. */
const KEYS = {
	Escape: "\uE00C", Enter: "\uE007", Tab: "\uE004", Home: "\uE011", End: "\uE010",
	Backspace: "\uE003", ArrowLeft: "\uE012", ArrowUp: "\uE013", ArrowRight: "\uE014",
	ArrowDown: "\uE015",
};
const SHIFT = "\uE008", CONTROL = "\uE009";

/** Runs with the privileges of the browser. */
function listen() {
	const heard = globalThis.rspHeard = { urls: [], errors: [] };

	Services.obs.addObserver((subject) => {
		const { URI, loadInfo } = subject.QueryInterface(Ci.nsIHttpChannel);

		// Requests that the browser itself makes are ignored.
		if (!loadInfo.triggeringPrincipal.isSystemPrincipal)
			heard.urls.push(URI.spec);
	}, "http-on-modify-request");
	Services.console.registerListener({
		observe(message) {
			if (message instanceof Ci.nsIScriptError &&
			    (message.flags & Ci.nsIScriptError.warningFlag) === 0 &&
			    message.sourceName.startsWith("file:"))
				heard.errors.push(message.errorMessage);
		},
	});
	Services.obs.addObserver((subject) => {
		const { level, arguments: words, filename } = subject.wrappedJSObject;

		if (["error", "warn", "assert"].includes(level) && filename?.startsWith("file:"))
			heard.errors.push(`console: ${Array.from(words, String).join(" ")}`);
	}, "console-api-log-event");
}

export class Browser {
	#marionette = new Marionette();
	#page = null;

	static async launch() {
		const browser = new Browser();

		await browser.#marionette.start();
		return browser;
	}

	async open(url, { width = 1280, height = 800 } = {}) {
		if (!this.#page) {
			this.#page = new Page(this.#marionette);
			await this.#page.prepare();
		}
		await this.#page.begin(url, width, height);
		return this.#page;
	}

	close() {
		return this.#marionette.close();
	}
}

class Page extends AnyPage {
	#marionette;
	#held = []; // the pressed modifier keys

	constructor(marionette) {
		super();
		this.#marionette = marionette;
	}

	prepare() {
		return this.#inBrowser(listen);
	}

	async begin(url, width, height) {
		await this.#act([]);
		await this.resize(width, height);
		await this.goto(url);
		await this.gather();
		this.problems = [];
	}

	async gather() {
		const { urls, errors } = await this.#inBrowser(() => {
			const { rspHeard } = globalThis;

			return { urls: rspHeard.urls.splice(0), errors: rspHeard.errors.splice(0) };
		});

		this.problems.push(...errors, ...urls.filter((url) => !LOCAL.test(url))
			.map((url) => `request to ${url}`));
	}

	async #inBrowser(fn) {
		await this.#marionette.ask("Marionette:SetContext", { value: "chrome" });
		try {
			return (await this.#marionette.ask("WebDriver:ExecuteScript",
				{ script: `return (${fn})()`, args: [], sandbox: "system" })).value;
		} finally {
			await this.#marionette.ask("Marionette:SetContext", { value: "content" });
		}
	}

	/** Sets the size of the page. The window is larger, because it has borders and bars. */
	async resize(width, height) {
		const inner = () => this.evaluate(() => ({ width: innerWidth, height: innerHeight }));
		const set = (size) => this.#marionette.ask("WebDriver:SetWindowRect", size);
		const outer = await set({ width, height });
		const is = await inner();

		await set({ width: width + outer.width - is.width, height: height + outer.height - is.height });
		await this.until("the window has its size", (wanted) =>
			innerWidth === wanted.width && innerHeight === wanted.height, { width, height });
	}

	goto(url) {
		return this.#marionette.ask("WebDriver:Navigate", { url });
	}

	reload() {
		return this.#marionette.ask("WebDriver:Refresh");
	}

	/**
	 * Calls a function in the page. Its arguments and its result are transferred as JSON. The
	 * function runs in a sandbox, in which wrappedJSObject gives access to the objects of the
	 * page's own scripts.
	 */
	async evaluate(fn, ...args) {
		const { value } = await this.#marionette.ask("WebDriver:ExecuteScript", {
			script: `return (async (globalThis, args) => {
				const value = await (${fn})(...JSON.parse(args));

				return JSON.stringify(value === undefined ? null : value);
			})(window.wrappedJSObject, arguments[0])`,
			args: [JSON.stringify(args)], sandbox: "default",
		});

		return JSON.parse(value);
	}

	#act(actions, type = "pointer") {
		const more = type === "pointer" ? { parameters: { pointerType: "mouse" } } : {};

		return this.#marionette.ask("WebDriver:PerformActions",
			{ actions: [{ type, id: type, ...more, actions }] });
	}

	move(x, y) {
		return this.#act([{ type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 0 }]);
	}

	async press({ shift = false, ctrl = false } = {}) {
		this.#held = [...shift ? [SHIFT] : [], ...ctrl ? [CONTROL] : []];
		for (const value of this.#held)
			await this.#act([{ type: "keyDown", value }], "key");
		await this.#act([{ type: "pointerDown", button: 0 }]);
	}

	async release() {
		await this.#act([{ type: "pointerUp", button: 0 }]);
		for (const value of this.#held)
			await this.#act([{ type: "keyUp", value }], "key");
		this.#held = [];
	}

	wheel(x, y, deltaY) {
		return this.#act([{ type: "scroll", x: Math.round(x), y: Math.round(y), deltaX: 0, deltaY,
				    duration: 0 }], "wheel");
	}

	/** Names of keys are, for example, "a", "?" and "Escape". */
	key(name, { shift = false } = {}) {
		const value = KEYS[name] ?? name;
		const held = (type) => shift ? [{ type, value: SHIFT }] : [];

		return this.#act([...held("keyDown"), { type: "keyDown", value }, { type: "keyUp", value },
				  ...held("keyUp")], "key");
	}

	async screenshot() {
		const { value } = await this.#marionette.ask("WebDriver:TakeScreenshot", { full: false });

		return Buffer.from(value, "base64");
	}

	/**
	 * Leaves the page. If the next URL differed only in its fragment, the browser would not
	 * load the page again.
	 */
	close() {
		return this.goto("about:blank");
	}
}
