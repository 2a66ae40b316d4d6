/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl diff BEFORE AFTER: shows the changes from one recording to another, or from several to
 * several. A side is a list with commas, or "--" separates the sides. With --at, the sides are two
 * parts of one recording.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cli/fresh.h"
#include "cli/isolated.h"
#include "cli/opened.h"
#include "cli/options-parts.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/stored.h"
#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/diff/diff-profile.h"
#include "lib/flame/flame.h"

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

/* Adds the recordings of a list like "A1,A2". */
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

/* --- in the unprivileged process -------------------------------------------------------------- */

struct comparing {
	const struct inputs *in;
	const struct rsp_options *opt;
	struct rsp_diff_options how;
	enum form {
		FORM_REPORT, /* text or JSON */
		FORM_FOLDED,
		FORM_SVG,
		FORM_PAGE,
	} form;
	FILE *out;
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

static int write_folded(const struct rsp_diff *d, FILE *out)
{
	_cleanup_(rsp_diff_profile_done) struct rsp_diff_profile p = {0};
	int r = rsp_diff_profile_make(d, &p);

	return r < 0 ? r : rsp_flame_folded_sides(&p.after, p.before, out);
}

static int write_result(const struct rsp_diff *d, const struct comparing *x)
{
	switch (x->form) {
	case FORM_FOLDED:
		return write_folded(d, x->out);
	case FORM_SVG:
		return rsp_diff_svg(d, false, x->out);
	case FORM_PAGE:
		return rsp_diff_page(d, x->out);
	default:
		return rsp_diff_report(d, x->out);
	}
}

static const char *noun_of(enum form form)
{
	return form == FORM_REPORT ? "report" : form == FORM_PAGE ? "page" : "graph";
}

static int report(struct rsp_diff *d, const struct comparing *x)
{
	int r = rsp_diff_compare(d);

	if (r < 0)
		return rsp_fail(r, "cannot compare the recordings: %m");
	r = write_result(d, x);
	if (r == 0 && fflush(x->out) != 0)
		r = -errno;
	if (r < 0)
		return rsp_fail(r, "cannot write the %s: %m", noun_of(x->form));
	return rsp_diff_is_lossy(d) ? RSP_EXIT_LOSSY : RSP_EXIT_OK;
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
		r = report(d, x);
	rsp_diff_free(d);
	return r;
}

/* Compares the recordings in an unprivileged process. output is a memfd, or -1 for stdout. */
static int isolate(const struct inputs *in, struct comparing *x, int output)
{
	_cleanup_free_ int *more = calloc(in->cnt, sizeof(*more));

	if (!more)
		return rsp_fail(-ENOMEM, "cannot compare the recordings: %m");
	for (size_t i = 1; i < in->cnt; i++)
		more[i - 1] = in->v[i].fd;
	return rsp_paged(x->opt, &(struct rsp_isolated){
					 .work = compare,
					 .userdata = x,
					 .name = "the recordings",
					 .input = in->v[0].fd,
					 .output = output,
					 .more = more,
					 .more_cnt = in->cnt - 1,
				 });
}

/* The process that writes may not open files, so it writes to a memfd. */
static int write_file(const struct inputs *in, struct comparing *x, const char *output)
{
	_cleanup_close_ int memory = memfd_create(noun_of(x->form), MFD_CLOEXEC);
	int r, saved;

	x->out = memory < 0 ? NULL : fdopen(memory, "w");
	if (!x->out)
		return rsp_fail(-errno, "cannot make room for the %s: %m", noun_of(x->form));
	r = isolate(in, x, memory);
	if (r == RSP_EXIT_OK || r == RSP_EXIT_LOSSY) {
		saved = rsp_fresh_save(memory, output);
		if (saved < 0)
			r = rsp_fail(saved, "cannot save the %s as %s: %m", noun_of(x->form),
				     output);
	}
	fclose(x->out);
	memory = -1;
	return r;
}

static int form_of(const char *name, enum form *ret)
{
	static const char *const names[] = {"", "folded", "svg", "html"};

	for (enum form form = FORM_FOLDED; form <= FORM_PAGE; form++)
		if (!strcmp(name, names[form])) {
			*ret = form;
			return 0;
		}
	return -EINVAL;
}

/* Without --format, the name of the output file decides. */
static int choose_form(const struct rsp_options *opt, enum form *ret)
{
	const char *dot = opt->output ? strrchr(opt->output, '.') : NULL;

	*ret = opt->output ? FORM_FOLDED : FORM_REPORT;
	if (!opt->format && dot)
		(void)form_of(dot + 1, ret);
	if (!opt->format || form_of(opt->format, ret) == 0)
		return 0;
	return rsp_misuse("'%s' is not a format of differences (folded, svg, html)", opt->format);
}

int rsp_verb_diff(const struct rsp_options *opt)
{
	_cleanup_(inputs_done) struct inputs in = {0};
	struct comparing x = {
		.in = &in,
		.opt = opt,
		.out = stdout,
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
	if (rsp_profile_words(opt->kind)->memory)
		return rsp_misuse("'diff' compares time (" RSP_PROFILE_TIME_NAMES "), not memory");
	r = choose_form(opt, &x.form);
	if (!r)
		r = add_all(&in, opt);
	if (r)
		return r;
	x.how.profiles = x.form != FORM_REPORT;
	/* Rows of both kinds lead to the graph of a page, so it has both unless one is chosen. */
	x.how.kind = x.form == FORM_PAGE && !opt->has_kind ? RSP_PROFILE_HOTCOLD : opt->kind;
	return opt->output ? write_file(&in, &x, opt->output) : isolate(&in, &x, -1);
}
