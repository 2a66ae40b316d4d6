// SPDX-License-Identifier: GPL-2.0-or-later
//
// The flame view: the pseudo-stacks of a process's control paths over time. Each path has a band,
// which is as high as its deepest visible pseudo-stack.
import { hopsOf } from "../data/recording.js";
import { BUSY, INK, MARKED } from "../scene.js";
import { TOP_AT_CHOSEN } from "../state.js";
import { describeBox, describePath, joinedTitle, partsOf, pathTitle } from "./describe.js";
import { boxesOf } from "./layout.js";
import { Awaited } from "./links.js";
import { LABELLED_PX } from "../label.js";
import { Longest } from "./longest.js";
import { DEPTHS, HEADS, refOf } from "./refs.js";
import { RowTimes, addToTimes, emptyTimes } from "./row-times.js";
import { ROW, drilledWith, inkOfTimes, pseudoRowsOf } from "./rows.js";
import { piecesIn, seenPieces } from "./seen.js";
import { hopWeights, matchedIn, rowWeights, totalsOf } from "./weights.js";

const ROW_PX = 15;
const HEAD_PX = 18;
const BAND_GAP_PX = 8;
const MESSAGE_PX = 60;

/** Shorter waits get no links: the lines would be adjacent and hide the boxes that they link. */
const LINK_FROM_PX = 3;

export function flamePicture(rec) {
	return new FlamePicture(rec);
}

/** The text that is shown for a process without explanation. */
export function unexplainedText(rec, process) {
	if (!rec.process.count)
		return "No process was recorded.";
	const name = rec.string[rec.process.name[process]];
	const pid = rec.process.pid[process];

	return `The control paths of ${name} [${pid}] are not in this file: ` +
		`rspctl html --pid ${pid} makes one that has them.`;
}

class FlamePicture {
	id = "flame";
	title = "Flame view";
	axis = "time";
	#rec;
	#longest = null;
	#process = 0;
	#explained = null;
	#awaited = null;
	#rows = null;
	#times = null;
	#query = null;
	#range = { from: 0, to: 1 };
	#hasLinks = true;
	#bands = [];
	#bandsKey = "";
	#pixel = 1; // ns
	#totals = null;
	#totalsKey = "";

	constructor(rec) {
		this.#rec = rec;
	}

