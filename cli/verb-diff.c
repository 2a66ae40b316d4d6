/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl diff BEFORE AFTER: tells what changed from one recording to another, or from several to
 * several. A side is a list with commas, or "--" stands between the sides. With --at, the sides are
 * two parts of one recording.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/isolated.h"
#include "cli/opened.h"
#include "cli/output.h"
#include "cli/stored.h"
#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/diff/diff.h"

struct input {
	char *name;
	int fd;
	int side;
	struct rsp_diff_part part;
};

struct inputs {
	struct input *v;
	size_t cnt, cap;
	size_t side_cnt[2];
};

static void inputs_done(struct inputs *in)
{
	for (size_t i = 0; i < in->cnt; i++) {
		rsp_cleanup_close(&in->v[i].fd);
		free(in->v[i].name);
	}
	free(in->v);
}

static int add_input(struct inputs *in, const struct rsp_options *opt, const char *name, int side)
{
	struct input *input = rsp_array_add(in);
	int r;

	if (!input)
		return rsp_fail(-ENOMEM, "cannot open %s: %m", name);
	input->fd = -1;
	input->side = side;
	if (++in->side_cnt[side] > RSP_DIFF_RECORDINGS_MAX) {
		rsp_fail(0, "no more than %d recordings a side", RSP_DIFF_RECORDINGS_MAX);
		return RSP_EXIT_USAGE;
	}
	r = rsp_stored_find(opt, name, true, &input->name);
	return r ? r : rsp_stored_open(input->name, &input->fd);
}

/* "A1,A2" */
static int add_list(struct inputs *in, const struct rsp_options *opt, const char *list, int side)
{
	_cleanup_free_ char *copy = strdup(list);
	char *rest = copy, *name;
	int r = 0;

	if (!copy)
		return rsp_fail(-ENOMEM, "cannot open %s: %m", list);
	while (!r && (name = strsep(&rest, ",")))
		r = add_input(in, opt, name, side);
	return r;
}

static int add_parts(struct inputs *in, const struct rsp_options *opt)
{
	int r = 0;

	if (opt->arg_cnt != 1) {
		rsp_fail(0, "--at compares two parts of one recording");
		return RSP_EXIT_USAGE;
	}
	for (int side = 0; side < 2 && !r; side++)
		r = add_input(in, opt, opt->args[0], side);
	if (r)
		return r;
	in->v[0].part.to_ns = in->v[1].part.from_ns = opt->at_ns;
	return 0;
}

static int add_all(struct inputs *in, const struct rsp_options *opt)
{
	int r = 0;

	if (opt->at_ns)
		return add_parts(in, opt);
	if (opt->before_cnt && opt->before_cnt < opt->arg_cnt) {
		for (int i = 0; i < opt->arg_cnt && !r; i++)
			r = add_input(in, opt, opt->args[i], i >= opt->before_cnt);
		return r;
	}
	if (opt->arg_cnt != 2) {
		rsp_fail(0, "which recordings are before, which after? 'rspctl diff A1,A2 B1,B2', "
			    "'rspctl diff A1 A2 -- B1 B2', or one recording and --at");
		return RSP_EXIT_USAGE;
	}
	for (int side = 0; side < 2 && !r; side++)
		r = add_list(in, opt, opt->args[side], side);
	return r;
}

/* --- in the process without rights ------------------------------------------------------------ */

struct comparing {
	const struct inputs *in;
	const struct rsp_options *opt;
	struct rsp_diff_options how;
};

static int fail_add(int error, const struct input *input, const struct rsp_options *opt)
{
	if (error == -ESRCH && opt->comm)
		return rsp_fail(error, "no process called '%s' occurs in %s", opt->comm,
				input->name);
	if (error == -ESRCH)
		return rsp_fail(error,
				"the process of interest does not occur in %s: choose one "
				"with --comm or --pid",
				input->name);
	if (error == -ERANGE) {
		rsp_fail(0, "%s ends before --at", input->name);
		return RSP_EXIT_USAGE;
	}
	return rsp_opened_fail("compare", error, input->name);
}

static int add(struct rsp_diff *d, const struct input *input, const struct rsp_options *opt)
{
	struct rsp_snapshot *snap;
	int r = rsp_snapshot_open_recent_fd(input->fd, RSP_SNAPSHOT_RECENT_BYTES, &snap);

	if (r < 0)
		return rsp_opened_fail_open(r, input->name);
	r = rsp_diff_add(d, input->side, snap, opt->at_ns ? &input->part : NULL, input->name);
	rsp_snapshot_free(snap);
	return r < 0 ? fail_add(r, input, opt) : RSP_EXIT_OK;
}

static int report(struct rsp_diff *d)
{
	int r = rsp_diff_compare(d);

	if (r < 0)
		return rsp_fail(r, "cannot compare the recordings: %m");
	r = rsp_diff_report(d, stdout);
	if (r < 0)
		return rsp_fail(r, "cannot write the report: %m");
	r = rsp_output_flush();
	return r ? r : rsp_diff_is_lossy(d) ? RSP_EXIT_LOSSY : RSP_EXIT_OK;
}

static int compare(void *userdata)
{
	const struct comparing *x = userdata;
	struct rsp_diff *d = NULL;
	int r = rsp_diff_new(&x->how, x->in->side_cnt, &d);

	if (r < 0)
		return rsp_fail(r, "cannot compare the recordings: %m");
	for (size_t i = 0; i < x->in->cnt && !r; i++)
		r = add(d, &x->in->v[i], x->opt);
	if (!r)
		r = report(d);
	rsp_diff_free(d);
	return r;
}

static int isolate(const struct inputs *in, struct comparing *x)
{
	_cleanup_free_ int *more = calloc(in->cnt, sizeof(*more));

	if (!more)
		return rsp_fail(-ENOMEM, "cannot compare the recordings: %m");
	for (size_t i = 1; i < in->cnt; i++)
		more[i - 1] = in->v[i].fd;
	return rsp_isolated(&(struct rsp_isolated){
		.work = compare,
		.userdata = x,
		.name = "the recordings",
		.input = in->v[0].fd,
		.output = -1,
		.more = more,
		.more_cnt = in->cnt - 1,
	});
}

int rsp_verb_diff(const struct rsp_options *opt)
{
	_cleanup_(inputs_done) struct inputs in = {0};
	struct comparing x = {
		.in = &in,
		.opt = opt,
		.how =
			{
				.pid = (__u32)opt->pid,
				.comm = opt->comm,
				.basis = opt->basis,
				.json = opt->json != RSP_JSON_OFF,
				.pretty = opt->json == RSP_JSON_PRETTY,
				.colour = rsp_output_wants_colour(),
				.width = rsp_output_width(),
				.row_max = opt->chain_max,
			},
	};
	int r;

	if (opt->unit || opt->cgroup || opt->port) {
		rsp_fail(0, "choose the process of saved snapshots with --pid or --comm");
		return RSP_EXIT_USAGE;
	}
	r = add_all(&in, opt);
	return r ? r : isolate(&in, &x);
}
