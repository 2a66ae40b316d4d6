/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds the figures of a span of a recording to the comparison: times by category, cause, chain and
 * function, and latencies of requests.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/diff/diff-parts.h"
#include "lib/profile/function-list.h"
#include "lib/report/frame-rules.h"
#include "lib/report/report-words.h"
#include "lib/snapshot/decode.h"

static void free_explanation(struct rsp_explanation **e)
{
	rsp_explanation_free(*e);
}

/*
 * In the tables of sums and of categories, a wait for a CPU counts as caused by the machine,
 * whichever program had the CPU.
 */
static bool is_queue(int category)
{
	return category == RSP_CAT_RUNQUEUE || category == RSP_CAT_PREEMPTED;
}

static int put(struct rsp_diff *d, enum rsp_diff_table table, int category, const char *name,
	       __u64 ns)
{
	return ns ? rsp_diff_put(d, &(struct rsp_diff_figure){.table = table,
							      .category = category,
							      .key = name,
							      .name = name,
							      .value = (double)ns,
							      .is_machine = is_queue(category)})
		  : 0;
}

/* --- the explanation -------------------------------------------------------------------------- */

static int put_sums(struct rsp_diff *d, const struct rsp_explanation *e)
{
	__u64 queue_ns = e->cat_ns[RSP_CAT_RUNQUEUE] + e->cat_ns[RSP_CAT_PREEMPTED];
	int r = put(d, RSP_DIFF_SUM, -1, RSP_DIFF_ELAPSED, e->clock_ns);

	if (r == 0)
		r = put(d, RSP_DIFF_SUM, -1, "time of its threads", e->total_ns);
	if (r == 0)
		r = put(d, RSP_DIFF_SUM, -1, RSP_DIFF_OWN, e->total_ns - queue_ns);
	return r < 0 ? r : put(d, RSP_DIFF_SUM, RSP_CAT_RUNQUEUE, RSP_DIFF_QUEUE, queue_ns);
}

static int put_categories(struct rsp_diff *d, const struct rsp_explanation *e)
{
	int r = 0;

	for (int cat = 0; cat < RSP_CAT_MAX && r == 0; cat++) {
		int merged = rsp_diff_category((enum rsp_category)cat);
		const struct rsp_words *words = rsp_category_words(merged);

		r = put(d, RSP_DIFF_CATEGORY, merged,
			merged == RSP_CAT_RUNNING_SAMPLED ? "running" : words->name,
			e->cat_ns[cat]);
	}
	return r;
}

typedef char *(*name_fn)(const struct rsp_chain *chain, bool key);

static int put_chain(struct rsp_diff *d, enum rsp_diff_table table, const struct rsp_chain *chain,
		     name_fn name_of, __u32 pool)
{
	_cleanup_free_ char *key = name_of(chain, true), *name = name_of(chain, false);

	if (!key || !name)
		return -ENOMEM;
	return rsp_diff_put(
		d, &(struct rsp_diff_figure){
			   .table = table,
			   .category = rsp_diff_category(chain->hops[chain->hop_cnt - 1].category),
			   .key = key,
			   .name = name,
			   .value = (double)chain->ns,
			   .is_machine = rsp_diff_is_machine(chain),
			   .pool = pool,
			   .is_unknown = pool && !rsp_diff_has_function(chain),
		   });
}

/* A sample may belong to several chains of a pool, but counts once. */
static int count_samples(struct rsp_diff *d, const struct rsp_chain *chain, __u32 pool,
			 struct rsp_idmap *seen)
{
	int r = 0;

	for (size_t i = 0; i < chain->sample_cnt && r == 0; i++) {
		__u64 key = (__u64)pool << 32 | chain->samples[i];

		if (rsp_idmap_get(seen, key, &(uint64_t){0}))
			continue;
		rsp_diff_pool_add(d, pool, 0, 0, 1);
		r = rsp_idmap_put(seen, key, 1);
	}
	return r;
}

/*
 * If the chain ends in computing, sets *ret to the number of its pool. Adds samples only if its
 * function is known.
 */