	update(state, query) {
		const index = this.#rec.process.explained[state.process] ?? -1;
		const explained = index >= 0 ? this.#rec.explained[index] : null;

		if (explained !== this.#explained)
			this.#awaited = explained ? new Awaited(this.#rec, explained) : null;
		const rows = pseudoRowsOf(this.#rec, state);

		if (rows !== this.#rows || explained !== this.#explained)
			this.#times = null;
		if (rows !== this.#rows || String(query) !== String(this.#query))
			this.#bandsKey = "";
		this.#process = state.process;
		this.#explained = explained;
		this.#rows = rows;
		this.#query = query;
		this.#range = { from: state.from, to: state.to };
		this.#hasLinks = state.links !== false;
	}

	height(width) {
		if (!this.#explained)
			return MESSAGE_PX;
		const bands = this.#arrange({ ...this.#range, width });
		const last = bands.at(-1);

		return last ? last.y + last.height : MESSAGE_PX;
	}

	/**
	 * Returns the point that keeps its place when bands change their height: the bottom of the
	 * band at y.
	 */
	anchorAt(y) {
		return this.#bands.find((band) => band.y + band.height > y)?.index ?? -1;
	}

	yOfAnchor(index) {
		const band = this.#bands.find((one) => one.index >= index) ?? this.#bands.at(-1);

		return band ? this.#ground(band) : 0;
	}

	/**
	 * At first, the bottom of the main path is visible, independent of the height of its
	 * pseudo-stacks.
	 */
	wantedTop(height = Infinity) {
		const [band] = this.#bands;

		return band ? Math.max(band.y + band.height - height, 0) : 0;
	}

	layout(scene, view) {
		if (!this.#explained) {
			scene.text(12, MESSAGE_PX / 2 - view.top,
				   unexplainedText(this.#rec, this.#process), INK.muted);
			return;
		}
		const bands = this.#arrange(view);

		if (!bands.length)
			scene.text(12, MESSAGE_PX / 2 - view.top, "No control path has time here.",
				   INK.muted);
		for (const band of bands)
			if (band.y + band.height > view.top && band.y < view.top + view.height)
				this.#drawBand(scene, band, view);
		if (this.#hasLinks)
			this.#drawLinks(scene, bands, view);
	}

	describe(ref) {
		if (ref < HEADS)
			return this.#describeBox(ref);
		const index = ref - HEADS;
		const path = this.#explained.paths.list[index];

		return describePath(this.#rec, path, index, this.#range);
	}

	/** A number that changes with the layout, and with it the descriptions. */
	get laidOut() {
		return this.#bandsKey;
	}

	/** Returns the ref of the box that is drawn for the given ref. */
	drawnRef(ref) {
		if (ref >= HEADS || !this.#explained)
			return ref;
		const { piece, row } = this.#placeOf(ref);
		const box = this.#boxOf(piece, row);

		return box ? refOf(box.boxes.piece[box.i], this.#rows.depth[row]) : ref;
	}

	/** Returns the scroll position that puts a box in the middle; -1: the box is not drawn. */
	topOf(ref, height) {
		if (ref >= HEADS || !this.#explained)
			return -1;
		const { piece, row } = this.#placeOf(ref);
		const band = this.#bands.find(({ path }) => isOf(path, piece));

		if (!band)
			return -1;
		const y = this.#ground(band) - this.#rows.depth[row] * ROW_PX;

		return Math.max(y + ROW_PX / 2 - height / 2, 0);
	}

	/**
	 * If only names are shown, shows or hides the frames of one name. Returns the changes of
	 * the state. The selection stays if it still exists.
	 */
	drill(state, ref, name) {
		const drilled = drilledWith(state, name);
		const rows = pseudoRowsOf(this.#rec, { detail: state.detail, drilled });
		const { piece, row } = this.#placeOf(ref);
		const hop = hopsOf(this.#rec, this.#rec.piece.hop[piece])[this.#rows.levelOf(row) - 1];

		return { drilled, chosen: refOf(piece, rows.depth[rows.topOf(hop)]), top: TOP_AT_CHOSEN };
	}

	click(ref) {
		if (ref < HEADS)
			return null;
		const { from, to } = this.#explained.paths.list[ref - HEADS];

		return { from, to };
	}

	matched() {
		if (!this.#query || !this.#explained)
			return null;
		const rows = this.#rows;
		const totals = this.#rowTotals();
		const matches = rows.matches(this.#query);

		return matchedIn(rows.parent, totals, (row) => matches[rows.token[row]]);
	}

	/* --- places ------------------------------------------------------------------------- */

	#arrange(view) {
		const { from, to, width } = view;
		const key = [this.#process, from, to, width].join();

		if (key !== this.#bandsKey) {
			this.#pixel = (to - from) / width;
			this.#bands = this.#bandsIn(view);
			this.#bandsKey = key;
		}
		return this.#bands;
	}

	#bandsIn(view) {
		const bands = [];
		let y = 0;

		this.#explained.paths.list.forEach((path, index) => {
			const seen = this.#seenOf(path, view);

			if (!seen.piece.length)
				return;
			const height = HEAD_PX + this.#deepest(seen) * ROW_PX + BAND_GAP_PX;

			bands.push({ index, path, seen, y, height, boxes: null });
			y += height;
		});
		return bands;
	}

	#seenOf(path, view) {
		const { piece } = this.#rec;
		const [low, high] = piecesIn(piece, path.firstPiece, path.firstPiece + path.pieces,
					     view.from, view.to);

		this.#longest ??= new Longest(piece.count, (i) => this.#length(i));
		return seenPieces(piece, this.#longest, low, high, view);
	}

	#deepest(seen) {
		const rows = this.#rows;
		const { hop } = this.#rec.piece;
		let deepest = 1;

		for (const piece of seen.piece)
			deepest = Math.max(deepest, rows.depth[rows.topOf(hop[piece])]);
		return deepest;
	}

	/** Returns the bottom of a band's pseudo-stacks. */
	#ground(band) {
		return band.y + band.height - BAND_GAP_PX;
	}

	#boxesOf(band) {
		const matches = this.#query && this.#rows.matches(this.#query);

		band.boxes ??= boxesOf(this.#rec.piece.hop, band.seen, this.#rows,
				       (piece) => this.#length(piece), this.#pixel, matches);
		return band.boxes;
	}

	/**
	 * Returns the box that shows a row of a piece; null if it is too short to be drawn, or not
	 * visible.
	 */
	#boxOf(piece, row) {
		const band = this.#bands.find(({ path }) => isOf(path, piece));
		const boxes = band ? this.#boxesOf(band) : null;
		const i = boxes ? boxes.indexOf(piece, row) : -1;

		return i < 0 ? null : { band, boxes, i };
	}

	/** Returns the rows in a box, each with its first and last piece in the range. */
	#membersOf({ boxes, seen }, i) {
		const least = seen.first[0], most = seen.last.at(-1);

		return boxes.membersOf(i).map(({ row, first, last }) =>
			this.#rowTimes().widened(row, first, last, least, most));
	}

	/** Made on first use, because it takes a while for a recording of a million pieces. */
	#rowTimes() {
		this.#times ??= new RowTimes(this.#rec, this.#rows, this.#explained.paths.list);
		return this.#times;
	}

	/* --- drawing ------------------------------------------------------------------------- */

	#drawBand(scene, band, view) {
		const y = this.#yOfHead(band, view);

		this.#drawHead(scene, band, y, view.width);
		this.#drawBoxes(scene, band, view, y + HEAD_PX);
	}

	/** The band shows its name as long as a part of it is visible. */
	#yOfHead(band, { top }) {
		const lowest = this.#ground(band) - ROW_PX - HEAD_PX;

		return Math.max(band.y, Math.min(top, lowest)) - top;
	}

	#drawHead(scene, band, y, width) {
		scene.box(0, y, width, HEAD_PX - 2, INK.faint, HEADS + band.index);
		scene.text(6, y + HEAD_PX / 2 - 1, pathTitle(this.#rec, band.path, band.index),
			   INK.text);
	}

	#drawBoxes(scene, band, view, below) {
		const boxes = this.#boxesOf(band);
		const rows = this.#rows, pixel = this.#pixel;
		const ground = this.#ground(band) - view.top;

		for (let i = 0; i < boxes.row.length; i++) {
			const row = boxes.row[i];
			const y = ground - rows.depth[row] * ROW_PX;

			if (y < below || y >= view.height)
				continue;
			const x = (boxes.from[i] - view.from) / pixel;
			const w = Math.max((boxes.to[i] - boxes.from[i]) / pixel, 1);

			scene.box(x, y, w, ROW_PX - 1, this.#inkOf(band, i),
				  refOf(boxes.piece[i], rows.depth[row]), this.#labelOf(band, i, w),
				  (boxes.many[i] ? BUSY : 0) | (boxes.marked[i] ? MARKED : 0));
		}
	}

	#inkOf(band, i) {
		const { row } = band.boxes;

		if (this.#rows.kind(row[i]) !== ROW.frame)
			return this.#rows.ownInk(row[i]);
		const sum = emptyTimes();

		for (const one of this.#membersOf(band, i))
			addToTimes(sum, this.#rowTimes().of(one.row, one.first, one.last));
		return inkOfTimes(sum.run, sum.ns - sum.run - sum.ready, sum.ready);
	}

	/**
	 * Names all parts that are drawn as one box; if that text does not fit, only the longest
	 * part.
	 */
	#labelOf(band, i, width) {
		const parts = band.boxes.members[i] && width >= LABELLED_PX
			? partsOf(this.#rows, this.#rowTimes(), this.#membersOf(band, i)) : [];

		return parts.length > 1 ? joinedTitle(parts) : this.#rows.label(band.boxes.row[i]);
	}

	#length(piece) {
		return this.#rec.piece.to[piece] - this.#rec.piece.from[piece];
	}

	/**
	 * Draws a line from the band of the awaited path to the end of the wait, if that is
	 * visible.
	 */
	#drawLinks(scene, bands, view) {
		const pixel = (view.to - view.from) / view.width;
		const bandOf = new Map(bands.map((band) => [band.index, band]));

		for (const band of bands)
			for (const piece of band.seen.piece) {
				const x = (this.#rec.piece.to[piece] - view.from) / pixel;

				if (x >= view.width || this.#length(piece) < LINK_FROM_PX * pixel)
					continue;
				const other = bandOf.get(this.#awaited.of(band.index, piece));

				if (other)
					this.#drawLink(scene, x, this.#ground(other) - view.top,
						       this.#ground(band) - view.top, view.height);
			}
	}

	#drawLink(scene, x, y1, y2, height) {
		if (Math.max(y1, y2) > 0 && Math.min(y1, y2) < height)
			scene.line(x, y1, x, y2, INK.link);
	}

	/* --- words --------------------------------------------------------------------------- */

	#rowTotals() {
		const { from, to } = this.#range;
		const key = [this.#process, this.#rows.detail, from, to].join();

		if (key !== this.#totalsKey) {
			const weights = hopWeights(this.#rec, this.#explained, from, to);

			this.#totals = totalsOf(this.#rows.parent, rowWeights(this.#rows, weights));
			this.#totalsKey = key;
		}
		return this.#totals;
	}

	#describeBox(ref) {
		const { piece, row } = this.#placeOf(ref);
		const path = this.#explained.paths.list.find((one) => isOf(one, piece));
		const box = this.#boxOf(piece, row);
		const members = box ? this.#membersOf(box.band, box.i)
				    : [{ row, first: piece, last: piece }];

		return describeBox(this.#rec, this.#rows, this.#rowTimes(), this.#rowTotals(), path,
				   { piece, row, members });
	}

	#placeOf(ref) {
		const piece = Math.floor(ref / DEPTHS);
		const top = this.#rows.topOf(this.#rec.piece.hop[piece]);

		return { piece, row: this.#rows.rowAt(top, ref % DEPTHS) };
	}
}

function isOf({ firstPiece, pieces }, piece) {
	return piece >= firstPiece && piece < firstPiece + pieces;
}
