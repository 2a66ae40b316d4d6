// SPDX-License-Identifier: GPL-2.0-or-later
//
// Converts chains of hops to pseudo-stacks. From bottom to top, a pseudo-stack contains the name of
// a process, the frames in which the process waits, the name of the process that it waits for, the
// frames of that process, and so on.
//
// Rows form a tree: pseudo-stacks with equal lower rows share these rows. So no frames need to be
// compared to join or merge rows.
import { framesOf, frameName } from "../data/recording.js";
import { lineOf, namesIn } from "../name-list.js";
import { INK } from "../scene.js";
import { PairIndex } from "./pair-index.js";
import { NATURE, callOf, categoriesOf, innermost, leafText } from "./words.js";

export const ROW = Object.freeze({ name: 0, frame: 1, leaf: 2 });

/** The levels of detail: all frames, only frames of user space, or only names and system calls. */
export const DETAILS = ["all", "user", "names"];

/** The inks of a frame, each with its minimum share of running: running / (running + sleeping). */
const SHADES = [
	[0.97, INK.run], [2 / 3, INK.mostlyRun], [1 / 3, INK.both], [0.03, INK.mostlySleep],
	[0, INK.sleep],
];

/** Returns the ink of a frame with these times, in ns; ready: waiting for a CPU. */
export function inkOfTimes(run, sleep, ready) {
	if (run + sleep > 0)
		return SHADES.find(([least]) => run / (run + sleep) >= least)[1];
	return ready > 0 ? INK.runqueue : INK.sleep;
}

const UNKNOWN = -1;

export class PseudoRows {
	#rec;
	#categories;
	#rows = new PairIndex(); // maps (parent, token) to a row; without row 0
	#tokens = new Map();
	#top;
	#drilled;
	#matches = { query: "", tokens: [] };

	/**
	 * detail: an element of DETAILS. drilled: a Set of names whose frames are shown, even if
	 * detail is "names".
	 */
	constructor(rec, detail, drilled = new Set()) {
		this.#rec = rec;
		this.detail = detail;
		this.#drilled = drilled;
		this.#categories = categoriesOf(rec);
		this.#top = new Int32Array(rec.hop.count).fill(UNKNOWN);
		this.#top[0] = 0;
		// Row 0 is below all pseudo-stacks. The depth of a row is its distance from row 0.
		this.parent = [0];
		this.depth = [0];
		this.token = [0];
		this.hop = [0];
		this.tokens = [{ kind: ROW.name, label: "", ink: INK.name, frame: 0 }];
	}

	get count() {
		return this.parent.length;
	}

	label(row) {
		return this.tokens[this.token[row]].label;
	}

	kind(row) {
		return this.tokens[this.token[row]].kind;
	}

	/** Returns the topmost row of the chain that ends with a hop. */
	topOf(hop) {
		if (this.#top[hop] === UNKNOWN)
			this.#top[hop] = this.#addHop(hop, this.topOf(this.#rec.hop.parent[hop]));
		return this.#top[hop];
	}

	/** Returns the activity of the leaf of a chain: a value of NATURE. */
	natureOf(hop) {
		return this.#categories[this.#rec.hop.what[hop] - 1]?.nature ?? NATURE.sleeps;
	}

	/** Returns the number of hops from the bottom of the pseudo-stack up to this row. */
	levelOf(row) {
		let level = 0;

		for (let one = row; one; one = this.parent[one])
			level += this.kind(one) === ROW.name ? 1 : 0;
		return level;
	}

	/** Returns the row at a depth below the given row. */
	rowAt(row, depth) {
		while (this.depth[row] > depth)
			row = this.parent[row];
		return row;
	}

	/** Returns the ink of a row that is not a frame. */
	ownInk(row) {
		return this.tokens[this.token[row]].ink;
	}

	/** Returns 1 for each token whose label matches the search, otherwise 0. */
	matches(query) {
		const known = this.#matches;

		if (String(query) !== known.query || this.tokens.length !== known.tokens.length) {
			known.query = String(query);
			known.tokens = Uint8Array.from(this.tokens,
						       ({ label }) => query.test(label) ? 1 : 0);
		}
		return known.tokens;
	}

	facts(row) {
		const rec = this.#rec;
		const token = this.tokens[this.token[row]];
		const module = rec.string[rec.frame.module[token.frame]];
		const what = rec.hop.what[this.hop[row]];
		const facts = [];

		if (token.kind === ROW.frame && module)
			facts.push(["module", module]);
		if (token.kind !== ROW.name)
			facts.push(["process", rec.string[rec.hop.name[this.hop[row]]]]);
		if (token.kind === ROW.leaf && what > 0)
			facts.push(["category", this.#categories[what - 1].text]);
		return facts;
	}

	#addHop(hop, below) {
		const rec = this.#rec;
		const name = rec.string[rec.hop.name[hop]] || "[unknown]";

		const short = this.#isShort(hop);
		const label = short ? this.#who(hop, name) : name;
		const frames = framesOf(rec, short ? 0 : rec.hop.stack[hop])
			.filter((frame) => this.#isShown(frame));
		let row = this.#add(below, hop, this.#nameToken(label));

		for (const frame of frames)
			row = this.#add(row, hop, this.#frameToken(frame));
		return this.#isSelfEvident(hop, frames) ? row : this.#addLeaf(hop, row);
	}

	/**
	 * Returns whether one row contains the name and the call of a hop, because the frames are
	 * hidden.
	 */
	#isShort(hop) {
		const name = this.#rec.string[this.#rec.hop.name[hop]];

		return this.detail === "names" && !this.#drilled.has(lineOf(name));
	}

	#isShown(frame) {
		return this.detail === "all" || !this.#rec.frame.kernel[frame];
	}

	/** Returns whether the hop needs no row above its frames. */
	#isSelfEvident(hop, frames) {
		const what = this.#rec.hop.what[hop];

		return frames.length > 0 && (what === 0 || this.natureOf(hop) === NATURE.runs);
	}

