/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See pace.h. */
#include "daemon/capture/pace.h"

/* Average length of runs above which a CPU needs no high rate of samples. */
#define LONG_RUN_NS 4000000ULL

/* A CPU that is idle for almost all of the time needs no high rate, either. */
#define WORTH_SHARE 200

/* Many commands end within this time, and in longer commands the start matters most. */
#define CALM_AFTER_NS 1000000000ULL

void rsp_pace_restart(struct rsp_pace *pace, __u64 now_ns)
{
	pace->looked_ns = now_ns;
	pace->busy_ns = now_ns;
	pace->run_ns = 0;
	pace->run_cnt = 0;
}

void rsp_pace_switch(struct rsp_pace *pace, __u64 ts_ns, bool was_idle)
{
	if (!was_idle && pace->switched_ns && ts_ns > pace->switched_ns) {
		pace->run_ns += ts_ns - pace->switched_ns;
		pace->run_cnt++;
	}
	pace->switched_ns = ts_ns;
}

bool rsp_pace_is_calm(struct rsp_pace *pace, __u64 now_ns)
{
	if (!pace->looked_ns)
		rsp_pace_restart(pace, now_ns);
	if (pace->run_ns < pace->run_cnt * LONG_RUN_NS &&
	    pace->run_ns > (now_ns - pace->looked_ns) / WORTH_SHARE)
		pace->busy_ns = now_ns;
	pace->looked_ns = now_ns;
	pace->run_ns = 0;
	pace->run_cnt = 0;
	return now_ns - pace->busy_ns >= CALM_AFTER_NS;
}
