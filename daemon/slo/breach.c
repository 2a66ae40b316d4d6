/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See breach.h. */
#include "daemon/slo/breach.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/config/config-keys.h"
#include "daemon/snapshots/target.h"

static const char *resource_name(enum rsp_slo_resource resource)
{
	static const char *const names[] = {
		[RSP_SLO_CPU] = "cpu", [RSP_SLO_MEMORY] = "memory", [RSP_SLO_IO] = "io"};

	return resource ? names[resource] : "";
}

static void describe_trigger(const struct rsp_slo_breach *breach, struct rsp_trigger *ret)
{
	const struct rsp_slo_config *slo = breach->slo;

	*ret = (struct rsp_trigger){
		.value_ns = breach->value_ns,
		.threshold_ns = slo->threshold_ns,
		.quantile_ppm = slo->quantile_ppm,
		.over_ns = slo->over_ns,
		.cnt = breach->cnt,
		.over_cnt = breach->over_cnt,
		.full = slo->full,
	};
	memcpy(ret->slo, slo->name, sizeof(slo->name));
	snprintf(ret->measure, sizeof(ret->measure), "%s", rsp_slo_measure_name(slo->measure));
	snprintf(ret->resource, sizeof(ret->resource), "%s", resource_name(slo->resource));
	rsp_slo_subject(slo, ret->subject, sizeof(ret->subject));
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
	/*
	 * -ENOENT: the SLO's unit or cgroup is gone. The snapshot is then about the most affected
	 * process.
	 */
	return r == -ENOENT ? 0 : r;
}
