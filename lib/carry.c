/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See carry.h. Records of different rings are not in time order, so nothing here goes by the order
 * of arrival: identities and mappings are sorted by time, who sleeps is decided by the newest
 * record about a task, and an exited task is remembered until no older record can follow.
 */
#include "carry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "carry-mmaps.h"
#include "carry-names.h"
#include "cleanup.h"
#include "decode.h"
#include "idmap.h"

struct task {
	TAILQ_ENTRY(task) link;	     /* in live or exited */
	TAILQ_ENTRY(task) fell_link; /* in fell_asleep */
	__u32 tid;
	bool known, exited, asleep;
	bool retains;		    /* the names of sleep */
	__u64 state_ns;		    /* of the newest record that says whether it sleeps */
	struct rsp_ev_task who;	    /* if known */
	struct rsp_ev_exit exit;    /* if exited */
	struct rsp_ev_switch sleep; /* if asleep */
};

TAILQ_HEAD(task_list, task);

struct rsp_carry {
	struct rsp_idmap by_tid;      /* -> struct task */
	struct task_list live;	      /* longest known first */
	struct task_list exited;      /* in order of exit */
	struct task_list fell_asleep; /* in the segment being folded */
	struct rsp_mmaps mmaps;
	struct rsp_names names;
	__u64 dropped_cnt;
};

/* TASK_DEAD of the kernel: the last switch of a task, never woken from. */
#define STATE_DEAD 0x80

static void count_failure(struct rsp_carry *c, int r)
{
	if (r < 0)
		c->dropped_cnt++;
}

/* --- tasks ---------------------------------------------------------------------------------- */

static struct task *find_task(const struct rsp_carry *c, __u32 tid)
{
	uint64_t value;

	return rsp_idmap_get(&c->by_tid, tid, &value) ? (struct task *)value : NULL;
}

static struct task *find_or_add_task(struct rsp_carry *c, __u32 tid)
{
	struct task *t = find_task(c, tid);

	if (t)
		return t;
	t = calloc(1, sizeof(*t));
	if (!t || rsp_idmap_put(&c->by_tid, tid, (uintptr_t)t) < 0) {
		free(t);
		count_failure(c, -ENOMEM);
		return NULL;
	}
	t->tid = tid;
	TAILQ_INSERT_TAIL(&c->live, t, link);
	return t;
}

static void wake(struct rsp_carry *c, struct task *t)
{
	if (!t->asleep)
		return;
	if (t->retains)
		rsp_names_release(&c->names, &t->sleep);
	else
		TAILQ_REMOVE(&c->fell_asleep, t, fell_link);
	t->retains = false;
	t->asleep = false;
}

static void leave_process(struct rsp_carry *c, struct task *t)
{
	if (t->known)
		rsp_mmaps_leave(&c->mmaps, t->who.tgid);
	t->known = false;
}

static void forget_task(struct rsp_carry *c, struct task *t)
{
	wake(c, t);
	leave_process(c, t);
	TAILQ_REMOVE(t->exited ? &c->exited : &c->live, t, link);
	rsp_idmap_remove(&c->by_tid, t->tid);
	free(t);
}

/* --- identities and mappings, in order of time ---------------------------------------------- */

static void fold_fork(struct rsp_carry *c, const struct rsp_ev_task *who)
{
	const struct task *parent = find_task(c, who->ptid);
	__u32 parent_tgid = parent && parent->known ? parent->who.tgid : who->ptid;

	count_failure(c, rsp_mmaps_fork(&c->mmaps, parent_tgid, who->tgid, who->hdr.ts_ns));
}

/* The tid belongs to somebody new. */
static void revive(struct rsp_carry *c, struct task *t, __u64 ts_ns)
{
	TAILQ_REMOVE(&c->exited, t, link);
	TAILQ_INSERT_TAIL(&c->live, t, link);
	t->exited = false;
	t->state_ns = ts_ns;
}

