/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl diff BEFORE AFTER: shows the changes between two sides. A side is one recording, or a list
 * of recordings, separated by commas. "--" can separate the sides, too. RECORDING@FROM..TO is a
 * span of a recording (moment.h). With --at, the sides are two spans of one recording.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/document.h"
#include "cli/isolated.h"
#include "cli/moment.h"
#include "cli/opened.h"
#include "cli/options-parts.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cli/stored.h"
#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/diff/diff-profile.h"
#include "lib/flame/flame.h"

struct input {
	char *name; /* name of the recording in messages; includes FROM and TO if given */
	int fd;
	int side;
	char *span;	       /* copy of the argument; from and to point into it; NULL with --at */
	const char *from, *to; /* see rsp_stretch_find() */
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
		free(in->v[i].span);
	}
	free(in->v);
}

/* Does not split the name of an existing file. */
static int split(char *name, const char **ret_from, const char **ret_to)
{
	char *at = strrchr(name, '@'), *dots = at ? strstr(at, "..") : NULL;

	*ret_from = *ret_to = NULL;
	if (!at || access(name, F_OK) == 0)
		return RSP_EXIT_OK;
	if (!dots)
		return rsp_misuse("'%s': a span has a beginning and an end: "
				  "RECORDING@FROM..TO, RECORDING@FROM.. or RECORDING@..TO",
				  name);
	*at = *dots = '\0';
	*ret_from = at + 1;
	*ret_to = dots + 2;
	return RSP_EXIT_OK;
}

static int open_input(struct input *input, const struct rsp_options *opt, const char *name)
{
	_cleanup_free_ char *path = NULL;
	int r = rsp_stored_find(opt, name, true, &path);

	if (!r)
		r = rsp_stored_open(path, &input->fd);
	if (r)
		return r;
	if (asprintf(&input->name, input->from ? "%s@%s..%s" : "%s", path, input->from,
		     input->to) >= 0)
		return RSP_EXIT_OK;
	input->name = NULL;
	return rsp_fail(-ENOMEM, "cannot open %s: %m", name);
}

/* If from is not NULL, adds only the span between the moments from and to. */
static int add_span(struct inputs *in, const struct rsp_options *opt, const char *name, int side,
		    const char *from, const char *to)
{
	struct input *input = rsp_array_add(in);

	if (!input)
		return rsp_fail(-ENOMEM, "cannot open %s: %m", name);
	input->fd = -1;
	input->side = side;
	input->from = from;
	input->to = to;
	if (++in->side_cnt[side] > RSP_DIFF_RECORDINGS_MAX)
		return rsp_misuse("no more than %d recordings a side", RSP_DIFF_RECORDINGS_MAX);
	return open_input(input, opt, name);
}

static int add_input(struct inputs *in, const struct rsp_options *opt, const char *name, int side)
{
	char *span = strdup(name);
	const char *from, *to;
	int r = span ? split(span, &from, &to) : rsp_fail(-ENOMEM, "cannot open %s: %m", name);

	if (!r)
		r = add_span(in, opt, span, side, from, to);
	if (!r)
		in->v[in->cnt - 1].span = span;
	else
		free(span);
	return r;
}

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
	int r;

	if (opt->arg_cnt != 1)
		return rsp_misuse("--at compares two parts of one recording");
	r = add_span(in, opt, opt->args[0], 0, "", opt->at);
	return r ? r : add_span(in, opt, opt->args[0], 1, opt->at, "");
}

static int add_all(struct inputs *in, const struct rsp_options *opt)
{
	int r = 0;

	if (opt->at)
		return add_parts(in, opt);
	if (opt->before_cnt && opt->before_cnt < opt->arg_cnt) {
		for (int i = 0; i < opt->arg_cnt && !r; i++)
			r = add_input(in, opt, opt->args[i], i >= opt->before_cnt);
		return r;
	}
	if (opt->arg_cnt != 2)
		return rsp_misuse("which recordings are before, which after? 'rspctl diff A1,A2 "
				  "B1,B2', 'rspctl diff A1 A2 -- B1 B2', 'rspctl diff A@..5s "
				  "A@5s..', or one recording and --at");
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
	if (error == -ERANGE)
		return rsp_fail(0, "%s is empty: it has no time", input->name);
	return rsp_opened_fail("compare", error, input->name);
}

static int add(struct rsp_diff *d, const struct input *input, const struct rsp_options *opt)
{
	_cleanup_(rsp_opened_done) struct rsp_opened opened = {0};
	struct rsp_stretch span = {0};
	int r = rsp_opened_read(input->fd, input->name, opt, RSP_SNAPSHOT_RECENT_BYTES, &opened);

	if (!r && input->from)
		r = rsp_stretch_find(opened.trace, input->from, input->to, input->name, &span);
	if (r)
		return r;
	r = rsp_diff_add(d, &(struct rsp_diff_input){
				    .side = input->side,
				    .snap = opened.snap,
				    .trace = opened.trace,
				    .since_ns = span.from_ns,
				    .until_ns = span.to_ns,
				    .name = input->name,
			    });
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
	if (x->out == stdout)
		rsp_progress_hide();
	if (rsp_diff_is_of_two(d))
		rsp_warn("note: the two sides are about processes with different names: choose one "
			 "with --comm or --pid");
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

/* If output is NULL, writes to the standard output. */
static int isolate(const struct inputs *in, struct comparing *x, const char *output)
{
	_cleanup_free_ int *more = calloc(in->cnt, sizeof(*more));
	struct rsp_isolated job = {
		.work = compare,
		.userdata = x,
		.name = "the recordings",
		.input = in->v[0].fd,
		.output = -1,
		.more = more,
		.more_cnt = in->cnt - 1,
	};

	if (!more)
		return rsp_fail(-ENOMEM, "cannot compare the recordings: %m");
	for (size_t i = 1; i < in->cnt; i++)
		more[i - 1] = in->v[i].fd;
	return output ? rsp_document_save(&job, &x->out, noun_of(x->form), output)
		      : rsp_paged(x->opt, &job);
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

/* Chooses the format by --format, or else by the suffix of the output file. */
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

	if (opt->unit || opt->cgroup || opt->port)
		return rsp_misuse("choose the process of saved snapshots with --pid, "
				  "--container or --comm");
	if (rsp_profile_words(opt->kind)->memory)
		return rsp_misuse("'diff' compares time (" RSP_PROFILE_TIME_NAMES "), not memory");
	r = choose_form(opt, &x.form);
	if (!r)
		r = add_all(&in, opt);
	if (r)
		return r;
	x.how.profiles = x.form != FORM_REPORT;
	/*
	 * A page has rows about CPU time and rows about waits, which link to the page's flame
	 * graph. The graph therefore contains both kinds of time, unless --kind chooses one.
	 */
	x.how.kind = x.form == FORM_PAGE && !opt->has_kind ? RSP_PROFILE_HOTCOLD : opt->kind;
	return isolate(&in, &x, opt->output);
}
