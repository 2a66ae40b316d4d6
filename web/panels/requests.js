// SPDX-License-Identifier: GPL-2.0-or-later
//
// The panel below the picture of requests: the table of servers and calls, the slowest requests
// with their waits, and a comparison of two groups of requests.
import { button, el } from "../dom.js";
import { atText, taskText } from "../flame/words.js";
import { countText, formatCount, formatNs } from "../format.js";
import { differencesOf, timesOfGroups } from "../requests/compare.js";
import { placeOfRequest } from "../requests/picture.js";
import {
	groupOfSpan, groupText, isThinned, pointsOfGroup, spanOfGroup, thinnedText,
} from "../requests/points.js";
import { headRow, numberCell, renderKeepingFocus, sortingHead } from "./table.js";

/**
 * Maximum number of lines of a comparison, and of one stage in a comparison that the report made.
 */
const DIFFERENCES_MAX = 12;
const STAGE_LINES_MAX = 8;
/** Minimum time of a line of a comparison: in ns, and as a share of the time of group A. */
const DIFFERENCE_MIN_NS = 1000;
const DIFFERENCE_MIN_SHARE = 0.01;
const ROWS_AT_ONCE = 50;

const duration = (key, title) => ({
	key, head: key, title, valueOf: (row) => row[key], textOf: formatNs,
});

const REQUEST_COLUMNS = [
	{ key: "name", head: "Program",
	  title: "The program that answered or called; a click shows its requests" },
	{ key: "peer", head: "Port, peer", title: "The server's port; of calls, the peer",
	  isText: true },
	{ key: "count", head: "Answered", title: "How many were answered",
	  valueOf: (row) => row.count, textOf: formatCount },
	{ key: "rate", head: "Per second", title: "How many were answered in a second",
	  valueOf: (row) => row.rate, textOf: rateText },
	duration("p50", "Half of them took at most that long"),
	duration("p90", "90 % of them took at most that long"),
	duration("p99", "99 % of them took at most that long"),
	duration("max", "The slowest one took that long"),
	{ key: "in_flight", head: "In flight", title: "Pending when the span ended",
	  valueOf: (row) => row.in_flight, textOf: formatCount },
];

export function requestsPanel(rec, state) {
	return new RequestsPanel(rec, state);
}

class RequestsPanel {
	#rec;
	#state;
	#sort = { key: "count", ascending: false };
	#shown = ROWS_AT_ONCE;
	#key = "";
	#table = el("div");
	#notes = el("div", { class: "notes" });
	#comparison = el("div", { class: "comparison" });

