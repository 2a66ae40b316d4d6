// SPDX-License-Identifier: GPL-2.0-or-later
//
// Keeps the state, the fragment of the URL and the browser's history the same.

/**
 * A movement (zoom or scroll through time) ends when the state has not changed for SETTLED_MS ms.
 */
const SETTLED_MS = 350;

/**
 * Changes of these properties add an entry to the history: a jump adds it at once, a movement when
 * it ends.
 */
const JUMPS = ["view", "process", "graph", "func"];
const MOVEMENTS = ["from", "to"];

export class History {
	#state;
	#timer = 0;
	#moved = false;
	/** The fragment that the next #write() writes, or "". */
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

	/** Removes the values of the fragment that are invalid in this recording. */
	#correct() {
		const fragment = `#${this.#state.fragment()}`;

		if (fragment !== (location.hash || "#"))
			history.replaceState(history.state, "", fragment);
	}

	/** Returns false if this page has added no entry before the current one. */
	back() {
		this.#write();
		if (!this.#depth)
			return false;
		history.back();
		return true;
	}

	link() {
		this.#write();
		return location.href;
	}

	#changed(changed) {
		if (this.#isRestoring)
			return;
		const hasJumped = JUMPS.some((name) => changed.has(name));

		// If a jump interrupts a movement, the view before the jump gets an entry, too.
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
		// The theme is not part of the history.
		this.#state.set({ theme, palette });
		this.#correct();
		this.#pending = `#${this.#state.fragment()}`;
		this.#isRestoring = false;
	}
}
