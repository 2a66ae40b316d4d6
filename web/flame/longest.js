// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lengths -> the longest of any neighbours, in the time of a binary search: a tournament of which
// every round is kept.

export class Longest {
	#lengths;
	#rounds = [];

	constructor(count, lengthOf) {
		this.#lengths = Float64Array.from({ length: count }, (_, i) => lengthOf(i));
		let last = null;

		for (let n = count; n > 1 || !last; n = last.length) {
			last = this.#round(last, Math.ceil(n / 2));
			this.#rounds.push(last);
		}
	}

	/** The index of the longest of [from, to), the first of equals; from < to. */
	of(from, to) {
		let best = from;

		while (from < to) {
			const level = this.#level(from, to);
			const winner = level ? this.#rounds[level - 1][from / 2 ** level] : from;

			if (this.#lengths[winner] > this.#lengths[best])
				best = winner;
			from += 2 ** level;
		}
		return best;
	}

	/** The largest block that begins at from and ends within to. */
	#level(from, to) {
		let level = 0;

		while (from % 2 ** (level + 1) === 0 && from + 2 ** (level + 1) <= to &&
		       level < this.#rounds.length)
			level++;
		return level;
	}

	#round(last, count) {
		const round = new Uint32Array(count);
		const size = last ? last.length : this.#lengths.length;
		const at = (i) => last ? last[i] : i;

		for (let i = 0; i < count; i++) {
			const a = at(2 * i), b = 2 * i + 1 < size ? at(2 * i + 1) : a;

			round[i] = this.#lengths[b] > this.#lengths[a] ? b : a;
		}
		return round;
	}
}
