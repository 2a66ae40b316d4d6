/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/stat -> CPU_TIME records, one for each CPU that is online. */
#ifndef RSP_DAEMON_CPU_TIMES_H
#define RSP_DAEMON_CPU_TIMES_H

#include "capture.h"

/* Writes none if the file cannot be read or a line has another form. */
void rsp_cpu_times_write(rsp_sink_fn sink, void *userdata);

/* The line of a CPU; ticks_ns: the length of a tick. False: it is another line. */
bool rsp_cpu_times_parse(const char *line, __u64 tick_ns, struct rsp_ev_cpu_time *ret);

#endif
