// SPDX-License-Identifier: GPL-2.0-or-later
//
// The flame view shows the control paths of a process over time (docs/model.md, "Control paths").
// At each moment, a path is a stack of tasks that wait for each other (a pseudo-stack). In this
// file, a band is the space that a lane takes in the picture.
import { hopsOf } from "../data/recording.js";
import { BUSY, INK, MARKED } from "../scene.js";
import { TOP_AT_CHOSEN } from "../state.js";
import { toggled } from "../name-list.js";
import { NAMES_WIDTH } from "../scale.js";
import { describeBox, describeLane, describePath, joinedTitle, partsOf } from "./describe.js";
import { Follower } from "./follow.js";
import { layoutHead } from "./head.js";
import { lanesOf } from "./lanes.js";
import { boxesOf } from "./layout.js";
import { Awaited } from "./links.js";
import { LABELLED_PX } from "../label.js";
import { Longest } from "./longest.js";
import { DEPTHS, HEADS, LANES, refOf } from "./refs.js";
import { RowTimes, addToTimes, emptyTimes } from "./row-times.js";
import { ROW, inkOfTimes, pseudoRowsOf } from "./rows.js";
import { piecesIn, seenPieces } from "./seen.js";
import { hopWeights, matchedIn, rowWeights, totalsOf } from "./weights.js";

const ROW_PX = 15;
const BAND_GAP_PX = 6;
/** Minimum number of rows of a lane that is not empty: the name at the left takes two lines. */
const ROWS_MIN = 2;
const MESSAGE_PX = 60;

/** Minimum width of a wait with a link; the lines of shorter waits would be too dense. */
const LINK_FROM_PX = 3;

