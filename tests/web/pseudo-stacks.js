// SPDX-License-Identifier: GPL-2.0-or-later
//
// Computes from the data in a page what the flame view must show. It shares no code with the view.

import { CATEGORY_INK } from "../../web/palette.js";
import { INK } from "../../web/scene.js";

/** The inks of functions, each with its minimum share of running, as in docs/pictures.md. */
const SHADES = [
	[0, "sleep"], [0.03, "mostlySleep"], [1 / 3, "both"], [2 / 3, "mostlyRun"], [0.97, "run"],
];

export class PseudoStacks {
	#rec;
	#detail;
	#known = new Map();

	/** detail: "user" or "names" (web/flame/rows.js). */
	constructor(rec, detail) {
		this.#rec = rec;
		this.#detail = detail;
	}

	piecesIn({ firstPiece, pieces }, from, to) {
		const { piece } = this.#rec;
		const found = [];

		for (let i = firstPiece; i < firstPiece + pieces; i++)
			if (piece.to[i] > from && piece.from[i] < to)
				found.push(i);
		return found;
	}

	lengthOf(piece) {
		return this.#rec.piece.to[piece] - this.#rec.piece.from[piece];
	}

	/**
	 * Returns the rows from the bottom: [{label, key, kind, ink}, …]. The key of a row contains
	 * the labels of all rows below it.
	 */
	rowsOf(piece) {
		const leaf = this.#rec.piece.hop[piece];

		if (!this.#known.has(leaf))
			this.#known.set(leaf, this.#rowsOfChain(leaf));
		return this.#known.get(leaf);
	}

	/** Returns {ns, run, sleep}. In the rest of ns, the thread waited for a CPU. */
	timesOf(pieces, depth, key) {
		const times = { ns: 0, run: 0, sleep: 0 };

		for (const piece of pieces) {
			const rows = this.rowsOf(piece);
			const row = rows[depth - 1];

			if (row?.key !== key)
				continue;
			const ns = this.lengthOf(piece);

			times.ns += ns;
			if (row.hop !== this.#rec.piece.hop[piece] || this.#isOneOf(row.hop, SLEEPS))
				times.sleep += ns;
			else if (this.#isOneOf(row.hop, RUNS))
				times.run += ns;
		}
		return times;
	}

	#rowsOfChain(leaf) {
		const { hop } = this.#rec;
		const hops = [];

		for (let node = leaf; node; node = hop.parent[node])
			hops.unshift(node);
		let key = "";

		return hops.flatMap((node) => this.#rowsOfHop(node)).map((row) => {
			key += `\n${row.id}`;
			return { ...row, key };
		});
	}

	#rowsOfHop(hop) {
		const rec = this.#rec;
		const { string } = rec;
		const all = this.#framesOf(rec.hop.stack[hop]);
		const user = all.filter((frame) => !rec.frame.kernel[frame]);
		const shown = this.#detail === "names" ? [] : user;
		const name = string[rec.hop.name[hop]] || "[unknown]";
		const syscall = string[rec.hop.syscall[hop]], object = string[rec.hop.object[hop]];
		const inner = user.length ? this.#frameName(user.at(-1)) : "";
		const waits = rec.hop.what[hop] === 0 || this.#isOneOf(hop, SLEEPS);
		const call = this.#detail === "names" && waits ? syscall || inner : "";
		const label = call ? `${name} · ${call}` : name;
		const rows = [{ kind: "name", label, id: `n${label}`, ink: INK.name, hop }];

		for (const frame of shown)
			rows.push({ kind: "frame", label: this.#frameName(frame), id: `f${frame}`, hop });
		const top = this.#topOf(hop, shown, { syscall, object, inner, all });

		if (top)
			rows.push({ kind: "leaf", id: `l${top.ink} ${top.label}`, hop, ...top });
		return rows;
	}

	/** Returns null if there is no row above the frames. */
	#topOf(hop, shown, { syscall, object, inner, all }) {
		const rec = this.#rec;
		const what = rec.hop.what[hop];

		if (what === 0)
			return shown.length || this.#detail === "names" || !(syscall || object) ? null
				: { label: syscall || object, ink: INK.sleep };
		const { key, name } = rec.meta.categories[what - 1];
		const ink = CATEGORY_INK[key];

		if (key.startsWith("running"))
			return shown.length ? null : {
				label: inner || object || (all.length ? this.#frameName(all.at(-1)) : name), ink,
			};
		const throttled = rec.hop.flags[hop] & 8;
		const title = throttled ? "throttled" : name;

		return { label: object && object !== syscall ? `${title}: ${object}` : title, ink };
	}

	#isOneOf(hop, isWanted) {
		const what = this.#rec.hop.what[hop];

		return what > 0 && isWanted(this.#rec.meta.categories[what - 1].key);
	}

	#framesOf(stack) {
		const frames = [];

		for (let node = stack; node; node = this.#rec.stack.parent[node])
			frames.unshift(this.#rec.stack.frame[node]);
		return frames;
	}

	#frameName(frame) {
		const { string, frame: { symbol, module } } = this.#rec;

		return string[symbol[frame]] || string[module[frame]] || "[unknown]";
	}
}

const RUNS = (key) => key.startsWith("running");
const READY = (key) => key === "runqueue" || key === "preempted";
const SLEEPS = (key) => !RUNS(key) && !READY(key);

/** Returns the inks that a function may have if its times are between least and most. */
export function inksBetween(least, most) {
	if (most.run + most.sleep === 0)
		return [most.ns > 0 ? INK.runqueue : INK.sleep];
	const low = least.run / Math.max(least.run + most.sleep, 1);
	const high = most.run / Math.max(most.run + least.sleep, 1);
	const inks = SHADES.filter(([from], i) =>
		high >= from && low < (SHADES[i + 1]?.[0] ?? Infinity)).map(([, name]) => INK[name]);

	// Possibly the function neither ran nor slept, and only waited for a CPU.
	return least.run + least.sleep === 0 ? [...inks, INK.runqueue] : inks;
}
