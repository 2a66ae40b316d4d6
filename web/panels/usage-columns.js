// SPDX-License-Identifier: GPL-2.0-or-later
//
// Defines the columns of the utilization table: names, values and formats.
import { formatCount, formatNs, formatShare } from "../format.js";

const SAMPLED = "of the samples taken in the range: inferred, not measured";

const time = (key, head, title) => ({
	key, head, title, valueOf: (usage, i) => usage[key][i], textOf: formatNs, isTime: true,
});
const count = (key, head, title) => ({
	key, head, title, valueOf: (usage, i) => usage[key][i], textOf: formatCount,
});
const sampled = (key, head, title) => ({
	key, head, title: `${title}, ${SAMPLED}`,
	valueOf: (usage, i) => {
		const samples = usage.user[i] + usage.kernel[i];

		return samples ? usage[key][i] / samples : -1;
	},
	textOf: (share) => share < 0 ? "–" : formatShare(share, 1),
});

const RUNNING = time("running", "Running", "Time on a CPU");
const UTILIZATION = {
	key: "utilization", head: "Utilization",
	title: "Running, as a share of the range; several threads may exceed 100 %",
	valueOf: (usage, i, range) => usage.running[i] / range,
	textOf: (share) => formatShare(share, 1),
};
const USER = sampled("user", "User *", "Share in user space");
const KERNEL = sampled("kernel", "Kernel *", "Share in the kernel");

export const TASK_COLUMNS = [
	RUNNING, UTILIZATION, USER, KERNEL,
	time("waiting", "Waiting for a CPU", "Woken or put off a CPU, and not on one yet"),
	time("blocked", "Blocked", "Waiting for anything else; of several threads added up"),
	count("runs", "Runs", "How often it was on a CPU"),
	count("migrations", "Migrations", "How often it ran on another CPU than before"),
	count("wakeups", "Wakeups", "How often it was woken"),
];

export const CPU_COLUMNS = [
	RUNNING, { ...UTILIZATION, title: "Running, as a share of the range" }, USER, KERNEL,
	time("waiting", "Waited for", "How long threads waited that then ran on it"),
	count("runs", "Runs", "How many runs were on it"),
	count("migrations", "Migrations", "How many threads came to it from another CPU"),
	time("hard", "Interrupts", "Time in interrupts, whatever they interrupted"),
	time("soft", "Softirqs", "Time in softirqs, whatever they interrupted"),
	time("idle", "Idle", "Time without a thread on it, interrupts in it included"),
];

/** The key "name" sorts by name. */
export function sortedRows(rows, usage, columns, { key, ascending }, range, nameOf) {
	const column = columns.find((one) => one.key === key);
	const sign = ascending ? 1 : -1;

	if (!column)
		return [...rows].sort((a, b) => sign * compareTexts(nameOf(a), nameOf(b)) || a - b);
	const values = new Map(rows.map((row) => [row, column.valueOf(usage, row, range)]));

	return [...rows].sort((a, b) => sign * (values.get(a) - values.get(b)) || a - b);
}

function compareTexts(a, b) {
	return a < b ? -1 : a > b ? 1 : 0;
}