static int pool_of(struct rsp_diff *d, const struct rsp_chain *chain, struct rsp_idmap *seen,
		   __u32 *ret)
{
	_cleanup_free_ char *name = NULL;
	double ns = (double)chain->ns;
	bool known;
	int r;

	*ret = 0;
	if (!rsp_diff_is_computing(chain))
		return 0;
	name = rsp_diff_pool_name(chain, true);
	r = name ? rsp_diff_pool(d, name, ret) : -ENOMEM;
	if (r < 0)
		return r;
	known = rsp_diff_has_function(chain);
	rsp_diff_pool_add(d, *ret, known ? ns : 0, known ? 0 : ns, 0);
	return known ? count_samples(d, chain, *ret, seen) : 0;
}

static int put_cause(struct rsp_diff *d, const struct rsp_chain *chain, struct rsp_idmap *seen)
{
	__u32 pool;
	int r = pool_of(d, chain, seen, &pool);

	return r < 0 ? r : put_chain(d, RSP_DIFF_CAUSE, chain, rsp_diff_cause_name, pool);
}

static int put_chains(struct rsp_diff *d, const struct rsp_explanation *e)
{
	_cleanup_(rsp_idmap_done) struct rsp_idmap seen = {0};
	int r = 0;

	for (size_t i = 0; i < e->chain_cnt && r == 0; i++) {
		r = put_cause(d, &e->chains[i], &seen);
		if (r == 0)
			r = put_chain(d, RSP_DIFF_CHAIN, &e->chains[i], rsp_diff_chain_name, 0);
	}
	return r;
}

/* --- functions -------------------------------------------------------------------------------- */

/*
 * Name of the pool of all functions that ran on CPUs. The other pools belong to causes, and their
 * names are never empty.
 */
#define FUNCTIONS_POOL ""

static int rank_of(const struct rsp_function_list *f, __u32 i, enum rsp_diff_table self)
{
	struct rsp_frame frame = {
		.symbol = rsp_function_name(f, i),
		.module = rsp_function_module(f, i),
		.kernel = f->list.v[i].ink == RSP_PROFILE_KERNEL,
	};

	if (f->list.v[i].ink != RSP_PROFILE_KERNEL && f->list.v[i].ink != RSP_PROFILE_USER)
		return RSP_FRAME_PLUMBING;
	if (self == RSP_DIFF_ONCPU_SELF)
		return (int)rsp_frame_rank(&frame, RSP_FRAME_OF_RUN);
	return frame.kernel ? RSP_FRAME_PLUMBING : (int)rsp_frame_rank(&frame, RSP_FRAME_OF_WAIT);
}

/* The names of entries that are no functions may contain numbers that differ between recordings. */
static bool is_object(const struct rsp_function *function)
{
	return function->ink != RSP_PROFILE_KERNEL && function->ink != RSP_PROFILE_USER;
}

static int put_weight(struct rsp_diff *d, const struct rsp_diff_figure *function,
		      enum rsp_diff_table table, __u64 ns)
{
	struct rsp_diff_figure figure = *function;

	figure.table = table;
	figure.category = -1;
	figure.value = (double)ns;
	return ns ? rsp_diff_put(d, &figure) : 0;
}

static char *name_function(const struct rsp_function_list *f, __u32 i)
{
	const char *name = rsp_function_name(f, i), *module = rsp_function_module(f, i);
	char *text;

	if (!*module || strstr(name, "(no symbols)"))
		return strdup(name);
	return asprintf(&text, "%s (%s)", name, module) < 0 ? NULL : text;
}

static int put_function(struct rsp_diff *d, const struct rsp_function_list *f, __u32 i,
			enum rsp_diff_table self, __u32 pool)
{
	const struct rsp_function *function = &f->list.v[i];
	_cleanup_free_ char *name = name_function(f, i), *key = NULL;
	struct rsp_diff_figure figure = {
		.name = name,
		.rank = rank_of(f, i, self),
		.pool = pool,
		.is_unknown = pool && function->ink == RSP_PROFILE_NOTE,
	};
	int r;

	if (name)
		key = is_object(function) ? rsp_diff_key_of(name) : strdup(name);
	if (!key)
		return -ENOMEM;
	figure.key = key;
	if (figure.is_unknown)
		rsp_diff_pool_add(d, pool, 0, (double)function->self, 0);
	else if (pool)
		rsp_diff_pool_add(d, pool, (double)function->self, 0, (double)function->self_cnt);
	r = put_weight(d, &figure, self, function->self);
	return r < 0 ? r : put_weight(d, &figure, self + 1, function->total);
}

