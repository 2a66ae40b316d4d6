/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the control paths of the process (docs/model.md). */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/cleanup.h"
#include "lib/report/report-frames.h"
#include "lib/report/report-grid.h"
#include "lib/report/report-pen.h"
#include "lib/report/report-words.h"

#define PATHS_MAX    15
#define STACKS_MAX   30
#define HANDOFFS_MAX 10

/* --- all paths together --------------------------------------------------------------------- */

static void put_title(const struct rsp_pen *pen)
{
	const struct rsp_path_profile *p = &pen->e->paths;
	char total[RSP_FORMAT_MAX], wall[RSP_FORMAT_MAX];

	fputc('\n', pen->out);
	rsp_pen_say(pen, "",
		    "Control paths: %zu, together %s in %s of wall time, by %u thread%s; %.1f %% "
		    "accounted for",
		    p->cnt, rsp_format_ns(p->total_ns, total, sizeof(total)),
		    rsp_format_ns(pen->e->wall_ns, wall, sizeof(wall)), p->thread_cnt,
		    p->thread_cnt == 1 ? "" : "s", rsp_accounted_pct(p->cat_ns, p->total_ns));
}

static int put_categories(const struct rsp_pen *pen)
{
	static const struct rsp_grid_column columns[] = {
		{"all paths", RSP_GRID_NUMBER, false},
		{"share", RSP_GRID_NUMBER, false},
		{"own threads", RSP_GRID_NUMBER, false},
		{"", RSP_GRID_WORD, false},
		{},
	};
	const struct rsp_explanation *e = pen->e;
	_cleanup_(rsp_grid_done) struct rsp_grid g = {0};
	char share[RSP_FORMAT_MAX];

	rsp_grid_init(&g, columns);
	for (int cat = 0; cat < RSP_CAT_MAX; cat++) {
		__u64 ns = e->paths.cat_ns[cat];

		if (!ns && !e->cat_ns[cat])
			continue;
		rsp_grid_add_ns(&g, ns);
		rsp_grid_add(&g, "%s",
			     rsp_format_share(ns, e->paths.total_ns, share, sizeof(share)));
		rsp_grid_add_ns(&g, e->cat_ns[cat]);
		rsp_grid_add(&g, "%s", rsp_category_words(cat)->name);
	}
	return rsp_grid_print(&g, pen);
}

/* --- each path ------------------------------------------------------------------------------ */

static __u64 running_ns(const struct rsp_control_path *path)
{
	return path->cat_ns[RSP_CAT_RUNNING_SAMPLED] + path->cat_ns[RSP_CAT_RUNNING_UNSAMPLED];
}

static const char *mostly(const struct rsp_control_path *path)
{
	int most = 0;

	for (int cat = 1; cat < RSP_CAT_MAX; cat++)
		if (path->cat_ns[cat] > path->cat_ns[most])
			most = cat;
	return rsp_category_words(most)->activity;
}

static int put_paths(const struct rsp_pen *pen)
{
	static const struct rsp_grid_column columns[] = {
		{"path", RSP_GRID_NUMBER, false},    {"length", RSP_GRID_NUMBER, false},
		{"running", RSP_GRID_NUMBER, false}, {"awaited", RSP_GRID_NUMBER, false},
		{"begins", RSP_GRID_NUMBER, true},   {"ends", RSP_GRID_NUMBER, true},
		{"times", RSP_GRID_NUMBER, true},    {"of", RSP_GRID_NAME, false},
		{"mostly", RSP_GRID_WORD, true},     {},
	};
	const struct rsp_path_profile *p = &pen->e->paths;
	__u64 since_ns = pen->e->meta->since_ns;
	size_t cnt = p->cnt < PATHS_MAX ? p->cnt : PATHS_MAX;
	_cleanup_(rsp_grid_done) struct rsp_grid g = {0};
	char task[RSP_PEN_TASK_BYTES];

	rsp_grid_init(&g, columns);
	for (size_t i = 0; i < cnt; i++) {
		const struct rsp_control_path *path = &p->v[i];

		rsp_grid_add(&g, "%zu", i);
		rsp_grid_add_ns(&g, path->ns);
		rsp_grid_add_ns(&g, running_ns(path));
		rsp_grid_add_ns(&g, path->awaited_ns);
		rsp_grid_add_ns(&g, path->from_ns > since_ns ? path->from_ns - since_ns : 0);
		rsp_grid_add_ns(&g, path->to_ns > since_ns ? path->to_ns - since_ns : 0);
		rsp_grid_add_cnt(&g, path->stretch_cnt);
		rsp_pen_task(path->comm, path->tgid, path->tid, task, sizeof(task));
		rsp_grid_add(&g, "%s%s", task, path->is_root ? " *" : "");
		rsp_grid_add(&g, "%s", mostly(path));
	}
	fprintf(pen->out, "\nThe longest paths (%zu of %zu; * of the process itself)\n", cnt,
		p->cnt);
	return rsp_grid_print(&g, pen);
}

/* --- pseudo-stacks -------------------------------------------------------------------------- */

static int compare_length(const void *pa, const void *pb)
{
	const struct rsp_pseudo_stack *a = *(const struct rsp_pseudo_stack *const *)pa;
	const struct rsp_pseudo_stack *b = *(const struct rsp_pseudo_stack *const *)pb;
	__u64 a_ns = a->to_ns - a->from_ns, b_ns = b->to_ns - b->from_ns;

	if (a_ns != b_ns)
		return a_ns > b_ns ? -1 : 1;
	return a < b ? -1 : a > b;
}