static void fold_task(struct rsp_carry *c, const struct rsp_ev_task *who)
{
	struct task *t = find_or_add_task(c, who->tid);

	/* The peek at the next segment folds some records twice. */
	if (!t || (t->known && who->hdr.ts_ns <= t->who.hdr.ts_ns))
		return;
	if (t->exited && who->hdr.ts_ns > t->exit.hdr.ts_ns)
		revive(c, t, who->hdr.ts_ns);
	if (!t->known || t->who.tgid != who->tgid) {
		leave_process(c, t);
		if (rsp_mmaps_join(&c->mmaps, who->tgid) < 0) {
			count_failure(c, -ENOMEM);
			return;
		}
	}
	t->known = true;
	t->who = *who;
	if (who->hdr.flags & RSP_TASK_FORK && who->tid == who->tgid)
		fold_fork(c, who);
}

static void fold_exit(struct rsp_carry *c, const struct rsp_ev_exit *exit)
{
	struct task *t = find_task(c, exit->tid);

	if (!t || (t->known && t->who.hdr.ts_ns > exit->hdr.ts_ns))
		return;
	wake(c, t);
	TAILQ_REMOVE(t->exited ? &c->exited : &c->live, t, link);
	TAILQ_INSERT_TAIL(&c->exited, t, link);
	t->exited = true;
	t->exit = *exit;
}

static void fold_history_record(struct rsp_carry *c, const struct rsp_ev_hdr *hdr)
{
	switch (hdr->kind) {
	case RSP_EV_TASK:
		fold_task(c, (const void *)hdr);
		break;
	case RSP_EV_EXIT:
		fold_exit(c, (const void *)hdr);
		break;
	case RSP_EV_MMAP:
		count_failure(c, rsp_mmaps_add(&c->mmaps, (const void *)hdr));
		break;
	}
}

struct history {
	struct history_entry {
		const struct rsp_ev_hdr *hdr;
		size_t order; /* of arrival: decides between equal times */
	} * v;
	size_t cnt, cap;
	size_t lost_cnt;
};

static void free_history(struct history *h)
{
	free(h->v);
}

static bool is_history(const struct rsp_ev_hdr *hdr)
{
	return hdr->kind == RSP_EV_TASK || hdr->kind == RSP_EV_EXIT || hdr->kind == RSP_EV_MMAP;
}

/* Adds what records say until until_ns; returns the time of the newest of all records. */
static __u64 collect(struct history *h, const void *records, size_t len, __u64 until_ns)
{
	const struct rsp_ev_hdr *hdr;
	struct history_entry *e;
	__u64 newest_ns = 0;

	rsp_record_foreach (hdr, records, len) {
		if (hdr->ts_ns > newest_ns)
			newest_ns = hdr->ts_ns;
		if (!is_history(hdr) || hdr->ts_ns > until_ns)
			continue;
		e = rsp_array_add(h);
		if (e)
			*e = (struct history_entry){hdr, h->cnt};
		else
			h->lost_cnt++;
	}
	return newest_ns;
}

