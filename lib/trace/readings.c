/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See readings.h. */
#include "lib/trace/readings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"

#define PPM 1000000ULL

static const struct rsp_counter_kind kinds[RSP_COUNTER_CNT] = {
	[RSP_COUNTER_CPU_SOME] = {"pressure_cpu", "some tasks lack a CPU", RSP_UNIT_PPM},
	[RSP_COUNTER_MEMORY_SOME] = {"pressure_memory", "some tasks lack memory", RSP_UNIT_PPM},
	[RSP_COUNTER_MEMORY_FULL] = {"pressure_memory_full", "all tasks lack memory", RSP_UNIT_PPM},
	[RSP_COUNTER_IO_SOME] = {"pressure_io", "some tasks wait for I/O", RSP_UNIT_PPM},
	[RSP_COUNTER_IO_FULL] = {"pressure_io_full", "all tasks wait for I/O", RSP_UNIT_PPM},
	[RSP_COUNTER_MEM_TOTAL] = {"memory_total", "memory", RSP_UNIT_BYTES},
	[RSP_COUNTER_MEM_AVAILABLE] = {"memory_available", "memory available", RSP_UNIT_BYTES},
	[RSP_COUNTER_SWAP_TOTAL] = {"swap_total", "swap", RSP_UNIT_BYTES},
	[RSP_COUNTER_SWAP_FREE] = {"swap_free", "swap free", RSP_UNIT_BYTES},
	[RSP_COUNTER_DIRTY] = {"dirty", "dirty pages", RSP_UNIT_BYTES},
	[RSP_COUNTER_WRITEBACK] = {"writeback", "pages being written", RSP_UNIT_BYTES},
	[RSP_COUNTER_LOAD] = {"load", "load of the last minute", RSP_UNIT_HUNDREDTHS},
	[RSP_COUNTER_RUNNABLE] = {"runnable", "tasks that run or want to", RSP_UNIT_COUNT},
	[RSP_COUNTER_TASKS] = {"tasks", "tasks", RSP_UNIT_COUNT},
	[RSP_COUNTER_FREQ_MEAN] = {"cpu_frequency", "CPU frequency, mean", RSP_UNIT_HZ},
	[RSP_COUNTER_FREQ_MIN] = {"cpu_frequency_min", "CPU frequency, slowest", RSP_UNIT_HZ},
	[RSP_COUNTER_FREQ_MAX] = {"cpu_frequency_max", "CPU frequency, fastest", RSP_UNIT_HZ},
};

const char *rsp_counter_unit_name(enum rsp_counter_unit unit)
{
	static const char *const names[] = {
		[RSP_UNIT_NONE] = "",	    [RSP_UNIT_PPM] = "ppm",
		[RSP_UNIT_BYTES] = "bytes", [RSP_UNIT_HUNDREDTHS] = "hundredths",
		[RSP_UNIT_COUNT] = "count", [RSP_UNIT_HZ] = "Hz",
	};

	return names[unit];
}

const struct rsp_counter_kind *rsp_counter_kind(unsigned int counter)
{
	static const struct rsp_counter_kind none;

	return counter < RSP_COUNTER_CNT ? &kinds[counter] : &none;
}

/* Must not be called for pressure, which is a difference of two values. */
static __u64 convert(enum rsp_counter_unit unit, __u64 raw)
{
	__u64 factor = unit == RSP_UNIT_BYTES ? 1024 : unit == RSP_UNIT_HZ ? 1000 : 1;

	return raw > (RSP_COUNTER_ABSENT - 1) / factor ? RSP_COUNTER_ABSENT : raw * factor;
}

/*
 * If the second total is smaller, it belongs to another recording or is damaged, and the share is
 * RSP_COUNTER_ABSENT.
 */
static __u64 share(__u64 before_us, __u64 us, __u64 ns)
{
	__u64 stalled_us = us - before_us;

	if (before_us == RSP_COUNTER_ABSENT || us == RSP_COUNTER_ABSENT || us < before_us || !ns)
		return RSP_COUNTER_ABSENT;
	/*
	 * a stall may seem longer than ns, because the recorder reads the pressure files at
	 * slightly different times
	 */
	if (stalled_us >= ns / 1000)
		return PPM;
	return (__u64)((__uint128_t)stalled_us * 1000 * PPM / ns);
}

static struct rsp_reading *add_reading(struct rsp_readings *r, __u64 at_ns)
{
	struct rsp_reading *reading = rsp_array_add(r);

	if (!reading)
		return NULL;
	reading->at_ns = at_ns;
	for (size_t i = 0; i < RSP_COUNTER_CNT; i++)
		reading->v[i] = RSP_COUNTER_ABSENT;
	return reading;
}

static void put_set(struct rsp_reading *reading, const struct rsp_ev_counters *set,
		    const struct rsp_ev_counters *before)
{
	size_t first = (size_t)set->hdr.flags * RSP_COUNTER_SET_SIZE;

	for (size_t i = 0; i < RSP_COUNTER_SET_SIZE && first + i < RSP_COUNTER_CNT; i++) {
		enum rsp_counter_unit unit = kinds[first + i].unit;

		if (unit == RSP_UNIT_NONE)
			continue;
		if (unit != RSP_UNIT_PPM)
			reading->v[first + i] = convert(unit, set->v[i]);
		else if (before)
			reading->v[first + i] = share(before->v[i], set->v[i],
						      set->hdr.ts_ns - before->hdr.ts_ns);
	}
}

int rsp_readings_make(const struct rsp_trace *trace, __u64 since_ns, __u64 until_ns,
		      struct rsp_readings *ret)
{
	const struct rsp_ev_counters *before[RSP_COUNTER_SET_CNT] = {0};

	*ret = (struct rsp_readings){0};
	for (size_t i = 0; i < trace->counters.cnt; i++) {
		const struct rsp_ev_counters *set = trace->counters.v[i];
		__u64 at_ns = set->hdr.ts_ns;
		struct rsp_reading *last = ret->cnt ? &ret->v[ret->cnt - 1] : NULL;

		if (at_ns >= since_ns && at_ns <= until_ns) {
			if (!last || last->at_ns != at_ns)
				last = add_reading(ret, at_ns);
			if (!last) {
				rsp_readings_done(ret);
				return -ENOMEM;
			}
			put_set(last, set, before[set->hdr.flags]);
		}
		before[set->hdr.flags] = set;
	}
	return 0;
}

void rsp_readings_done(struct rsp_readings *r)
{
	free(r->v);
	*r = (struct rsp_readings){0};
}

struct rsp_range rsp_readings_range(const struct rsp_readings *r, unsigned int counter)
{
	struct rsp_range range = {.min = RSP_COUNTER_ABSENT};
	__uint128_t sum = 0;

	for (size_t i = 0; i < r->cnt; i++) {
		__u64 v = r->v[i].v[counter];

		if (v == RSP_COUNTER_ABSENT)
			continue;
		range.cnt++;
		sum += v;
		range.min = v < range.min ? v : range.min;
		range.max = v > range.max ? v : range.max;
	}
	if (range.cnt)
		range.mean = (__u64)(sum / range.cnt);
	return range;
}