static int put_functions(struct rsp_diff *d, const struct rsp_model *m,
			 const struct rsp_diff_recording *recording, enum rsp_profile_kind kind,
			 enum rsp_diff_table self)
{
	struct rsp_profile_options opt = {
		.kind = kind,
		.tgid = recording->pid,
		.descendants = recording->has_descendants,
		.only_samples = true,
	};
	struct rsp_profile profile;
	struct rsp_function_list functions = {0};
	__u32 pool = 0;
	int r = rsp_profile_make(m, &opt, &profile);

	if (r < 0)
		return r;
	r = rsp_function_list_make(&profile, &functions);
	if (r == 0 && kind == RSP_PROFILE_ONCPU)
		r = rsp_diff_pool(d, FUNCTIONS_POOL, &pool);
	for (__u32 i = 0; i < functions.list.cnt && r == 0; i++)
		r = put_function(d, &functions, i, self, pool);
	rsp_function_list_done(&functions);
	rsp_profile_done(&profile);
	return r;
}

/* --- requests --------------------------------------------------------------------------------- */

/* Minimum number of requests of a server. With fewer requests, percentiles are too imprecise. */
#define REQUESTS_MIN 20

static int put_request(struct rsp_diff *d, const char *server, const char *what, double value,
		       bool is_rate)
{
	_cleanup_free_ char *name = NULL;

	if (asprintf(&name, "%s: %s", server, what) < 0) {
		name = NULL;
		return -ENOMEM;
	}
	return rsp_diff_put(d, &(struct rsp_diff_figure){.table = RSP_DIFF_REQUEST,
							 .category = -1,
							 .key = name,
							 .name = name,
							 .value = value,
							 .is_rate = is_rate,
							 .is_latency = !is_rate});
}

struct server {
	char name[RSP_NAME_MAX + 64]; /* like "redis-server at port 6379" */
	const struct rsp_request_row *row;
};

static void name_server(const struct rsp_request_row *row, struct server *ret)
{
	char path[RSP_NAME_MAX];

	ret->row = row;
	if (row->path)
		snprintf(ret->name, sizeof(ret->name), "%s at %s", row->comm,
			 rsp_object_name(row->path, path, sizeof(path)));
	else
		snprintf(ret->name, sizeof(ret->name), "%s at port %u", row->comm, row->port);
}

static int compare_names(const void *pa, const void *pb)
{
	const struct server *a = pa, *b = pb;

	return strcmp(a->name, b->name);
}

static int compare_times(const void *pa, const void *pb, void *userdata)
{
	const struct rsp_exchange *x = userdata;
	__u64 a = rsp_served_ns(&x->v[*(const __u32 *)pa]);
	__u64 b = rsp_served_ns(&x->v[*(const __u32 *)pb]);

	return a < b ? -1 : a > b;
}

static int put_row(struct rsp_diff *d, const struct rsp_exchange *x, const char *server,
		   const struct rsp_request_row *row)
{
	static const struct {
		const char *what;
		__u32 ppm;
	} quantiles[] = {{"p50", 500000}, {"p90", 900000}, {"p99", 990000}};
	double sum = 0;
	int r;

	for (size_t i = 0; i < row->cnt; i++)
		sum += (double)rsp_served_ns(&x->v[row->order[i]]);
	r = put_request(d, server, "mean", sum / (double)row->cnt, false);
	for (size_t i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]) && r == 0; i++)
		r = put_request(d, server, quantiles[i].what,
				(double)rsp_requests_quantile_ns(x, row, quantiles[i].ppm), false);
	return r < 0 ? r : put_request(d, server, "requests", (double)row->cnt, true);
}

/*
 * A row contains the processes of one container, but the name of a container changes when the
 * container is replaced.
 */
static int put_servers(struct rsp_diff *d, const struct rsp_exchange *x,
		       const struct server *servers, size_t cnt)
{
	_cleanup_free_ __u32 *order = NULL;
	struct rsp_request_row all = *servers->row;
	size_t at = 0;

	for (size_t i = 1; i < cnt; i++)
		all.cnt += servers[i].row->cnt;
	if (all.cnt < REQUESTS_MIN)
		return 0;
	order = calloc(all.cnt, sizeof(*order));
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < cnt; at += servers[i++].row->cnt)
		memcpy(order + at, servers[i].row->order, servers[i].row->cnt * sizeof(*order));
	qsort_r(order, all.cnt, sizeof(*order), compare_times, (void *)x);
	all.order = order;
	return put_row(d, x, servers->name, &all);
}