	/** Returns a text such as "php-fpm · poll", or only the name. */
	#who(hop, name) {
		const rec = this.#rec;
		const call = rec.string[rec.hop.syscall[hop]] ||
			innermost(rec, rec.hop.stack[hop], true);

		return call && this.natureOf(hop) === NATURE.sleeps ? `${name} · ${call}` : name;
	}

	/**
	 * Adds the row above the frames: the awaited object, the activity of the leaf, or the
	 * system call.
	 */
	#addLeaf(hop, row) {
		const rec = this.#rec;
		const what = rec.hop.what[hop];
		const stack = rec.hop.stack[hop];

		if (what === 0) {
			const call = this.#isShort(hop) ? "" : callOf(rec, hop);

			return call ? this.#add(row, hop, this.#leafToken(call, INK.sleep)) : row;
		}
		const category = this.#categories[what - 1];
		const label = category.nature === NATURE.runs
			? innermost(rec, stack, true) || rec.string[rec.hop.object[hop]] ||
			  innermost(rec, stack, false) || category.name
			: leafText(rec, hop, this.#categories);

		return this.#add(row, hop, this.#leafToken(label, category.ink));
	}

	#add(parent, hop, token) {
		const row = this.#rows.of(parent, token) + 1;

		if (row === this.parent.length) {
			this.parent.push(parent);
			this.depth.push(this.depth[parent] + 1);
			this.token.push(token);
			this.hop.push(hop);
		}
		return row;
	}

	#nameToken(label) {
		return this.#tokenOf(`n${label}`, {
			kind: ROW.name, label, ink: INK.name, frame: 0,
		});
	}

	#leafToken(label, ink) {
		return this.#tokenOf(`l${ink} ${label}`, { kind: ROW.leaf, label, ink, frame: 0 });
	}

	#frameToken(frame) {
		return this.#tokenOf(frame, {
			kind: ROW.frame, label: frameName(this.#rec, frame), ink: INK.run, frame,
		});
	}

	#tokenOf(key, token) {
		let index = this.#tokens.get(key);

		if (index === undefined) {
			index = this.tokens.length;
			this.#tokens.set(key, index);
			this.tokens.push(token);
		}
		return index;
	}
}

const ROWS = new WeakMap();

export function detailOf(state) {
	return DETAILS.includes(state.detail) ? state.detail : "names";
}

/** The PseudoRows are cached for each detail, and for the last set of drilled names. */
export function pseudoRowsOf(rec, state) {
	const made = ROWS.get(rec) ?? {};
	const detail = detailOf(state);
	const drilled = detail === "names" ? state.drilled ?? "" : "";

	ROWS.set(rec, made);
	if (!drilled)
		return made[detail] ??= new PseudoRows(rec, detail);
	if (made.drilled?.names !== drilled)
		made.drilled = { names: drilled, rows: new PseudoRows(rec, detail, namesIn(drilled)) };
	return made.drilled.rows;
}
