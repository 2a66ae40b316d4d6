// SPDX-License-Identifier: GPL-2.0-or-later
//
// The consolidated flame view: the pseudo-stacks of all control paths of a process, merged and
// sorted by duration.
import { unexplainedText } from "../flame/picture.js";
import { detailOf, pseudoRowsOf } from "../flame/rows.js";
import { WeightedPicture } from "../graphs/weighted.js";
import { consolidatedNodes } from "./nodes.js";

export function consolidatedPicture(rec) {
	return new ConsolidatedPicture(rec);
}

class ConsolidatedPicture extends WeightedPicture {
	id = "consolidated";
	title = "Consolidated flame view";
	#rec;
	#key = "";
	#nodes = null;

	constructor(rec) {
		super();
		this.#rec = rec;
	}

	update(state, query) {
		const key = [state.process, state.from, state.to, detailOf(state), state.drilled]
			.join();

		if (key !== this.#key) {
			this.#nodes = this.#nodesOf(state);
			this.#key = key;
		}
		this.show(this.#nodes, this.#nodes ? "No control path has time here."
						   : unexplainedText(this.#rec, state.process),
			  state.icicle, query);
	}

	#nodesOf(state) {
		const index = this.#rec.process.explained[state.process] ?? -1;
		const rows = pseudoRowsOf(this.#rec, state);

		if (index < 0)
			return null;
		return consolidatedNodes(this.#rec, this.#rec.explained[index], rows,
					 state.from, state.to);
	}
}