static int compare_place(const void *pa, const void *pb)
{
	const struct rsp_pseudo_stack *a = *(const struct rsp_pseudo_stack *const *)pa;
	const struct rsp_pseudo_stack *b = *(const struct rsp_pseudo_stack *const *)pb;

	return a < b ? -1 : a > b;
}

static const char *activity(const struct rsp_hop *leaf)
{
	if (leaf->category == RSP_CAT_OTHER_PATH)
		return "waiting on another path";
	return rsp_category_words(rsp_words_of_leaf(leaf))->activity;
}

static void put_leaf(FILE *f, const struct rsp_hop *leaf)
{
	bool runs = leaf->category == RSP_CAT_RUNNING_SAMPLED ||
		    leaf->category == RSP_CAT_RUNNING_UNSAMPLED;
	const struct rsp_frame *frame;

	fprintf(f, "%s %s", leaf->comm, activity(leaf));
	if (runs && rsp_frames_select(leaf, &frame, 1))
		fprintf(f, " in %s", rsp_frame_text(frame));
	else if (*leaf->object)
		fprintf(f, "%s%s", rsp_category_words(rsp_words_of_leaf(leaf))->object,
			leaf->object);
}

/* The caller frees the text. NULL: out of memory. */
static char *describe(const struct rsp_chain *chain)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	for (size_t i = 0; i < chain->hop_cnt; i++) {
		const struct rsp_hop *hop = &chain->hops[i];

		if (hop->kind == RSP_HOP_BLOCKED)
			fprintf(f, "%s %s > ", hop->comm,
				*hop->syscall ? hop->syscall : hop->object);
		else
			put_leaf(f, hop);
	}
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

static int add_stacks(struct rsp_grid *g, const struct rsp_pen *pen,
		      const struct rsp_pseudo_stack *const *v, size_t cnt)
{
	const struct rsp_path_profile *p = &pen->e->paths;

	for (size_t i = 0; i < cnt; i++) {
		_cleanup_free_ char *text = describe(&p->chains[v[i]->chain]);

		if (!text)
			return -ENOMEM;
		rsp_grid_add(g, "%u", v[i]->path);
		rsp_grid_add_ns(g, v[i]->from_ns - pen->e->meta->since_ns);
		rsp_grid_add_ns(g, v[i]->to_ns - v[i]->from_ns);
		rsp_grid_add(g, "%s", text);
	}
	return 0;
}

static int put_stacks(const struct rsp_pen *pen)
{
	static const struct rsp_grid_column columns[] = {
		{"path", RSP_GRID_NUMBER, false},
		{"at", RSP_GRID_NUMBER, false},
		{"for", RSP_GRID_NUMBER, false},
		{"pseudo-stack", RSP_GRID_TEXT, false},
		{},
	};
	const struct rsp_path_profile *p = &pen->e->paths;
	size_t cnt = p->stack_cnt < STACKS_MAX ? p->stack_cnt : STACKS_MAX;
	_cleanup_free_ const struct rsp_pseudo_stack **v = calloc(p->stack_cnt + 1, sizeof(*v));
	_cleanup_(rsp_grid_done) struct rsp_grid g = {0};
	int r;

	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < p->stack_cnt; i++)
		v[i] = &p->stacks[i];
	qsort(v, p->stack_cnt, sizeof(*v), compare_length);
	qsort(v, cnt, sizeof(*v), compare_place);
	rsp_grid_init(&g, columns);
	r = add_stacks(&g, pen, v, cnt);
	if (r < 0)
		return r;
	fprintf(pen->out, "\nThe longest pieces, in order of path and time (%zu of %zu)\n", cnt,
		p->stack_cnt);
	return rsp_grid_print(&g, pen);
}

/* --- handed off ----------------------------------------------------------------------------- */

static int put_handoffs(const struct rsp_pen *pen)
{
	static const struct rsp_grid_column columns[] = {
		{"time", RSP_GRID_NUMBER, false},
		{"times", RSP_GRID_NUMBER, false},
		{"by", RSP_GRID_NAME, false},
		{},
	};
	const struct rsp_path_profile *p = &pen->e->paths;
	size_t cnt = p->handoff_cnt < HANDOFFS_MAX ? p->handoff_cnt : HANDOFFS_MAX;
	_cleanup_(rsp_grid_done) struct rsp_grid g = {0};
	char task[RSP_PEN_TASK_BYTES];

	if (!cnt)
		return 0;
	rsp_grid_init(&g, columns);
	for (size_t i = 0; i < cnt; i++) {
		const struct rsp_handoff *handoff = &p->handoffs[i];

		rsp_grid_add_ns(&g, handoff->ns);
		rsp_grid_add_cnt(&g, handoff->count);
		rsp_pen_task(handoff->comm, handoff->tgid, handoff->tid, task, sizeof(task));
		rsp_grid_add(&g, "%s", task);
	}
	fprintf(pen->out, "\nHanded off, and not waited for (%zu of %zu)\n", cnt, p->handoff_cnt);
	return rsp_grid_print(&g, pen);
}

int rsp_put_paths(const struct rsp_pen *pen)
{
	int r;

	put_title(pen);
	fputc('\n', pen->out);
	r = put_categories(pen);
	if (r == 0)
		r = put_paths(pen);
	if (r == 0)
		r = put_stacks(pen);
	if (r == 0)
		r = put_handoffs(pen);
	return r;
}
