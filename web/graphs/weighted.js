// SPDX-License-Identifier: GPL-2.0-or-later
//
// A picture of merged stacks, in which the width of a box is its time within the range. The
// consolidated view and the flame graphs provide the nodes.
import { matchedIn } from "../flame/weights.js";
import { shareText } from "../flame/words.js";
import { INK, MARKED } from "../scene.js";
import { eachVisibleNode } from "./tree.js";

const LEVEL_PX = 16;
const MARGIN_PX = 6;
const EMPTY_PX = 60;

export class WeightedPicture {
	axis = "weight";
	/** If the picture is higher than the stage, its "top" or "bottom" is visible at first. */
	anchor = "bottom";
	#nodes = null;
	#query = null;
	#isMatch = null;
	#deepest = { key: "", depth: 0 };
	#height = EMPTY_PX; // the height that was last reported to the stage
	#message = "";

	/**
	 * nodes: null, or {tree, parents, labelOf(node), inkOf(node), factsOf(node),
	 * stacksOf(node), matcherOf(query)}. matcherOf() returns a function of a node: whether the
	 * search finds the node. message: the text if the picture has no time.
	 */
	show(nodes, message, icicle, query) {
		if (nodes !== this.#nodes || String(query) !== String(this.#query)) {
			this.#deepest.key = "";
			this.#isMatch = query && nodes ? nodes.matcherOf(query) : null;
		}
		this.#nodes = nodes;
		this.#message = message;
		this.#query = query;
		this.anchor = icicle ? "top" : "bottom";
	}

	extent() {
		return this.#nodes ? this.#nodes.tree.extent : 0;
	}

	height(width, range) {
		const levels = this.extent() ? this.#depthSeen({ ...range, width }) + 1 : 0;

		this.#height = levels ? levels * LEVEL_PX + 2 * MARGIN_PX : EMPTY_PX;
		return this.#height;
	}

	/**
	 * Returns the distance from the root of the point that stays in place when the height
	 * changes.
	 */
	anchorAt(y) {
		return this.anchor === "top" ? y : Math.max(this.#height - y, 0);
	}

	yOfAnchor(key) {
		return this.anchor === "top" ? key : this.#height - key;
	}

	layout(scene, view) {
		if (!this.extent()) {
			scene.text(12, EMPTY_PX / 2 - view.top, this.#message, INK.muted);
			return;
		}
		// If the picture is lower than the stage, a root at the bottom is at the bottom of
		// the stage.
		const height = Math.max(this.#height, view.height);

		eachVisibleNode(this.#nodes.tree, view, (node, x, width, depth) => {
			const y = this.#yOf(depth, height) - view.top;

			if (y + LEVEL_PX > 0 && y < view.height)
				this.#drawBox(scene, node, x, y, width, view.width);
		});
	}

	describe(ref) {
		const { tree, labelOf, factsOf, stacksOf } = this.#nodes;
		const ns = tree.totals[ref], own = tree.own[ref];
		const rows = [["time in the range", shareText(ns, tree.extent)]];

		if (own > 0 && own < ns)
			rows.push(["with nothing above", shareText(own, tree.extent)]);
		rows.push(...factsOf(ref));
		return { title: labelOf(ref), rows, stacks: stacksOf(ref) };
	}

	click() {
		return null;
	}

	focus(ref) {
		const from = this.#nodes.tree.beginOf(ref);

		return { from, to: from + this.#nodes.tree.totals[ref] };
	}

	matched() {
		if (!this.#isMatch)
			return null;
		const { tree, parents } = this.#nodes;

		return matchedIn(parents, tree.totals, this.#isMatch);
	}

	#yOf(depth, height) {
		return this.anchor === "top" ? MARGIN_PX + depth * LEVEL_PX
					     : height - MARGIN_PX - (depth + 1) * LEVEL_PX;
	}

	#drawBox(scene, node, x, y, width, right) {
		const { labelOf, inkOf } = this.#nodes;
		const from = Math.max(x, 0), to = Math.min(x + width, right);
		const marked = node > 0 && this.#isMatch?.(node);

		scene.box(from, y, Math.max(to - from, 1), LEVEL_PX - 1, inkOf(node), node,
			  labelOf(node), marked ? MARKED : 0);
	}

	#depthSeen(view) {
		const key = [view.from, view.to, view.width].join();

		if (key !== this.#deepest.key) {
			this.#deepest = { key, depth: 0 };
			eachVisibleNode(this.#nodes.tree, view, (node, x, width, depth) => {
				this.#deepest.depth = Math.max(this.#deepest.depth, depth);
			});
		}
		return this.#deepest.depth;
	}
}
