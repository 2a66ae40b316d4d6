/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the verbs of rspctl that read the recorder's status. */
#include <errno.h>

#include "cli/service.h"
#include "lib/base/json.h"
#include "tests/fuzz/cli-quiet.h"
#include "tests/fuzz/json-tree.h"

static const char *const keys[] = {
	"abilities",	 "name",	 "chosen",
	"why",		 "ok",		 "window",
	"bytes",	 "budget_bytes", "oldest_ns",
	"newest_ns",	 "event_bytes",	 "held_events",
	"stacks",	 "ended",	 "complete",
	"pending",	 "repeated",	 "walked",
	"unwound",	 "tables",	 "binaries",
	"cost",		 "programs",	 "run_cnt",
	"run_ns",	 "budget_ppm",	 "cost_ppm",
	"programs_ppm",	 "daemon_ppm",	 "daemon_cpu_ns",
	"shed",		 "shed_name",	 "shed_cnt",
	"snapshots",	 "asked",	 "failed",
	"store",	 "files",	 "free_bytes",
	"slos",		 "measure",	 "subject",
	"threshold_ns",	 "quantile_ppm", "over_ns",
	"measured",	 "cnt",		 "over_cnt",
	"max_ns",	 "breach_cnt",	 "last_breach_ns",
	"buckets",	 "le_ns",	 "sum_ns",
	"by_kind",	 "switch",	 "events",
	"lost",		 "bad",		 "version",
	"pid",		 "now_ns",	 "uptime_ns",
	"shed_since_ns", "above_budget", "containers",
	"named",	 "unnamed",	 "left_out",
};

static struct json_object *status;

/* In place of cli/service.c. */
int rsp_service_status(const struct rsp_options *opt, struct json_object **ret)
{
	*ret = json_object_get(status);
	return RSP_EXIT_OK;
}

int rsp_service_connect(const struct rsp_options *opt, struct rsp_client **ret)
{
	return RSP_EXIT_NO_DAEMON;
}

/* Like the reply of rsp_client_call(), the result is an object or NULL. */
static struct json_object *take_status(struct input *in)
{
	struct json_object *o = NULL;

	if (take_u8(in))
		return json_tree_take_object(in, keys, sizeof(keys) / sizeof(keys[0]), 0);
	if (rsp_json_parse((const char *)in->bytes, in->len, JSON_TOKENER_DEFAULT_DEPTH, &o) < 0)
		return NULL;
	return o;
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	struct input in = {data, len};
	__u8 how = take_u8(&in);
	char *list[] = {"list", NULL}, *test[] = {"test", "", NULL};
	struct rsp_options opt = {.legend = true, .json = how & 1 ? RSP_JSON_SHORT : RSP_JSON_OFF};

	be_quiet();
	status = take_status(&in);
	if (!status)
		return 0;
	(void)rsp_verb_status(&opt);
	(void)rsp_verb_metrics(&opt);
	opt.args = list;
	opt.arg_cnt = 1;
	(void)rsp_verb_slo(&opt);
	opt.args = test;
	opt.arg_cnt = 2;
	(void)rsp_verb_slo(&opt);
	json_object_put(status);
	return 0;
}
