/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl requests [SNAPSHOT]: shows the requests that servers received, and why some requests took
 * longer than others.
 */
#include "cli/pipeline.h"
#include "cli/recent.h"
#include "cli/source.h"
#include "cli/target.h"
#include "lib/base/cleanup.h"

int rsp_verb_requests(const struct rsp_options *opt)
{
	_cleanup_(rsp_source_done) struct rsp_source source = RSP_SOURCE_NONE;
	struct rsp_options all = *opt;
	int r = rsp_source_open(opt, &source);

	if (r)
		return r;
	/*
	 * --unit, --cgroup, --container and --port choose one process, and the report covers only
	 * this process.
	 */
	all.of_target = rsp_target_is_resolved(opt);
	return rsp_pipeline_requests(source.fd, source.name, &all);
}
