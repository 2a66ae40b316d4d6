// SPDX-License-Identifier: GPL-2.0-or-later
//
// Computes the activity of threads, processes and CPUs in a range from spans, samples and
// interrupts. Each column is an array with a number for each thread, process or CPU.
import { KIND } from "../data/recording.js";
import { firstWhere } from "../flame/seen.js";
import { spansWithin } from "../graphs/spans.js";

/**
 * running, waiting (for a CPU) and blocked are times in ns. user and kernel are numbers of samples,
 * taken in user space or in the kernel. The other columns are counts.
 */
const COLUMNS = [
	"running", "waiting", "blocked", "runs", "migrations", "wakeups", "user", "kernel",
];

export function usageOf(rec, from, to) {
	const thread = columnsFor(rec.thread.count);
	const cpu = columnsFor(rec.meta.cpus);

	for (let t = 0; t < rec.thread.count; t++) {
		const [low, high] = spansWithin(rec, t, from, to);

		if (low < high) {
			sumSpans(rec, t, low, high, from, to, thread, cpu);
			sumSamples(rec, t, low, high, from, to, thread, cpu);
		}
	}
	cpu.hard = interrupts(rec, rec.irq.hard, from, to);
	cpu.soft = interrupts(rec, rec.irq.soft, from, to);
	cpu.idle = cpu.running.map((ns) => Math.max(to - from - ns, 0));
	return { thread, cpu, process: byProcess(rec, thread) };
}

function columnsFor(count) {
	return Object.fromEntries(COLUMNS.map((name) => [name, new Float64Array(count)]));
}

function sumSpans(rec, t, low, high, from, to, thread, cpu) {
	const { start, kind, cpu: cpuOf } = rec.span;
	const last = rec.thread.firstSpan[t + 1] - 1;
	let lastCpu = cpuBefore(rec, rec.thread.firstSpan[t], low), waited = 0;

	for (let i = low; i < high; i++) {
		const end = i < last ? start[i + 1] : rec.thread.to[t];
		const ns = Math.min(end, to) - Math.max(start[i], from);

		switch (kind[i]) {
		case KIND.run:
			addRun(thread, t, cpu, cpuOf[i], ns, waited);
			if (lastCpu && cpuOf[i] && cpuOf[i] !== lastCpu && start[i] >= from) {
				thread.migrations[t]++;
				if (cpuOf[i] <= cpu.migrations.length)
					cpu.migrations[cpuOf[i] - 1]++;
			}
			lastCpu = cpuOf[i] || lastCpu;
			waited = 0;
			break;
		case KIND.blocked:
			thread.blocked[t] += ns;
			thread.wakeups[t] += i < last && end <= to ? 1 : 0;
			break;
		case KIND.runnable:
		case KIND.preempted:
			thread.waiting[t] += ns;
			waited += ns;
			break;
		}
	}
}

/**
 * number: the number of the CPU plus 1; 0: unknown. waited: the time in ns for which the thread
 * waited for this CPU.
 */
function addRun(thread, t, cpu, number, ns, waited) {
	thread.running[t] += ns;
	thread.runs[t]++;
	if (number === 0 || number > cpu.running.length)
		return;
	cpu.running[number - 1] += ns;
	cpu.waiting[number - 1] += waited;
	cpu.runs[number - 1]++;
}

/** Returns the CPU of the last run before a span as number plus 1; 0: unknown. */
function cpuBefore(rec, first, span) {
	for (let i = span - 1; i >= first; i--)
		if (rec.span.kind[i] === KIND.run)
			return rec.span.cpu[i];
	return 0;
}

/** Counts the samples of a thread in the range, except those without a stack. */
function sumSamples(rec, t, low, high, from, to, thread, cpu) {
	const { at, stack } = rec.sample;
	const { start, kind, cpu: cpuOf } = rec.span;
	const end = rec.thread.firstSample[t + 1];
	let span = low, number = 0;

	for (let i = firstWhere(rec.thread.firstSample[t], end, (k) => at[k] >= from);
	     i < end && at[i] < to; i++) {
		for (; span < high && start[span] <= at[i]; span++)
			if (kind[span] === KIND.run)
				number = cpuOf[span];
		if (stack[i] === 0)
			continue;
		const where = rec.frame.kernel[rec.stack.frame[stack[i]]] ? "kernel" : "user";

		thread[where][t]++;
		if (number > 0 && number <= cpu[where].length)
			cpu[where][number - 1]++;
	}
}

function byProcess(rec, thread) {
	const process = columnsFor(rec.process.count);

	for (let t = 0; t < rec.thread.count; t++)
		for (const name of COLUMNS)
			process[name][rec.thread.process[t]] += thread[name][t];
	return process;
}

/**
 * The file contains a time for each bin; a bin that is only partly within the range counts in
 * proportion.
 */
function interrupts(rec, bins, from, to) {
	const width = rec.end / rec.irqBins;
	const sums = new Float64Array(rec.meta.cpus);

	if (!rec.irqBins)
		return sums;
	const low = Math.max(Math.floor(from / width), 0);
	const high = Math.min(Math.ceil(to / width), rec.irqBins);

	for (let cpu = 0; cpu < sums.length; cpu++)
		for (let bin = low; bin < high; bin++) {
			const part = Math.min((bin + 1) * width, to) - Math.max(bin * width, from);

			sums[cpu] += bins[cpu * rec.irqBins + bin] * part / width;
		}
	return sums;
}
