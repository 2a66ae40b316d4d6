/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl merge A B… -o FILE: merges the snapshots of several hosts into one snapshot, with the
 * clock of the first host.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "cli/fresh.h"
#include "cli/isolated.h"
#include "cli/opened.h"
#include "cli/options-parts.h"
#include "cli/output.h"
#include "cli/save.h"
#include "cli/stored.h"
#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/merge/merge.h"
#include "lib/report/report-hosts.h"

struct merging {
	size_t cnt;
	const char *names[RSP_HOST_CNT_MAX]; /* as the user gave them */
	int fds[RSP_HOST_CNT_MAX];
	int to; /* a memfd */
	const char *output;
};

static void merging_done(struct merging *x)
{
	for (size_t i = 0; i < x->cnt; i++)
		rsp_cleanup_close(&x->fds[i]);
	rsp_cleanup_close(&x->to);
}

/* --- in the sandbox --------------------------------------------------------------------------- */

static void snaps_done(struct rsp_snapshot *(*snaps)[RSP_HOST_CNT_MAX])
{
	for (size_t i = 0; i < RSP_HOST_CNT_MAX; i++)
		rsp_snapshot_free((*snaps)[i]);
}

static void writer_done(struct rsp_snapshot_writer **w)
{
	rsp_snapshot_writer_free(*w);
}

static int fail_one(int fault, const char *a)
{
	switch (fault) {
	case RSP_MERGE_TRUNCATED:
		return rsp_fail(-EBADMSG, "%s is truncated or damaged: it cannot be merged", a);
	case RSP_MERGE_REDACTED:
		return rsp_fail(-EPERM,
				"%s is redacted, so its chains end at tasks of other users: merge "
				"snapshots that root or group rsp took",
				a);
	case RSP_MERGE_MERGED:
		return rsp_fail(-EINVAL, "%s is merged already: merge the original snapshots", a);
	case RSP_MERGE_LATER:
		return rsp_fail(-ENOTSUP,
				"%s contains records of a later version of RSP: use rspctl of that "
				"version",
				a);
	case RSP_MERGE_TOO_LARGE:
		return rsp_fail(-E2BIG, "the snapshots have too many CPUs or binaries together");
	case RSP_MERGE_APART:
		return rsp_fail(
			-ERANGE,
			"no time is in all recordings: %s begins when another one has ended", a);
	}
	return rsp_fail(-EINVAL, "cannot merge %s", a);
}

static int fail_merge(int fault, const struct merging *x, const struct rsp_merge_result *res)
{
	const char *a = x->names[res->a], *b = x->names[res->b];

	switch (fault) {
	case RSP_MERGE_SAME_HOST:
		return rsp_fail(-EINVAL,
				"%s and %s are both recordings of host %s: merge one of each host",
				a, b, res->meta.host);
	case RSP_MERGE_UNCONNECTED:
		return rsp_fail(
			-ENODATA,
			"no message between %s and %s is in both recordings, so their clocks "
			"cannot be compared: record both hosts while they talk over TCP",
			a, b);
	case RSP_MERGE_ONE_WAY:
		return rsp_fail(
			-ENODATA,
			"all messages in both recordings go from %s to %s: without an answer, "
			"their clocks have a bound on one side only",
			a, b);
	case RSP_MERGE_CLOCKS:
		return rsp_fail(
			-ERANGE,
			"the clocks of %s and %s did not run at steady rates: some messages "
			"would arrive before they were sent",
			a, b);
	}
	return fail_one(fault, a);
}

static void put_result(const struct merging *x, const struct rsp_merge_result *res)
{
	const struct rsp_meta *meta = &res->meta;
	char a[RSP_FORMAT_MAX], b[RSP_FORMAT_MAX];

	for (uint32_t i = 1; i < meta->host_cnt; i++) {
		printf("clocks of %s and %s: ", meta->hosts[0].name, meta->hosts[i].name);
		rsp_report_put_clock(&meta->hosts[i], stdout);
		printf(" (%zu messages from %s, %zu to it", res->hosts[i].sent_cnt,
		       meta->hosts[i].name, res->hosts[i].received_cnt);
		if (res->hosts[i].reference)
			printf(", by way of %s", meta->hosts[res->hosts[i].reference].name);
		puts(")");
	}
	if (res->early_cnt)
		printf("%zu messages between hosts other than these pairs arrive before they were "
		       "sent, by up to %s\n",
		       res->early_cnt, rsp_format_ns(res->early_ns, a, sizeof(a)));
	printf("%s: %s", x->output, rsp_format_ns(meta->until_ns - meta->since_ns, a, sizeof(a)));
	if (res->cut_ns)
		printf("; %s of the span of %s is not in all recordings",
		       rsp_format_ns(res->cut_ns, b, sizeof(b)), x->names[0]);
	putchar('\n');
}

static int merge(void *userdata)
{
	_cleanup_(snaps_done) struct rsp_snapshot *snaps[RSP_HOST_CNT_MAX] = {0};
	_cleanup_(writer_done) struct rsp_snapshot_writer *w = NULL;
	const struct merging *x = userdata;
	struct rsp_merge_result res;
	int r = 0;

	for (size_t i = 0; i < x->cnt; i++) {
		r = rsp_snapshot_open_fd(x->fds[i], &snaps[i]);
		if (r < 0)
			return rsp_opened_fail_open(r, x->names[i]);
	}
	r = rsp_snapshot_writer_new(x->to, &w);
	if (r == 0)
		r = rsp_merge(snaps, x->cnt, w, &res);
	if (r > 0)
		return fail_merge(r, x, &res);
	if (r == 0)
		r = rsp_snapshot_writer_finish(w);
	if (r < 0)
		return rsp_opened_fail("merge", r, x->names[0]);
	put_result(x, &res);
	return rsp_output_flush();
}

/* --- outside ---------------------------------------------------------------------------------- */

static int open_all(const struct rsp_options *opt, struct merging *x)
{
	for (int i = 0; i < opt->arg_cnt; i++) {
		_cleanup_free_ char *path = NULL;
		int r = rsp_stored_find(opt, opt->args[i], true, &path);

		x->names[i] = opt->args[i];
		if (!r)
			r = rsp_stored_open(path, &x->fds[i]);
		if (r)
			return r;
		x->cnt++;
	}
	return RSP_EXIT_OK;
}

int rsp_verb_merge(const struct rsp_options *opt)
{
	_cleanup_(merging_done) struct merging x = {.to = -1, .output = opt->output};
	int r;

	if (!opt->output)
		return rsp_misuse("merge needs -o FILE");
	r = open_all(opt, &x);
	if (r)
		return r;
	x.to = memfd_create("merged", MFD_CLOEXEC);
	if (x.to < 0)
		return rsp_fail(-errno, "cannot merge: %m");
	r = rsp_isolated(&(struct rsp_isolated){
		.work = merge,
		.userdata = &x,
		.name = x.names[0],
		.input = x.fds[0],
		.output = x.to,
		.is_large = true,
		.more = x.fds + 1,
		.more_cnt = x.cnt - 1,
	});
	if (r)
		return r;
	r = rsp_save(x.to, opt->output);
	return r < 0 ? rsp_fail(r, "cannot save the snapshot as %s: %m", opt->output) : RSP_EXIT_OK;
}
