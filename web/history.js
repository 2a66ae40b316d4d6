// SPDX-License-Identifier: GPL-2.0-or-later
//
// The state <-> the URL's fragment and the browser's history: Back leads to what was seen before.

/** A movement has ended when nothing moved for that long. */
const SETTLED_MS = 350;

/** What makes another place, as opposed to another look at the same one. */
const PLACES = ["view", "from", "to", "process", "graph"];

export class History {
	#state;
	#timer = 0;
	#moved = false;
	#depth = 0;

	constructor(state) {
		this.#state = state;
		state.setFragment(location.hash);
		state.subscribe((changed) => this.#changed(changed));
		addEventListener("popstate", (event) => this.#restore(event.state?.depth ?? 0));
		addEventListener("hashchange", () => this.#restore(history.state?.depth ?? 0));
	}

	/** To the place before; false if this is where one came in. */
	back() {
		this.#write();
		if (!this.#depth)
			return false;
		history.back();
		return true;
	}

	/** The page's address, with all of the state in it. */
	link() {
		this.#write();
		return location.href;
	}

	#changed(changed) {
		this.#moved ||= PLACES.some((name) => changed.has(name));
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#write(), SETTLED_MS);
	}

	#write() {
		const fragment = `#${this.#state.fragment()}`;

		clearTimeout(this.#timer);
		if (fragment === (location.hash || "#"))
			return;
		if (this.#moved)
			history.pushState({ depth: ++this.#depth }, "", fragment);
		else
			history.replaceState({ depth: this.#depth }, "", fragment);
		this.#moved = false;
	}

	#restore(depth) {
		this.#depth = depth;
		this.#state.setFragment(location.hash);
		// This is no movement of its own.
		this.#moved = false;
		clearTimeout(this.#timer);
	}
}
