// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the longest element in any range of adjacent elements. Round n contains the longest element
// of each aligned block of 2^n elements. So a search takes logarithmic time.

export class Longest {
	#lengths;
	#rounds = [];

	constructor(count, lengthOf) {
		this.#lengths = new Float64Array(count);
		for (let i = 0; i < count; i++)
			this.#lengths[i] = lengthOf(i);
		let last = null;

		for (let n = count; n > 1 || !last; n = last.length) {
			last = this.#round(last, Math.ceil(n / 2));
			this.#rounds.push(last);
		}
	}

	/** Returns the index of the longest element of [from, to), where from < to. */
	of(from, to) {
		let best = from;

		while (from < to) {
			const level = this.#level(from, to);
			const winner = level ? this.#rounds[level - 1][from >>> level] : from;

			if (this.#lengths[winner] > this.#lengths[best])
				best = winner;
			from += 1 << level;
		}
		return best;
	}

	/**
	 * Returns the number of the round with the largest block that begins at from and does not
	 * extend beyond to.
	 */
	#level(from, to) {
		let level = 0;

		while (level < this.#rounds.length && (from & (1 << level)) === 0 &&
		       from + (2 << level) <= to)
			level++;
		return level;
	}

	#round(last, count) {
		const round = new Uint32Array(count);
		const size = last ? last.length : this.#lengths.length;

		for (let i = 0; i < count; i++) {
			const left = 2 * i, right = Math.min(left + 1, size - 1);
			const a = last ? last[left] : left, b = last ? last[right] : right;

			round[i] = this.#lengths[b] > this.#lengths[a] ? b : a;
		}
		return round;
	}
}