	constructor(rec, state) {
		const { headline } = rec.requests;

		this.#rec = rec;
		this.#state = state;
		this.element = el("section", { class: "panel requests", "aria-label": "Requests" },
			headline ? el("p", { class: "headline" }, headline) : null,
			el("div", { class: "columns" },
			   el("div", null, this.#table, this.#notes, this.#comparison),
			   slowestOf(rec, state)));
	}

	update() {
		const { row, groupA, groupB } = this.#state;
		const key = [row, groupA, groupB].join(" ");

		if (key === this.#key)
			return;
		this.#key = key;
		this.#renderTable();
		this.#notes.replaceChildren(...notesOf(this.#rec, this.#state));
		this.#renderComparison();
	}

	/* --- the table ----------------------------------------------------------------------- */

	#renderTable() {
		const sort = this.#sort;
		const head = sortingHead(REQUEST_COLUMNS, sort, (key) => {
			this.#sort = {
				key, ascending: key === sort.key ? !sort.ascending : isName(key),
			};
			this.#renderTable();
		});
		const rows = sortedRequestRows(this.#rec.requests.rows, sort);
		const rest = rows.length - this.#shown;
		const body = rows.slice(0, this.#shown).map((i) => this.#tableRow(i));

		renderKeepingFocus(this.#table, [
			el("table", { class: "rows" }, head, el("tbody", null, body)),
			...rest > 0 ? [button(`show more (${formatCount(rest)})`, "Show more rows",
					      () => this.#showMore())] : [],
		]);
	}

	#showMore() {
		this.#shown += ROWS_AT_ONCE;
		this.#renderTable();
	}

	#tableRow(i) {
		const row = this.#rec.requests.rows[i];
		const isChosen = i === this.#state.row;
		const name = el("button", {
			type: "button", class: "link", dataset: { focus: `row ${i}` },
			"aria-pressed": String(isChosen), title: "Show its requests as points",
			onclick: () => this.#state.set({ row: i }),
		}, row.call ? `${row.name} calls` : row.name);

		return el("tr", { class: isChosen ? "chosen" : "", dataset: { row: String(i) } },
			  el("th", { scope: "row" }, name), el("td", null, peerText(row)),
			  REQUEST_COLUMNS.slice(2).map((column) => column.textOf === formatNs
				? durationCell(row.count ? row[column.key] : -1)
				: numberCell(column.textOf(column.valueOf(row)))));
	}

	/* --- the comparison ------------------------------------------------------------------ */

	#renderComparison() {
		const { row, groupA, groupB } = this.#state;

		renderKeepingFocus(this.#comparison, this.#rec.requests.rows[row] ? [
			el("div", { class: "bar" }, el("h2", null, "Compare"),
			   this.#groupChooser("groupA", "A"), el("span", null, "with"),
			   this.#groupChooser("groupB", "B")),
			...comparisonOf(this.#rec, row, groupA, groupB),
		] : []);
	}

	#groupChooser(name, text) {
		const group = this.#state[name];
		const span = spanOfGroup(group);
		const values = [
			["slow", "slowest 1 %"], ["typical", "middle half"],
			...span ? [[group, groupText(this.#rec, group)]] : [],
		];
		const select = el("select", {
			title: "Which requests: Ctrl-drag in the picture takes those of a span",
			"aria-label": `Group ${text}`, dataset: { focus: name },
			onchange: () => this.#state.set({ [name]: select.value }),
		}, values.map(([value, one]) => el("option", { value }, `${text}: ${one}`)));

		select.value = span || group === "slow" ? group : "typical";
		return el("span", { class: "group" }, select,
			  button(`${text} = range`,
				 `Take the requests of the range that is shown as ${text}`,
				 () => this.#takeRange(name)));
	}

	#takeRange(name) {
		this.#state.set({ [name]: groupOfSpan(this.#state.from, this.#state.to) });
	}
}

function isName(key) {
	return key === "name" || key === "peer";
}

function peerText(row) {
	if (row.call) return row.peer;
	return row.path ? `socket ${row.path}` : `port ${row.port}`;
}

function rateText(rate) {
	return rate > 0 && rate < 10 ? rate.toFixed(1) : formatCount(rate);
}

/** Makes a cell with a duration; ns is -1 if no request was answered. */
function durationCell(ns) {
	return ns < 0 ? numberCell("–")
		: el("td", { class: "number", dataset: { ns: String(ns) } }, formatNs(ns));
}

function sortedRequestRows(rows, { key, ascending }) {
	const sign = ascending ? 1 : -1;
	const text = (row) => key === "name" ? row.name : peerText(row);
	const compare = isName(key)
		? (a, b) => text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0
		: (a, b) => a[key] - b[key];

	return rows.map((_, i) => i).sort((a, b) => sign * compare(rows[a], rows[b]) || a - b);
}

/* --- notes: requests that the figures omit or mix --------------------------------------------- */

function notesOf(rec, state) {
	const { dropped, left_out: leftOut, rows, since, until, span, paused } = rec.requests;
	const row = rows[state.row];
	const notes = row ? [
		[row.early, "pending at the beginning, not part of the percentiles"],
		[row.closed, "never answered: the connection was closed"],
		[row.more_data, "with more data before the answer (large, pipelined or several " +
			"at once): their times are busy periods of the connection"],
	].filter(([count]) => count).map(([count, text]) => `${formatCount(count)} ${text}`) : [];

	if (row?.inferred)
		notes.push("Which end accepted the connection is inferred");
	if (row && isThinned(row))
		notes.push(thinnedText(row));
	if (paused)
		notes.push(`The recorder paused for ${formatNs(paused)}; ${formatCount(dropped)} ` +
			   "requests and calls that were pending then are dropped");
	if (leftOut)
		notes.push(`${formatCount(leftOut)} more servers and peers are not in this file`);
	notes.push(`The figures cover ${formatNs(span)}, whatever range is shown`);
	return [el("p", { class: "note" }, `${notes.join(". ")}. `,
		   el("button", {
			   type: "button", class: "link", title: "Show the points of all this time",
			   onclick: () => state.set({ from: since, to: until }),
		   }, "Show all of it"))];
}

/* --- the comparison of two groups ------------------------------------------------------------- */

function comparisonOf(rec, row, groupA, groupB) {
	const reported = rec.requests.comparison;

	if (reported?.row === row && groupA === "slow" && groupB === "typical")
		return differencesTable("the slowest 1 %", "the middle half", {
			count: reported.slow, explained: reported.slow_explained,
			ns: reported.slow_mean_ns,
		}, {
			count: reported.typical, explained: reported.typical_explained,
			ns: reported.typical_mean_ns,
		}, linesOfStages(reported));
	const [a, b] = timesOfGroups(rec, [groupA, groupB].map((group) =>
		pointsOfGroup(rec, row, group)));

	if (!a.explained || !b.explained)
		return [el("p", { class: "empty" }, `There is nothing to compare: ${
			a.explained ? "B" : "A"} has no requests whose thread is known.`)];
	return [
		...differencesTable(groupText(rec, groupA), groupText(rec, groupB), a, b,
				    differencesOf(a, b).filter((one) => isWorthALine(one, a.ns))
					    .slice(0, DIFFERENCES_MAX)),
		el("p", { class: "note" }, "By what the answering threads did, as " +
			`${a.isByPaths ? "control paths" : "the running view"} show it. If a thread ` +
			"serves several requests at once, that includes its work for others."),
	];
}

function isWorthALine({ a, b }, slowNs) {
	const most = Math.max(a, b);

	return most >= DIFFERENCE_MIN_NS && most >= slowNs * DIFFERENCE_MIN_SHARE;
}

/**
 * Returns the lines of a comparison that the report made: each stage of a request, and below it the
 * parts of its time.
 */
function linesOfStages({ stages, differences, slow_mean_ns: slowNs }) {
	const lines = (list, isPart) => list
		.map((one) => ({ text: one.text, a: one.slow_ns, b: one.typical_ns, isPart }))
		.filter((one) => isWorthALine(one, slowNs)).slice(0, STAGE_LINES_MAX);

	return stages.flatMap((stage, i) => {
		const [whole] = lines([stage], false);
		const parts = lines(differences.filter((one) => one.stage === i), true);

		return whole ? [whole, ...parts] : [];
	});
}

/**
 * lines: [{text, a, b, isPart}, …]. If isPart is set, the line is a part of the nearest line above
 * it that is not a part.
 */
function differencesTable(nameA, nameB, a, b, lines) {
	const heads = [
		["A has more", "Milliseconds per request", "number"],
		["A", `A: ${nameA}`, "number"], ["B", `B: ${nameB}`, "number"],
		["What the time went to", "What the answering thread did, or waited for"],
	];

	return [
		el("table", { class: "differences" }, headRow(heads),
		   el("tbody", null, lines.map(differenceRow)),
		   el("tfoot", null, differenceRow({ text: "in all", a: a.ns, b: b.ns }))),
		el("p", { class: "note" }, "Milliseconds per request. A: " +
			`${groupSize(nameA, a)}. B: ${groupSize(nameB, b)}.`),
	];
}

function groupSize(name, { count, explained }) {
	return explained < count
		? `${name}, ${formatCount(explained)} of ${countText(count, "request")} explained`
		: `${name}, ${countText(count, "request")}`;
}

function differenceRow({ text, a, b, isPart }) {
	const cell = (ns, signed) => el("td", {
		class: "number", dataset: { ns: String(Math.round(ns)) },
	}, `${signed && ns > 0 ? "+" : ""}${(ns / 1e6).toFixed(3)}`);

	return el("tr", null, cell(a - b, true), cell(a), cell(b),
		  el("td", { class: isPart ? "what part" : "what" }, text));
}

/* --- the slowest requests --------------------------------------------------------------------- */

function slowestOf(rec, state) {
	const { slowest } = rec.requests;

	if (!slowest.length)
		return null;
	return el("div", { class: "slowest" }, el("h2", null, "Slowest requests"),
		  el("ul", null, slowest.map((one) => slowestItem(rec, state, one))));
}

function slowestItem(rec, state, one) {
	const task = one.thread >= 0 ? `, ${taskText(rec, one.thread)}` : "";
	const show = button(`${formatNs(one.ns)} at ${atText(rec, one.at, 3)}${task}`,
			    "Show what happened in it",
			    () => state.set(placeOfRequest(rec, state, one)));

	return el("li", null, el("span", { class: "evidence" }, show), one.text);
}
