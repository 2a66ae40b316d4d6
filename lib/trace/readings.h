/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counters of a trace -> what they show over time: one reading per moment, with a value for
 * each counter that the machine has.
 */
#ifndef RSP_LIB_READINGS_H
#define RSP_LIB_READINGS_H

#include "trace.h"

/* What the values of a counter are. */
enum rsp_unit {
	RSP_UNIT_NONE, /* no counter */
	RSP_UNIT_PPM,  /* share of the time since the previous reading, in millionths */
	RSP_UNIT_BYTES,
	RSP_UNIT_HUNDREDTHS,
	RSP_UNIT_COUNT,
	RSP_UNIT_HZ,
};

/* "ppm", "bytes", "hundredths", "count", "Hz"; "" of NONE. */
const char *rsp_unit_name(enum rsp_unit unit);

struct rsp_counter_kind {
	const char *key;  /* "memory_available"; NULL: no counter */
	const char *text; /* "memory available" */
	enum rsp_unit unit;
};

/* counter: enum rsp_counter, or a number between that means none. Never NULL. */
const struct rsp_counter_kind *rsp_counter_kind(unsigned int counter);

struct rsp_reading {
	__u64 at_ns;
	__u64 v[RSP_COUNTER_CNT]; /* in their units, or RSP_COUNTER_ABSENT */
};

struct rsp_readings {
	struct rsp_reading *v; /* in order of time */
	size_t cnt, cap;
};

/*
 * Those from since_ns to until_ns. Pressure is a difference, so the first reading of the trace does
 * not have it. 0 or -ENOMEM; *ret is the caller's.
 */
int rsp_readings_make(const struct rsp_trace *trace, __u64 since_ns, __u64 until_ns,
		      struct rsp_readings *ret);
void rsp_readings_done(struct rsp_readings *r);

/* Lowest, mean and highest value of a counter. */
struct rsp_range {
	__u64 min, mean, max;
	size_t cnt; /* readings that have it; 0: the other fields mean nothing */
};

struct rsp_range rsp_readings_range(const struct rsp_readings *r, unsigned int counter);

#endif
