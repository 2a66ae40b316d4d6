// SPDX-License-Identifier: GPL-2.0-or-later
//
// The state <-> the URL's fragment and the browser's history: Back leads to the previous view.

/** A movement has ended when nothing has moved for this time. */
const SETTLED_MS = 350;

/**
 * Changes that add an entry to the history instead of replacing it: at once (jumps), or at the end
 * of a movement.
 */
const JUMPS = ["view", "process", "graph", "func"];
const MOVEMENTS = ["from", "to"];

export class History {
	#state;
	#timer = 0;
	#moved = false;
	/** The fragment to set at the end of the movement, "" if it is set already. */
	#pending = "";
	#depth = 0;
	#isRestoring = false;

	constructor(state) {
		this.#state = state;
		state.setFragment(location.hash);
		this.#correct();
		state.subscribe((changed) => this.#changed(changed));
		addEventListener("popstate", (event) => this.#restore(event.state?.depth ?? 0));
		addEventListener("hashchange", () => this.#restore(history.state?.depth ?? 0));
	}

	/**
	 * The link may have been edited, or may belong to another file: leaves out the values that
	 * have no meaning in this one.
	 */
	#correct() {
		const fragment = `#${this.#state.fragment()}`;

		if (fragment !== (location.hash || "#"))
			history.replaceState(history.state, "", fragment);
	}

	/** To the place before; false if this is where one came in. */
	back() {
		this.#write();
		if (!this.#depth)
			return false;
		history.back();
		return true;
	}

	/** Returns the address of the page with the whole state in it. */
	link() {
		this.#write();
		return location.href;
	}

	#changed(changed) {
		if (this.#isRestoring)
			return;
		const hasJumped = JUMPS.some((name) => changed.has(name));

		// If a jump follows before a movement has ended, the place before the jump gets an
		// entry, too.
		if (hasJumped)
			this.#write();
		this.#moved ||= hasJumped || MOVEMENTS.some((name) => changed.has(name));
		this.#pending = `#${this.#state.fragment()}`;
		clearTimeout(this.#timer);
		if (hasJumped)
			this.#write();
		else
			this.#timer = setTimeout(() => this.#write(), SETTLED_MS);
	}

	#write() {
		const fragment = this.#pending;

		clearTimeout(this.#timer);
		this.#pending = "";
		if (!fragment || fragment === (location.hash || "#"))
			return;
		if (this.#moved)
			history.pushState({ depth: ++this.#depth }, "", fragment);
		else
			history.replaceState({ depth: this.#depth }, "", fragment);
		this.#moved = false;
	}

	#restore(depth) {
		const { theme, palette } = this.#state;

		clearTimeout(this.#timer);
		this.#depth = depth;
		this.#moved = false;
		this.#isRestoring = true;
		this.#state.setFragment(location.hash);
		// Going back does not restore the theme of that time.
		this.#state.set({ theme, palette });
		this.#correct();
		this.#pending = `#${this.#state.fragment()}`;
		this.#isRestoring = false;
	}
}
