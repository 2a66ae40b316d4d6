/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes CPU_TIME records from /proc/stat, one for each online CPU. */
#ifndef RSP_DAEMON_CPU_TIMES_H
#define RSP_DAEMON_CPU_TIMES_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "daemon/capture/sink.h"
#include "rsp/event.h"

/* Skips lines of unknown form. Does nothing if the file cannot be read. */
void rsp_cpu_times_write(rsp_sink_fn sink, void *userdata);

/* tick_ns: length of a tick. Returns false if the line is not about a CPU. */
bool rsp_cpu_times_parse(const char *line, __u64 tick_ns, struct rsp_ev_cpu_time *ret);

#endif
