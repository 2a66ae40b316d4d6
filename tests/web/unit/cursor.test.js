// SPDX-License-Identifier: GPL-2.0-or-later
import assert from "node:assert";
import { test } from "node:test";
import { nextBox } from "../../../web/cursor.js";
import { INK, Scene } from "../../../web/scene.js";

const SIZE = { width: 100, height: 100 };

/** Makes boxes: 0 and 1 are side by side, 2 is below them, 3 has no ref, and 4 is not visible. */
function scene() {
	const one = new Scene();

	one.box(0, 10, 40, 10, INK.run, 7);
	one.box(50, 10, 40, 10, INK.run, 8);
	one.box(-500, 30, 590, 10, INK.run, 9);
	one.box(0, 50, 90, 10, INK.run);
	one.box(0, 200, 90, 10, INK.run, 10);
	return one;
}

test("the nearest box in a direction", () => {
	for (const [from, dx, dy, to] of [
		[0, 1, 0, 1], [1, -1, 0, 0], [0, 0, 1, 2], [1, 0, 1, 2], [2, 0, -1, 0],
		[0, -1, 0, -1], [0, 0, -1, -1], [2, 0, 1, -1], [-1, 0, 1, 0], [-1, 1, 0, 0],
	])
		assert.equal(nextBox(scene(), from, dx, dy, SIZE), to, `${from} by ${dx}, ${dy}`);
});