static int compare_entries(const void *a, const void *b)
{
	const struct history_entry *x = a, *y = b;

	if (x->hdr->ts_ns != y->hdr->ts_ns)
		return x->hdr->ts_ns < y->hdr->ts_ns ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void fold_history(struct rsp_carry *c, const void *records, size_t len, const void *next,
			 size_t next_len)
{
	_cleanup_(free_history) struct history h = {0};
	__u64 newest_ns = collect(&h, records, len, UINT64_MAX);

	collect(&h, next, next_len, newest_ns);
	if (h.cnt > 0)
		qsort(h.v, h.cnt, sizeof(*h.v), compare_entries);
	for (size_t i = 0; i < h.cnt; i++)
		fold_history_record(c, h.v[i].hdr);
	c->dropped_cnt += h.lost_cnt;
}

/* --- who sleeps ----------------------------------------------------------------------------- */

/* A preempted or yielding task still wants to run. */
static bool falls_asleep(const struct rsp_ev_switch *sw)
{
	if (sw->hdr.flags & (RSP_SW_SEED | RSP_SW_CARRIED))
		return true;
	return sw->prev_state != 0 && !(sw->prev_state & STATE_DEAD) &&
	       !(sw->hdr.flags & RSP_SW_PREEMPTED);
}

static void fold_sleep(struct rsp_carry *c, const struct rsp_ev_switch *sw)
{
	struct task *t = find_or_add_task(c, sw->prev_tid);

	if (!t || t->exited || sw->hdr.ts_ns <= t->state_ns)
		return;
	wake(c, t);
	t->asleep = true;
	t->state_ns = sw->hdr.ts_ns;
	t->sleep = *sw;
	t->sleep.next_tid = 0; /* what the CPU did since is not carried */
	if (!(sw->hdr.flags & RSP_SW_SEED))
		t->sleep.hdr.flags |= RSP_SW_CARRIED;
	TAILQ_INSERT_TAIL(&c->fell_asleep, t, fell_link);
}

static void fold_awake(struct rsp_carry *c, __u32 tid, __u64 ts_ns)
{
	struct task *t = tid ? find_task(c, tid) : NULL;

	if (!t || t->exited || ts_ns < t->state_ns)
		return;
	wake(c, t);
	t->state_ns = ts_ns;
}

static void fold_switch(struct rsp_carry *c, const struct rsp_ev_switch *sw)
{
	if (sw->prev_tid && falls_asleep(sw))
		fold_sleep(c, sw);
	else
		fold_awake(c, sw->prev_tid, sw->hdr.ts_ns);
	fold_awake(c, sw->next_tid, sw->hdr.ts_ns);
}

static void fold_states(struct rsp_carry *c, const void *records, size_t len)
{
	const struct rsp_ev_hdr *hdr;

	rsp_record_foreach (hdr, records, len) {
		if (hdr->kind == RSP_EV_SWITCH)
			fold_switch(c, (const void *)hdr);
		else if (hdr->kind == RSP_EV_WAKING)
			fold_awake(c, ((const struct rsp_ev_waking *)hdr)->wakee_tid, hdr->ts_ns);
	}
}

/* Most sleeps end in the segment they began in: only now is it worth to retain what is left. */
static void retain_names(struct rsp_carry *c)
{
	struct task *t;

	while ((t = TAILQ_FIRST(&c->fell_asleep))) {
		if (rsp_names_retain(&c->names, &t->sleep) < 0) {
			count_failure(c, -ENOMEM);
			wake(c, t);
			continue;
		}
		TAILQ_REMOVE(&c->fell_asleep, t, fell_link);
		t->retains = true;
	}
}

/* --- the whole ------------------------------------------------------------------------------ */

int rsp_carry_new(struct rsp_carry **ret)
{
	struct rsp_carry *c = calloc(1, sizeof(*c));

	if (!c)
		return -ENOMEM;
	TAILQ_INIT(&c->live);
	TAILQ_INIT(&c->exited);
	TAILQ_INIT(&c->fell_asleep);
	rsp_mmaps_init(&c->mmaps);
	rsp_names_init(&c->names);
	*ret = c;
	return 0;
}

struct rsp_carry *rsp_carry_free(struct rsp_carry *c)
{
	uint64_t tid, value;
	size_t pos = 0;

	if (!c)
		return NULL;
	while (rsp_idmap_next(&c->by_tid, &pos, &tid, &value))
		free((struct task *)value);
	rsp_idmap_done(&c->by_tid);
	rsp_mmaps_done(&c->mmaps);
	rsp_names_done(&c->names);
	free(c);
	return NULL;
}

void rsp_carry_fold(struct rsp_carry *c, const void *records, size_t len, const void *next,
		    size_t next_len)
{
	fold_history(c, records, len, next, next_len);
	fold_states(c, records, len);
	retain_names(c);
	count_failure(c, rsp_names_take_segment(&c->names, records, len));
}

void rsp_carry_expire(struct rsp_carry *c, __u64 oldest_ns)
{
	struct task *t;

	while ((t = TAILQ_FIRST(&c->exited)) && t->exit.hdr.ts_ns < oldest_ns)
		forget_task(c, t);
}

static size_t drop_task(struct rsp_carry *c)
{
	struct task *t = TAILQ_FIRST(&c->exited);

	if (!t)
		t = TAILQ_FIRST(&c->live);
	if (!t)
		return 0;
	forget_task(c, t);
	return 1;
}

void rsp_carry_trim(struct rsp_carry *c, size_t max_bytes)
{
	while (rsp_carry_bytes(c) > max_bytes) {
		size_t cnt = rsp_mmaps_drop(&c->mmaps);

		if (cnt == 0)
			cnt = rsp_names_drop(&c->names);
		if (cnt == 0)
			cnt = drop_task(c);
		if (cnt == 0)
			break;
		c->dropped_cnt += cnt;
	}
}

size_t rsp_carry_bytes(const struct rsp_carry *c)
{
	return c->by_tid.cnt * sizeof(struct task) + rsp_idmap_bytes(&c->by_tid) + c->mmaps.bytes +
	       rsp_idmap_bytes(&c->mmaps.by_tgid) + c->names.bytes +
	       rsp_idmap_bytes(&c->names.stacks) + rsp_idmap_bytes(&c->names.things);
}

__u64 rsp_carry_dropped_cnt(const struct rsp_carry *c)
{
	return c->dropped_cnt;
}

/* --- handing it out ------------------------------------------------------------------------- */

/* Large enough that callers can compress a chunk well, at least one record. */
#define CHUNK_BYTES (256 << 10)

struct output {
	rsp_carry_chunk_fn cb;
	void *userdata;
	char *buf;
	size_t len;
};

static int flush(struct output *out)
{
	size_t len = out->len;

	out->len = 0;
	return len ? out->cb(out->buf, len, out->userdata) : 0;
}

/* Copies a record into the chunk; *ret: the copy, if the caller wants to change it. */
static int emit(struct output *out, const struct rsp_ev_hdr *hdr, void **ret)
{
	int r = out->len + hdr->size > CHUNK_BYTES ? flush(out) : 0;

	if (r < 0)
		return r;
	memcpy(out->buf + out->len, hdr, hdr->size);
	if (ret)
		*ret = out->buf + out->len;
	out->len += hdr->size;
	return 0;
}

static int emit_tasks(const struct task_list *list, struct output *out)
{
	const struct task *t;
	int r = 0;

	TAILQ_FOREACH(t, list, link)
	{
		if (t->known)
			r = emit(out, &t->who.hdr, NULL);
		if (r >= 0 && t->exited)
			r = emit(out, &t->exit.hdr, NULL);
		if (r >= 0 && t->asleep)
			r = emit(out, &t->sleep.hdr, NULL);
		if (r < 0)
			return r;
	}
	return 0;
}

static int emit_mmaps(const struct rsp_mmaps *mmaps, struct output *out)
{
	struct rsp_mmaps_pos pos = {0};
	const struct rsp_ev_mmap *rec;
	__u32 tgid;
	__u64 ts_ns;

	while (rsp_mmaps_next(mmaps, &pos, &rec, &tgid, &ts_ns)) {
		struct rsp_ev_mmap *copy;
		int r = emit(out, &rec->hdr, (void **)&copy);

		if (r < 0)
			return r;
		copy->tgid = tgid;
		copy->hdr.ts_ns = ts_ns;
	}
	return 0;
}

static int emit_names(const struct rsp_names *names, struct output *out)
{
	struct rsp_names_pos pos = {0};
	const void *records;
	size_t len;

	while (rsp_names_next(names, &pos, &records, &len)) {
		const struct rsp_ev_hdr *hdr;

		rsp_record_foreach (hdr, records, len) {
			int r = emit(out, hdr, NULL);

			if (r < 0)
				return r;
		}
	}
	return 0;
}

int rsp_carry_foreach(const struct rsp_carry *c, rsp_carry_chunk_fn cb, void *userdata)
{
	_cleanup_free_ char *buf = malloc(CHUNK_BYTES);
	struct output out = {.cb = cb, .userdata = userdata, .buf = buf};
	int r;

	if (!buf)
		return -ENOMEM;
	r = emit_tasks(&c->live, &out);
	if (r >= 0)
		r = emit_tasks(&c->exited, &out);
	if (r >= 0)
		r = emit_mmaps(&c->mmaps, &out);
	if (r >= 0)
		r = emit_names(&c->names, &out);
	return r < 0 ? r : flush(&out);
}
