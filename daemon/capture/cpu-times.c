/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See cpu-times.h. */
#include "daemon/capture/cpu-times.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "lib/base/cleanup.h"

enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, COLUMN_CNT };

bool rsp_cpu_times_parse(const char *line, __u64 tick_ns, struct rsp_ev_cpu_time *ret)
{
	unsigned long long v[COLUMN_CNT];
	unsigned int cpu;

	/* The line of the sum of all CPUs has a space here, which sscanf() would skip. */
	if (strncmp(line, "cpu", 3) != 0 || !isdigit((unsigned char)line[3]))
		return false;
	if (sscanf(line, "cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", &cpu, &v[USER], &v[NICE],
		   &v[SYSTEM], &v[IDLE], &v[IOWAIT], &v[IRQ], &v[SOFTIRQ],
		   &v[STEAL]) != COLUMN_CNT + 1 ||
	    cpu > UINT16_MAX)
		return false;
	*ret = (struct rsp_ev_cpu_time){
		.hdr = {.kind = RSP_EV_CPU_TIME, .size = sizeof(*ret), .cpu = (__u16)cpu},
		.user_ns = (v[USER] + v[NICE]) * tick_ns,
		.system_ns = v[SYSTEM] * tick_ns,
		.irq_ns = v[IRQ] * tick_ns,
		.softirq_ns = v[SOFTIRQ] * tick_ns,
		.steal_ns = v[STEAL] * tick_ns,
		.idle_ns = (v[IDLE] + v[IOWAIT]) * tick_ns,
	};
	return true;
}

void rsp_cpu_times_write(rsp_sink_fn sink, void *userdata)
{
	_cleanup_free_ char *line = NULL;
	long hz = sysconf(_SC_CLK_TCK);
	FILE *f = hz > 0 ? fopen("/proc/stat", "re") : NULL;
	__u64 now_ns = rsp_now_ns();
	struct rsp_ev_cpu_time rec;
	size_t cap = 0;

	if (!f)
		return;
	while (getline(&line, &cap, f) > 0 && strncmp(line, "cpu", 3) == 0) {
		if (!rsp_cpu_times_parse(line, 1000000000ULL / (__u64)hz, &rec))
			continue;
		rec.hdr.ts_ns = now_ns;
		sink(&rec, sizeof(rec), userdata);
	}
	fclose(f);
}
