// SPDX-License-Identifier: GPL-2.0-or-later
//
// The state <-> the URL's fragment and the browser's history: Back leads to what was seen before.

/** A movement has ended when nothing moved for that long. */
const SETTLED_MS = 350;

/** What makes another place, not another look at the same one: by a jump, by movements. */
const JUMPS = ["view", "process", "graph", "func"];
const MOVEMENTS = ["from", "to"];

export class History {
	#state;
	#timer = 0;
	#moved = false;
	/** What the fragment is to become when the movement has ended, "" if it is that. */
	#pending = "";
	#depth = 0;
	#isRestoring = false;

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
		if (this.#isRestoring)
			return;
		const hasJumped = JUMPS.some((name) => changed.has(name));

		// A place that is left before its time is one that Back leads to, too.
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
		// Who goes back to a place does not want the light of then.
		this.#state.set({ theme, palette });
		this.#pending = `#${this.#state.fragment()}`;
		this.#isRestoring = false;
	}
}
