/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See live-parts.h. Counts samples by function. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/live/live-parts.h"

/* --- names ------------------------------------------------------------------------------------ */

static int intern_name(struct rsp_live *live, __u64 frame, __u32 *ret)
{
	char buf[208], *module = buf + 160;
	size_t len;

	memset(buf, 0, sizeof(buf));
	live->namer.name(frame, buf, 160, module, 48, live->namer.userdata);
	buf[159] = buf[sizeof(buf) - 1] = '\0';
	len = strlen(buf) + 1;
	memmove(buf + len, module, strlen(module) + 1);
	return rsp_intern_put(&live->names, buf, len + strlen(buf + len), ret);
}

int rsp_live_name_frame(struct rsp_live *live, __u64 frame, __u32 *ret)
{
	uint64_t known;
	int r;

	if (rsp_idmap_get(&live->name_of, frame, &known)) {
		*ret = (__u32)known;
		return 0;
	}
	/*
	 * This limit is higher than the limit for functions, because each function has many
	 * addresses.
	 */
	if (live->name_of.cnt >= 8 * RSP_LIVE_FUNCTIONS_MAX)
		rsp_idmap_done(&live->name_of);
	r = intern_name(live, frame, ret);
	return r < 0 ? r : rsp_idmap_put(&live->name_of, frame, *ret);
}

void rsp_live_name(const struct rsp_live *live, __u32 number, const char **ret_symbol,
		   const char **ret_module)
{
	*ret_symbol = rsp_intern_data(&live->names, number);
	*ret_module = *ret_symbol + strlen(*ret_symbol) + 1;
}

void rsp_live_forget_names(struct rsp_live *live)
{
	rsp_idmap_done(&live->name_of);
}

/* --- counts ----------------------------------------------------------------------------------- */

static void forget_counts(struct rsp_live *live)
{
	rsp_idmap_done(&live->count_of);
	live->counts.cnt = 0;
	live->total_sample_cnt = live->sample_cnt;
}

void rsp_live_reset(struct rsp_live *live)
{
	for (size_t i = 0; i < live->counts.cnt; i++)
		live->counts.v[i].total_cnt = live->counts.v[i].now_cnt;
	live->total_sample_cnt = live->sample_cnt;
}

int rsp_live_count(struct rsp_live *live, const struct rsp_ev_sample *sample)
{
	const struct rsp_live_frames *stack = rsp_live_stack(live, sample->kstack);
	const struct rsp_live_thread *t = rsp_live_thread(live, sample->tid);
	__u32 name, tgid = t ? live->processes.v[t->process].tgid : 0;
	struct rsp_live_count *count;
	uint64_t key, i;
	int r;

	if (!stack || !stack->cnt)
		stack = rsp_live_stack(live, sample->ustack);
	r = rsp_live_name_frame(live, stack && stack->cnt ? stack->frames[0] : 0, &name);
	if (r < 0)
		return r;
	live->sample_cnt++;
	live->total_sample_cnt++;
	key = (__u64)name << 32 | tgid;
	if (!rsp_idmap_get(&live->count_of, key, &i)) {
		if (live->counts.cnt >= RSP_LIVE_FUNCTIONS_MAX)
			forget_counts(live);
		count = rsp_array_add(&live->counts);
		if (!count)
			return -ENOMEM;
		*count = (struct rsp_live_count){.name = name, .tgid = tgid};
		i = live->counts.cnt - 1;
		r = rsp_idmap_put(&live->count_of, key, i);
	}
	live->counts.v[i].now_cnt++;
	live->counts.v[i].total_cnt++;
	return r;
}

/* --- rows ------------------------------------------------------------------------------------- */

static int compare_names(const void *pa, const void *pb)
{
	const struct rsp_live_count *a = pa, *b = pb;

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return a->tgid < b->tgid ? -1 : a->tgid > b->tgid;
}

static int compare_counts(const void *pa, const void *pb)
{
	const struct rsp_live_count *a = pa, *b = pb;

	if (a->now_cnt != b->now_cnt)
		return a->now_cnt > b->now_cnt ? -1 : 1;
	if (a->total_cnt != b->total_cnt)
		return a->total_cnt > b->total_cnt ? -1 : 1;
	return compare_names(pa, pb);
}

/* Returns the number of functions. */
static size_t merge(struct rsp_live_count *v, size_t cnt)
{
	size_t to = 0;

	qsort(v, cnt, sizeof(*v), compare_names);
	for (size_t i = 0; i < cnt; i++) {
		if (to && v[to - 1].name == v[i].name) {
			v[to - 1].now_cnt += v[i].now_cnt;
			v[to - 1].total_cnt += v[i].total_cnt;
			v[to - 1].tgid = 0;
		} else {
			v[to++] = v[i];
		}
	}
	return to;
}

static void put_row(const struct rsp_live *live, const struct rsp_live_count *count,
		    struct rsp_live_function *ret)
{
	const char *symbol, *module;
	uint64_t process;

	rsp_live_name(live, (__u32)count->name, &symbol, &module);
	*ret = (struct rsp_live_function){
		.tgid = count->tgid, .now_cnt = count->now_cnt, .total_cnt = count->total_cnt};
	snprintf(ret->name, sizeof(ret->name), "%s", symbol);
	snprintf(ret->module, sizeof(ret->module), "%s", module);
	if (count->tgid && rsp_idmap_get(&live->process_of, count->tgid, &process))
		memcpy(ret->comm, live->processes.v[process].comm, sizeof(ret->comm));
}

void rsp_live_put_functions(struct rsp_live *live, const struct rsp_live_how *how,
			    struct rsp_live_view *ret)
{
	struct rsp_live_count *v = reallocarray(NULL, live->counts.cnt + 1, sizeof(*v));
	size_t cnt = 0;

	for (size_t i = 0; v && i < live->counts.cnt; i++)
		if (rsp_live_wants_pid(live, how, live->counts.v[i].tgid))
			v[cnt++] = live->counts.v[i];
	if (v && !how->by_process)
		cnt = merge(v, cnt);
	if (v)
		qsort(v, cnt, sizeof(*v), compare_counts);
	for (size_t i = 0; i < cnt && i < how->row_max; i++)
		put_row(live, &v[i], &ret->functions[ret->function_rows++]);
	free(v);
	ret->now_sample_cnt = live->sample_cnt;
	ret->total_sample_cnt = live->total_sample_cnt;
	for (size_t i = 0; i < live->counts.cnt; i++)
		live->counts.v[i].now_cnt = 0;
	live->sample_cnt = 0;
}
