/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns the COUNTERS records of a trace into readings. A reading contains the values of all
 * counters of the machine at one time.
 */
#ifndef RSP_LIB_READINGS_H
#define RSP_LIB_READINGS_H

#include "lib/trace/trace.h"

enum rsp_counter_unit {
	RSP_UNIT_NONE, /* no counter */
	RSP_UNIT_PPM,  /* parts per million of the time since the previous reading */
	RSP_UNIT_BYTES,
	RSP_UNIT_HUNDREDTHS,
	RSP_UNIT_COUNT,
	RSP_UNIT_HZ,
};

/* Returns "ppm", "bytes", "hundredths", "count" or "Hz", or "" for RSP_UNIT_NONE. */
const char *rsp_counter_unit_name(enum rsp_counter_unit unit);

struct rsp_counter_kind {
	const char *key;  /* such as "memory_available"; NULL: no counter has this number */
	const char *text; /* "memory available" */
	enum rsp_counter_unit unit;
};

/* Never returns NULL. counter may be any number. */
const struct rsp_counter_kind *rsp_counter_kind(unsigned int counter);

struct rsp_reading {
	__u64 at_ns;
	__u64 v[RSP_COUNTER_CNT]; /* values in the units of their kinds, or RSP_COUNTER_ABSENT */
};

struct rsp_readings {
	struct rsp_reading *v; /* by at_ns */
	size_t cnt, cap;
};

/*
 * Makes the readings from since_ns to until_ns. Pressure is a difference between two readings, so
 * the first reading of the trace has no pressure. Returns 0 or -ENOMEM. The caller frees *ret with
 * rsp_readings_done().
 */
int rsp_readings_make(const struct rsp_trace *trace, __u64 since_ns, __u64 until_ns,
		      struct rsp_readings *ret);
void rsp_readings_done(struct rsp_readings *r);

struct rsp_range {
	__u64 min, mean, max;
	size_t cnt; /* number of readings with the counter; if 0, the other fields are undefined */
};

struct rsp_range rsp_readings_range(const struct rsp_readings *r, unsigned int counter);

#endif
