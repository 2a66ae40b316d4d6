// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes the name of a lane at the left of the lane.
import { countText } from "../format.js";
import { LABEL_PADDING } from "../label.js";
import { NAMES_WIDTH } from "../scale.js";
import { INK } from "../scene.js";
import { HEADS, LANES } from "./refs.js";
import { taskText } from "./words.js";

const GAP_PX = 6;
const LEFT_PX = 10;
const LINE_PX = 15;

/**
 * lane: the indices of its paths. place: {y, height, textY}, in px of the scene; textY: the y of
 * the text.
 */
export function layoutHead(scene, rec, paths, lane, { y, height, textY }) {
	const [first] = lane;
	const width = NAMES_WIDTH - GAP_PX;
	const isOwn = paths[first].root;
	const ink = isOwn ? INK.ownHead : INK.faint;
	const ref = lane.length > 1 ? LANES + first : HEADS + first;
	const { title, note } = wordsOf(rec, paths, lane);

	scene.box(0, y, width, height, ink, ref);
	scene.box(LEFT_PX, textY, width - LEFT_PX, LINE_PX - 1, ink, ref, title);
	if (height >= 2 * LINE_PX - 1)
		scene.text(LEFT_PX + LABEL_PADDING, textY + LINE_PX * 1.5 - 1, note,
			   isOwn ? INK.text : INK.muted);
}

function wordsOf(rec, paths, lane) {
	const [first] = lane;
	const { thread } = paths[first];

	if (lane.length === 1)
		return { title: taskText(rec, thread), note: first ? `path ${first}` : "main path" };
	return { title: rec.string[rec.thread.name[thread]], note: countText(lane.length, "path") };
}
