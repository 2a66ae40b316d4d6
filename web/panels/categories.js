// SPDX-License-Identifier: GPL-2.0-or-later
//
// The panel beside the consolidated view: the time of the control paths in the range by category,
// the list of paths, and the work that was handed off to other threads and not awaited.
import { button, el } from "../dom.js";
import { countText, formatCount, formatNs, formatShare } from "../format.js";
import { categoriesOf, taskText } from "../flame/words.js";
import { unexplainedText } from "../flame/picture.js";
import { pathSums } from "./path-sums.js";
import { actionRow, headRow, numberCell, swatch, timeCell } from "./table.js";

const PATHS_AT_ONCE = 50;
const HANDED_OFF_MAX = 10;

export function categoriesPanel(rec, state) {
	const element = el("section", { class: "panel categories", "aria-label": "Categories" });
	let key = "", shown = PATHS_AT_ONCE;

	function update() {
		const now = [state.process, state.from, state.to, shown].join();

		if (now === key)
			return;
		key = now;
		element.replaceChildren(...contentOf(rec, state, shown, showMore));
	}

	function showMore() {
		shown += PATHS_AT_ONCE;
		update();
	}

	return { element, update };
}

function contentOf(rec, state, shown, showMore) {
	const index = rec.process.explained[state.process] ?? -1;

	if (index < 0)
		return [el("p", { class: "empty" }, unexplainedText(rec, state.process))];
	const explained = rec.explained[index];
	const sums = pathSums(rec, explained, state.from, state.to);

	return [
		el("h2", null, "Where the time went"),
		el("p", { class: "summary" }, summaryText(explained, sums)),
		categoryTable(rec, explained, sums),
		...pathList(rec, state, sums, shown, showMore),
		...handedOff(explained.paths.handed_off, sums.whole),
	];
}

function summaryText({ paths }, { total, accounted, whole, paths: seen }) {
	const count = countText(seen.length, "control path");
	const by = whole ? `by ${countText(paths.threads, "thread")}` : "in this range";
	const share = formatShare(accounted, total);

	return total ? `${formatNs(total)} on ${count} ${by}; ${share} accounted for`
		     : "No control path has time in this range.";
}

/* --- categories ------------------------------------------------------------------------------ */

function categoryTable(rec, explained, { times, total, whole }) {
	const own = whole ? explained.categories : null;
	const rows = categoriesOf(rec)
		.map((category, i) => ({ category, ns: times[i], own: own ? own[i] : 0 }))
		.filter((row) => row.ns || row.own);
	const heads = [
		["Category", "What the time went to"],
		["All paths", "Time on all control paths, parallel ones added up", "number"],
		["Share", "Of all paths", "number"],
		...own ? [["Own threads", "Time of the process's own threads", "number"]] : [],
	];

	return el("table", { class: "categories" }, headRow(heads),
		  el("tbody", null, rows.map((row) => categoryRow(row, total, own))),
		  el("tfoot", null, el("tr", null, el("th", { scope: "row" }, "Total"),
				       timeCell(total), numberCell(formatShare(total, total)),
				       own ? timeCell(explained.total_ns) : null)));
}

function categoryRow({ category, ns, own: ownNs }, total, own) {
	return el("tr", { title: category.text, dataset: { category: category.key } },
		  el("th", { scope: "row" }, swatch(category.ink), category.name),
		  timeCell(ns), numberCell(formatShare(ns, total)), own ? timeCell(ownNs) : null);
}

/* --- paths ----------------------------------------------------------------------------------- */

function pathList(rec, state, { paths, whole }, shown, showMore) {
	if (!paths.length)
		return [];
	const categories = categoriesOf(rec);
	const heads = [
		["Path", "Whose work it was; a click shows its time"],
		["Length", "Its time in the range", "number"],
		["Running", "How much of it ran", "number"],
		...whole ? [["Awaited", "How long other paths waited for it", "number"]] : [],
		["Mostly", "What took most of its time"],
	];
	const rows = paths.slice(0, shown)
		.map((one) => pathRow(rec, state, one, categories, whole));
	const rest = paths.length - shown;
	const more = rest > 0
		? [button(`show more (${formatCount(rest)})`, "Show more paths", showMore)] : [];

	return [el("h3", null, "Control paths"),
		el("table", { class: "paths" }, headRow(heads), el("tbody", null, rows)), ...more];
}

function pathRow(rec, state, { path, index, ns, running, mostly }, categories, whole) {
	const { from, to } = path;
	const task = taskText(rec, path.thread);
	const title = `Show the time of ${index === 0 ? "the main path" : `path ${index}`}` +
		`, ${task}${path.root ? "" : ", of another process"}`;

	return actionRow(title, () => state.set({ from, to }),
			 el("th", { scope: "row" }, task),
			 timeCell(ns), timeCell(running),
			 whole ? timeCell(path.awaited) : null,
			 el("td", null, swatch(categories[mostly].ink), categories[mostly].name));
}

/* --- handed off ------------------------------------------------------------------------------ */

function handedOff(list, whole) {
	if (!whole || !list.length)
		return [];
	const rows = list.slice(0, HANDED_OFF_MAX).map(({ comm, tid, count, ns }) =>
		el("tr", null, el("th", { scope: "row" }, `${comm} [${tid}]`), timeCell(ns),
		   numberCell(formatCount(count))));
	const rest = list.length > HANDED_OFF_MAX
		? ` (the first ${HANDED_OFF_MAX} of ${formatCount(list.length)})` : "";

	return [el("h3", null, `Handed off, and not waited for${rest}`),
		el("table", { class: "handed-off" },
		   headRow([
			   ["By", "Who did the work"],
			   ["Time", "How long that took", "number"],
			   ["Times", "How often it was handed work", "number"],
		   ]),
		   el("tbody", null, rows))];
}