export function flamePicture(rec) {
	return new FlamePicture(rec);
}

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
	side = NAMES_WIDTH;
	#rec;
	#longest = null;
	#state = null;
	#process = 0;
	#explained = null;
	#lanes = [];
	#awaited = null;
	#rows = null;
	#times = null;
	#query = null;
	#range = { from: 0, to: 1 };
	#hasLinks = true;
	#bands = [];
	#bandsKey = "";
	#pixel = 1; // ns per pixel
	#totals = null;
	#totalsKey = "";

	constructor(rec) {
		this.#rec = rec;
	}

	update(state, query) {
		const index = this.#rec.process.explained[state.process] ?? -1;
		const explained = index >= 0 ? this.#rec.explained[index] : null;

		if (explained !== this.#explained) {
			this.#awaited = explained ? new Awaited(this.#rec, explained) : null;
			this.#lanes = explained ? lanesOf(this.#rec, explained.paths.list) : [];
		}
		const rows = pseudoRowsOf(this.#rec, state);

		if (rows !== this.#rows || explained !== this.#explained) {
			this.#times = null;
			this.#totalsKey = "";
		}
		if (rows !== this.#rows || String(query) !== String(this.#query))
			this.#bandsKey = "";
		this.#state = state;
		this.#process = state.process;
		this.#explained = explained;
		this.#rows = rows;
		this.#query = query;
		this.#range = { from: state.from, to: state.to };
		this.#hasLinks = state.links;
	}

	height(width) {
		if (!this.#explained)
			return MESSAGE_PX;
		const bands = this.#arrange({ ...this.#range, width });
		const last = bands.at(-1);

		return last ? last.y + last.height : MESSAGE_PX;
	}

	/** The bottom of the band at y stays in place when bands change their heights. */
	anchorAt(y) {
		return this.#bands.find((band) => band.y + band.height > y)?.index ?? -1;
	}

	yOfAnchor(index) {
		const band = this.#bands.find((one) => one.index >= index) ?? this.#bands.at(-1);

		return band ? this.#ground(band) : 0;
	}

	/** In the initial scroll position, the bottom of the main path is visible. */
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

		if (bands.every(({ parts }) => !parts.length))
			scene.text(NAMES_WIDTH + 12, MESSAGE_PX / 2 - view.top,
				   "No control path has time here.", INK.muted);
		for (const band of bands)
			if (band.y + band.height > view.top && band.y < view.top + view.height)
				this.#drawBand(scene, band, view);
		this.#drawLinks(scene, bands, view);
	}

	/** A user may have edited the link of the page. */
	has(ref) {
		const paths = this.#explained?.paths.list ?? [];
		const isHead = ref >= LANES ? (i) => this.#laneOf(i) : (i) => paths[i];

		if (ref >= HEADS)
			return Boolean(isHead(ref - (ref >= LANES ? LANES : HEADS)));
		return paths.some((path) => isOf(path, Math.floor(ref / DEPTHS))) &&
			this.#placeOf(ref).row > 0;
	}

	describe(ref) {
		if (ref < HEADS)
			return this.#describeBox(ref);
		const paths = this.#explained.paths.list;

		if (ref >= LANES)
			return describeLane(this.#rec, paths, this.#laneOf(ref - LANES), this.#range,
					    (i) => ({ chosen: HEADS + i }));
		return describePath(this.#rec, paths[ref - HEADS], ref - HEADS, this.#range,
				    this.#follower);
	}

	#laneOf(index) {
		return this.#lanes.find((lane) => lane.includes(index));
	}

	get #follower() {
		return new Follower(this.#rec, this.#explained.paths.list, this.#awaited, this.#rows,
				    this.#state);
	}

	/**
	 * Returns a key that changes when the layout changes. Descriptions of boxes depend on the
	 * layout.
	 */
	get laidOut() {
		return this.#bandsKey;
	}

	drawnRef(ref) {
		if (ref >= HEADS || !this.#explained)
			return ref;
		const { piece, row } = this.#placeOf(ref);
		const box = this.#boxOf(piece, row);

		return box ? refOf(box.boxes.piece[box.i], this.#rows.depth[row]) : ref;
	}

	/** Returns the scroll position at which a box is in the middle, or -1. */
	topOf(ref, height) {
		if (ref >= HEADS || !this.#explained)
			return -1;
		const { piece, row } = this.#placeOf(ref);
		const band = this.#bands.find(({ parts }) => parts.some(({ path }) => isOf(path, piece)));

		if (!band)
			return -1;
		const y = this.#ground(band) - this.#rows.depth[row] * ROW_PX;

		return Math.max(y + ROW_PX / 2 - height / 2, 0);
	}

	/**
	 * Returns the change of the state that shows the frames of one name, or hides them again,
	 * while the view shows only names.
	 */
	drill(state, ref, name) {
		const drilled = toggled(state.drilled, name);
		const rows = pseudoRowsOf(this.#rec, { detail: state.detail, drilled });
		const { piece, row } = this.#placeOf(ref);
		const hop = hopsOf(this.#rec, this.#rec.piece.hop[piece])[this.#rows.levelOf(row) - 1];

		return { drilled, chosen: refOf(piece, rows.depth[rows.topOf(hop)]), top: TOP_AT_CHOSEN };
	}

	click(ref) {
		return ref >= HEADS && ref < LANES ? this.timesOf(ref) : null;
	}

	timesOf(ref) {
		if (ref < HEADS) {
			const { members } = this.#membersAt(ref);
			const { from, to } = this.#rec.piece;

			return { from: from[members[0].first], to: to[members.at(-1).last] };
		}
		const all = this.#explained.paths.list;
		const lane = ref >= LANES ? this.#laneOf(ref - LANES) : [ref - HEADS];

		return { from: all[lane[0]].from, to: all[lane.at(-1)].to };
	}

	follow(ref, direction) {
		if (ref >= HEADS || !this.#explained)
			return null;
		const { piece, members, path } = this.#membersAt(ref);

		return this.#follower.to(direction, {
			path: this.#numberOf(path), piece, depth: ref % DEPTHS,
			first: members[0].first, last: members.at(-1).last,
		});
	}

	matched() {
		if (!this.#query || !this.#explained)
			return null;
		const rows = this.#rows;
		const totals = this.#rowTotals();
		const matches = rows.matches(this.#query);

		return matchedIn(rows.parent, totals, (row) => matches[rows.token[row]]);
	}

	/* --- positions ----------------------------------------------------------------------- */

	#arrange({ from, to, width }) {
		const key = [this.#process, from, to, width].join();

		if (key !== this.#bandsKey) {
			const plot = { from, to, width: Math.max(width - NAMES_WIDTH, 1) };

			this.#pixel = (to - from) / plot.width;
			this.#bands = this.#bandsIn(plot);
			this.#bandsKey = key;
		}
		return this.#bands;
	}

	/** A lane without time in the range keeps its band, but with one row. */
	#bandsIn(plot) {
		let y = 0;

		return this.#lanes.map((lane, index) => {
			const parts = this.#partsOf(lane, plot);
			const deepest = Math.max(...parts.map(({ seen }) => this.#deepest(seen)), 1);
			const rows = parts.length ? Math.max(deepest, ROWS_MIN) : 1;
			const band = { index, lane, parts, y, height: rows * ROW_PX + BAND_GAP_PX };

			y += band.height;
			return band;
		});
	}

	/** Returns the paths of a lane that have time in the range. */
	#partsOf(lane, plot) {
		return lane.flatMap((number) => {
			const path = this.#explained.paths.list[number];
			const seen = this.#seenOf(path, plot);

			return seen.piece.length ? [{ number, path, seen, boxes: null }] : [];
		});
	}

	#seenOf(path, plot) {
		const { piece } = this.#rec;
		const [low, high] = piecesIn(piece, path.firstPiece, path.firstPiece + path.pieces,
					     plot.from, plot.to);

		this.#longest ??= new Longest(piece.count, (i) => this.#length(i));
		return seenPieces(piece, this.#longest, low, high, plot);
	}

	#deepest(seen) {
		const rows = this.#rows;
		const { hop } = this.#rec.piece;
		let deepest = 1;

		for (const piece of seen.piece)
			deepest = Math.max(deepest, rows.depth[rows.topOf(hop[piece])]);
		return deepest;
	}

	#ground(band) {
		return band.y + band.height - BAND_GAP_PX;
	}

	#boxesOf(part) {
		const matches = this.#query && this.#rows.matches(this.#query);

		part.boxes ??= boxesOf(this.#rec.piece.hop, part.seen, this.#rows,
				       (piece) => this.#length(piece), this.#pixel, matches);
		return part.boxes;
	}

	/**
	 * Returns the box that represents a row of a piece, or null if the range does not show it.
	 */
	#boxOf(piece, row) {
		const part = this.#bands.flatMap(({ parts }) => parts)
			.find(({ path }) => isOf(path, piece));
		const boxes = part ? this.#boxesOf(part) : null;
		const i = boxes ? boxes.indexOf(piece, row) : -1;

		return i < 0 ? null : { part, boxes, i };
	}

	/** Returns the rows in a box, each with its first and last piece within the range. */
	#membersOf({ boxes, seen }, i) {
		const least = seen.first[0], most = seen.last.at(-1);

		return boxes.membersOf(i).map(({ row, first, last }) =>
			this.#rowTimes().widened(row, first, last, least, most));
	}

	/** Makes the RowTimes on first use, because this takes a while for a million pieces. */
	#rowTimes() {
		this.#times ??= new RowTimes(this.#rec, this.#rows, this.#explained.paths.list);
		return this.#times;
	}

	/* --- drawing ------------------------------------------------------------------------- */

	#drawBand(scene, band, view) {
		const y = band.y - view.top;

		layoutHead(scene, this.#rec, this.#explained.paths.list, band.lane, {
			y, height: band.height - BAND_GAP_PX, textY: this.#textY(band, view),
		});
		scene.box(NAMES_WIDTH, y + band.height - BAND_GAP_PX / 2, view.width - NAMES_WIDTH, 1,
			  INK.grid);
		band.parts.forEach((part, i) => {
			const end = band.parts[i + 1]?.seen.from[0] ?? view.to;

			this.#drawBoxes(scene, part, { ...view, to: end }, this.#ground(band) - view.top);
		});
	}

	/**
	 * If the top of the lane is scrolled out of view, the name moves to the visible part of the
	 * lane.
	 */
	#textY(band, { top }) {
		const lowest = Math.max(this.#ground(band) - ROWS_MIN * ROW_PX, band.y);

		return Math.max(band.y, Math.min(top, lowest)) - top;
	}

	/**
	 * Draws the boxes of one path up to view.to, the beginning of the next path of the lane. A
	 * box of short pieces ends at a whole pixel, in which the next path may begin.
	 */
	#drawBoxes(scene, part, view, ground) {
		const boxes = this.#boxesOf(part);
		const rows = this.#rows, pixel = this.#pixel;

		for (let i = 0; i < boxes.row.length; i++) {
			const row = boxes.row[i];
			const y = ground - rows.depth[row] * ROW_PX;

			if (y <= -ROW_PX || y >= view.height)
				continue;
			const x = NAMES_WIDTH + (boxes.from[i] - view.from) / pixel;
			const w = Math.max((Math.min(boxes.to[i], view.to) - boxes.from[i]) / pixel, 1);

			scene.box(x, y, w, ROW_PX - 1, this.#inkOf(part, i),
				  refOf(boxes.piece[i], rows.depth[row]), this.#labelOf(part, i, w),
				  (boxes.many[i] ? BUSY : 0) | (boxes.marked[i] ? MARKED : 0));
		}
	}

	#inkOf(part, i) {
		const { row } = part.boxes;

		if (this.#rows.kind(row[i]) !== ROW.frame)
			return this.#rows.ownInk(row[i]);
		const sum = emptyTimes();

		for (const one of this.#membersOf(part, i))
			addToTimes(sum, this.#rowTimes().of(one.row, one.first, one.last));
		return inkOfTimes(sum.run, sum.ns - sum.run - sum.ready, sum.ready);
	}

	/**
	 * If the box represents several rows and is wide enough for text, the label lists their
	 * names.
	 */
	#labelOf(part, i, width) {
		const parts = part.boxes.members[i] && width >= LABELLED_PX
			? partsOf(this.#rows, this.#rowTimes(), this.#membersOf(part, i)) : [];

		return parts.length > 1 ? joinedTitle(parts) : this.#rows.label(part.boxes.row[i]);
	}

	#length(piece) {
		return this.#rec.piece.to[piece] - this.#rec.piece.from[piece];
	}

	/**
	 * Draws links from the awaited path to the waiting path at the end of each visible wait.
	 * Unless all links are turned on, draws only the links of boxes in focus.
	 */
	#drawLinks(scene, bands, view) {
		const wanted = this.#hasLinks ? () => true : this.#isAboutFocus(view.focus ?? []);
		const bandOf = new Map(bands.flatMap((band) =>
			band.parts.map(({ number }) => [number, band])));

		if (!wanted)
			return;
		for (const band of bands)
			for (const { number, seen } of band.parts)
				for (const piece of seen.piece) {
					const other = this.#isLinked(piece, view)
						? this.#awaited.of(number, piece) : -1;

					if (bandOf.has(other) && wanted(number, piece, other))
						this.#drawLink(scene, this.#xOf(this.#rec.piece.to[piece], view),
							       this.#ground(bandOf.get(other)) - view.top,
							       this.#ground(band) - view.top, view.height);
				}
	}

	#xOf(t, view) {
		return NAMES_WIDTH + (t - view.from) / this.#pixel;
	}

	#isLinked(piece, view) {
		return this.#xOf(this.#rec.piece.to[piece], view) < view.width &&
			this.#length(piece) >= LINK_FROM_PX * this.#pixel;
	}

	/**
	 * Returns a function (waiting path, its piece, awaited path) that returns whether this link
	 * begins or ends at a box in focus. Returns null if no box is in focus.
	 */
	#isAboutFocus(focus) {
		const boxes = [...focus].filter((ref) => ref < HEADS).map((ref) => {
			const { path, members } = this.#membersAt(ref);

			return { path: this.#numberOf(path), ...this.timesOf(ref), first: members[0].first,
				 last: members.at(-1).last };
		});
		const { from, to } = this.#rec.piece;

		return boxes.length ? (path, piece, other) => boxes.some((box) =>
			(box.path === path && piece >= box.first && piece <= box.last) ||
			(box.path === other && from[piece] < box.to && to[piece] > box.from)) : null;
	}

	#drawLink(scene, x, y1, y2, height) {
		if (Math.max(y1, y2) > 0 && Math.min(y1, y2) < height)
			scene.line(x, y1, x, y2, INK.link);
	}

	/* --- words --------------------------------------------------------------------------- */

	#rowTotals() {
		const { from, to } = this.#range;
		const key = `${from} ${to}`;

		if (key !== this.#totalsKey) {
			const weights = hopWeights(this.#rec, this.#explained, from, to);

			this.#totals = totalsOf(this.#rows.parent, rowWeights(this.#rows, weights));
			this.#totalsKey = key;
		}
		return this.#totals;
	}

	#describeBox(ref) {
		const { piece, row, members, path } = this.#membersAt(ref);

		return describeBox(this.#rec, this.#rows, this.#rowTimes(), this.#rowTotals(), {
			path, number: this.#numberOf(path), piece, row, members,
		}, this.#follower);
	}

	#membersAt(ref) {
		const { piece, row } = this.#placeOf(ref);
		const box = this.#boxOf(piece, row);

		return {
			piece, row, path: this.#explained.paths.list.find((one) => isOf(one, piece)),
			members: box ? this.#membersOf(box.part, box.i)
				     : [{ row, first: piece, last: piece }],
		};
	}

	#numberOf(path) {
		return this.#explained.paths.list.indexOf(path);
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
