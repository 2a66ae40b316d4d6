/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See breach.h. */
#include "breach.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "target.h"

static void add_subject(struct rsp_trigger *t, const char *key, const char *value)
{
	size_t len = strlen(t->subject);

	if (value[0])
		snprintf(t->subject + len, sizeof(t->subject) - len, "%s%s=%s", len ? " " : "", key,
			 value);
}

static void describe_trigger(const struct rsp_slo_breach *breach, struct rsp_trigger *ret)
{
	const struct rsp_slo_config *slo = breach->slo;
	char port[8] = "", pid[16] = "";

	*ret = (struct rsp_trigger){
		.value_ns = breach->value_ns,
		.threshold_ns = slo->threshold_ns,
		.quantile_ppm = slo->quantile_ppm,
		.over_ns = slo->over_ns,
		.cnt = breach->cnt,
		.over_cnt = breach->over_cnt,
	};
	memcpy(ret->slo, slo->name, sizeof(slo->name));
	snprintf(ret->measure, sizeof(ret->measure), "%s", rsp_slo_measure_name(slo->measure));
	if (slo->port)
		snprintf(port, sizeof(port), "%u", slo->port);
	if (slo->pid)
		snprintf(pid, sizeof(pid), "%d", (int)slo->pid);
	add_subject(ret, "Unit", slo->unit);
	add_subject(ret, "Cgroup", slo->cgroup);
	add_subject(ret, "Comm", slo->comm);
	add_subject(ret, "Pid", pid);
	add_subject(ret, "Port", port);
	add_subject(ret, "Function", slo->function_name);
}

int rsp_breach_specify(const struct rsp_slo_breach *breach, struct rsp_job_spec *ret)
{
	const struct rsp_slo_config *slo = breach->slo;
	struct rsp_dump_request *req = &ret->request;
	int r = 0;

	*ret = (struct rsp_job_spec){
		.request = {.meta = {.since_ns = breach->start_ns,
				     .until_ns = breach->end_ns,
				     .target_pid = (uint32_t)breach->tgid,
				     .target_tid = (uint32_t)breach->tid,
				     .exit_status = -1},
			    .pidns = RSP_PIDNS_INITIAL,
			    .events_since_ns = breach->start_ns > slo->before_ns
						       ? breach->start_ns - slo->before_ns
						       : 1},
		.begin_at_ns = breach->end_ns + slo->after_ns,
		.patient = true,
	};
	describe_trigger(breach, &req->meta.trigger);
	if (!breach->tgid)
		r = rsp_target_of_slo(slo, req);
	return r == -ENOENT ? 0 : r; /* none runs any more: whoever suffered most, then */
}
