// SPDX-License-Identifier: GPL-2.0-or-later
//
// Chains of hops -> rows of boxes: the pseudo-stack, from below a process's name, the frames it
// waits in, the name of who worked on its behalf, and so on.
//
// Rows form a tree: two pseudo-stacks share the rows in which they agree from below. So rows that
// are the same number are the same stack down to the ground, and what is to be joined in time, or
// gathered, need not be compared frame by frame.
import { framesOf, frameName } from "../data/recording.js";
import { INK } from "../scene.js";
import { PairIndex } from "./pair-index.js";
import { callOf, categoriesOf, innermost, leafText } from "./words.js";

/** What a row is: its ink is that of its nature if it is a frame. */
export const ROW = Object.freeze({ name: 0, frame: 1, leaf: 2 });

/** How much is shown: all frames, those of user space, or only who and what. */
export const DETAILS = ["all", "user", "names"];

/** What a frame does at some time; joined boxes may do both. */
export const RUNS = 1, SLEEPS = 2;
export const NATURE_INK = [INK.sleep, INK.run, INK.sleep, INK.both];

const UNKNOWN = -1;

export class PseudoRows {
	#rec;
	#categories;
	#rows = new PairIndex(); // of parent and token; row 0 is not in it
	#tokens = new Map();
	#top;
	#matches = { query: "", tokens: [] };

	constructor(rec, detail) {
		this.#rec = rec;
		this.detail = detail;
		this.#categories = categoriesOf(rec);
		this.#top = new Int32Array(rec.hop.count).fill(UNKNOWN);
		this.#top[0] = 0;
		// Row 0 is the ground. A row's depth is how many there are up to it.
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

	/** The topmost row of a chain. */
	topOf(hop) {
		if (this.#top[hop] === UNKNOWN)
			this.#top[hop] = this.#addHop(hop, this.topOf(this.#rec.hop.parent[hop]));
		return this.#top[hop];
	}

	/** How many rows of a chain are those of the hops below its leaf. */
	groundOf(hop) {
		return this.depth[this.topOf(this.#rec.hop.parent[hop])];
	}

	/** What the frames of a chain's leaf do. */
	natureOf(hop) {
		return this.#categories[this.#rec.hop.what[hop] - 1]?.runs ? RUNS : SLEEPS;
	}

	/** The row at a depth, on the way from a row to the ground. */
	rowAt(row, depth) {
		while (this.depth[row] > depth)
			row = this.parent[row];
		return row;
	}

	ink(row, nature) {
		const token = this.tokens[this.token[row]];

		return token.kind === ROW.frame ? NATURE_INK[nature] : token.ink;
	}

	/** Which rows a search finds: of each token 1 or 0. */
	matches(query) {
		const known = this.#matches;

		if (String(query) !== known.query || this.tokens.length !== known.tokens.length) {
			known.query = String(query);
			known.tokens = Uint8Array.from(this.tokens,
						       ({ label }) => query.test(label) ? 1 : 0);
		}
		return known.tokens;
	}

	/** What a description says of a row: pairs of name and value. */
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

		const short = this.detail === "names";
		const label = short ? this.#who(hop, name) : name;
		const frames = framesOf(rec, short ? 0 : rec.hop.stack[hop])
			.filter((frame) => this.#isShown(frame));
		let row = this.#add(below, hop, this.#nameToken(label));

		for (const frame of frames)
			row = this.#add(row, hop, this.#frameToken(frame));
		return this.#isSelfEvident(hop, frames) ? row : this.#addLeaf(hop, row);
	}

	#isShown(frame) {
		return this.detail === "all" || !this.#rec.frame.kernel[frame];
	}

	/** Frames alone say it, if the thread ran, or waits for the next hop. */
	#isSelfEvident(hop, frames) {
		const what = this.#rec.hop.what[hop];

		return frames.length > 0 && (what === 0 || this.#categories[what - 1].runs);
	}

	/** "php-fpm · poll"; who runs has his function above. */
	#who(hop, name) {
		const rec = this.#rec;
		const call = rec.string[rec.hop.syscall[hop]] ||
			innermost(rec, rec.hop.stack[hop], true);

		return call && this.natureOf(hop) !== RUNS ? `${name} · ${call}` : name;
	}

	/** On the frames: what is waited for; or what runs or calls, if no frame says so. */
	#addLeaf(hop, row) {
		const rec = this.#rec;
		const what = rec.hop.what[hop];
		const stack = rec.hop.stack[hop];

		if (what === 0) {
			const call = this.detail === "names" ? "" : callOf(rec, hop);

			return call ? this.#add(row, hop, this.#leafToken(call, INK.sleep)) : row;
		}
		const category = this.#categories[what - 1];
		const label = category.runs
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

/** The rows of a recording, made once for each detail. */
export function pseudoRowsOf(rec, detail) {
	const made = ROWS.get(rec) ?? {};

	ROWS.set(rec, made);
	made[detail] ??= new PseudoRows(rec, detail);
	return made[detail];
}