static int put_requests(struct rsp_diff *d, const struct rsp_exchange *served)
{
	size_t cnt = 0, end;
	_cleanup_free_ struct server *servers = calloc(served->rows.cnt + 1, sizeof(*servers));
	int r = servers ? 0 : -ENOMEM;

	for (size_t i = 0; i < served->rows.cnt && r == 0; i++)
		if (served->rows.v[i].cnt)
			name_server(&served->rows.v[i], &servers[cnt++]);
	if (r == 0)
		qsort(servers, cnt, sizeof(*servers), compare_names);
	for (size_t i = 0; i < cnt && r == 0; i = end) {
		for (end = i + 1; end < cnt && !compare_names(&servers[i], &servers[end]);)
			end++;
		r = put_servers(d, served, &servers[i], end - i);
	}
	return r;
}

/* ---------------------------------------------------------------------------------------------- */

static int put_all(struct rsp_diff *d, const struct rsp_model *m, const struct rsp_explanation *e,
		   const struct rsp_diff_recording *recording)
{
	int r = put_sums(d, e);

	if (r == 0)
		r = put_categories(d, e);
	if (r == 0)
		r = put_chains(d, e);
	if (r == 0)
		r = put_functions(d, m, recording, RSP_PROFILE_ONCPU, RSP_DIFF_ONCPU_SELF);
	if (r == 0)
		r = put_functions(d, m, recording, RSP_PROFILE_OFFCPU, RSP_DIFF_OFFCPU_SELF);
	return r < 0 ? r : put_requests(d, &m->requests->served);
}

int rsp_diff_measure(struct rsp_diff *d, struct rsp_model *m, struct rsp_diff_recording *recording)
{
	_cleanup_(free_explanation) struct rsp_explanation *e = NULL;
	int r = rsp_model_keep_requests(m);

	if (r == 0)
		r = rsp_explain_model_chains(m, &e);
	if (r < 0)
		return r;
	recording->clock_ns = e->clock_ns;
	recording->request_cnt = e->requests.cnt;
	recording->lost_cnt = e->lost_cnt;
	memcpy(recording->comm, e->comm, sizeof(recording->comm));
	return put_all(d, m, e, recording);
}

/* --- finding a process by name ---------------------------------------------------------------- */

static __u64 run_ns(const struct rsp_model *m, const struct rsp_thread *t)
{
	__u64 ns = 0;

	for (size_t i = 0; i < t->spans.cnt; i++) {
		__u64 from_ns = t->spans.v[i].from_ns, to_ns = rsp_span_end(t, i);

		if (t->spans.v[i].kind != RSP_SPAN_RUN)
			continue;
		from_ns = from_ns > m->since_ns ? from_ns : m->since_ns;
		to_ns = to_ns < m->until_ns ? to_ns : m->until_ns;
		ns += to_ns > from_ns ? to_ns - from_ns : 0;
	}
	return ns;
}

static int sum_runs(const struct rsp_model *m, const char *comm, struct rsp_idmap *ns_of)
{
	int r = 0;

	for (size_t i = 0; i < m->threads.cnt && r == 0; i++) {
		const struct rsp_thread *t = &m->threads.v[i];
		const struct rsp_ev_task *task = rsp_thread_task(m, t, m->until_ns);
		const struct rsp_ev_task *leader;
		uint64_t ns = 0;

		leader = task ? rsp_trace_task(m->trace, task->tgid, m->until_ns) : NULL;
		if (!leader || strncmp(leader->comm, comm, sizeof(leader->comm)) != 0)
			continue;
		rsp_idmap_get(ns_of, task->tgid, &ns);
		r = rsp_idmap_put(ns_of, task->tgid, ns + run_ns(m, t));
	}
	return r;
}

int rsp_diff_find_process(const struct rsp_model *m, const char *comm, __u32 *ret)
{
	_cleanup_(rsp_idmap_done) struct rsp_idmap ns_of = {0};
	uint64_t pid, ns, most_ns = 0;
	size_t pos = 0;
	int r = sum_runs(m, comm, &ns_of);

	if (r < 0)
		return r;
	*ret = 0;
	while (rsp_idmap_next(&ns_of, &pos, &pid, &ns)) {
		if (*ret && (ns < most_ns || (ns == most_ns && pid > *ret)))
			continue;
		*ret = (__u32)pid;
		most_ns = ns;
	}
	return 0;
}
