// SPDX-License-Identifier: GPL-2.0-or-later
//
// Gives each new pair of numbers the next index: 0, 1, 2, …. A Map, whose key would be a double
// that contains both numbers, costs ten times as much, and there are millions of stacks.

const SIZE_MIN = 64;

export class PairIndex {
	#slots = new Int32Array(SIZE_MIN); // index plus 1; 0: the slot is free
	#a = new Int32Array(SIZE_MIN / 2);
	#b = new Int32Array(SIZE_MIN / 2);

	count = 0;

	/**
	 * Returns the index of a pair. If the pair is new, adds it. Both numbers must fit in 32
	 * bits.
	 */
	of(a, b) {
		const slot = this.#slotOf(a, b);

		if (this.#slots[slot])
			return this.#slots[slot] - 1;
		if (this.count === this.#a.length) {
			this.#grow();
			return this.of(a, b);
		}
		this.#a[this.count] = a;
		this.#b[this.count] = b;
		this.#slots[slot] = ++this.count;
		return this.count - 1;
	}

	first(index) {
		return this.#a[index];
	}

	second(index) {
		return this.#b[index];
	}

	/** Returns the slot of a pair, or the free slot for it. */
	#slotOf(a, b) {
		const mask = this.#slots.length - 1;
		let slot = mixedHash(a, b) & mask;

		for (let held = this.#slots[slot]; held; held = this.#slots[slot]) {
			if (this.#a[held - 1] === a && this.#b[held - 1] === b)
				break;
			slot = slot + 1 & mask;
		}
		return slot;
	}

	#grow() {
		this.#a = doubled(this.#a);
		this.#b = doubled(this.#b);
		this.#slots = new Int32Array(this.#slots.length * 2);
		for (let i = 0; i < this.count; i++)
			this.#slots[this.#slotOf(this.#a[i], this.#b[i])] = i + 1;
	}
}

function mixedHash(a, b) {
	let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);

	hash = Math.imul(hash ^ hash >>> 15, 0x2c1b3c6d);
	return hash ^ hash >>> 13;
}

function doubled(values) {
	const larger = new Int32Array(values.length * 2);

	larger.set(values);
	return larger;
}

/** Stores for each pair of numbers a number that make() computed. */
export class PairMemo {
	#index = new PairIndex();
	#values = [];

	of(a, b, make) {
		const index = this.#index.of(a, b);

		if (index === this.#values.length) {
			// Reserves the element first, because make() may add other pairs.
			this.#values.push(0);
			this.#values[index] = make();
		}
		return this.#values[index];
	}
}
