/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See carry.h. Records of different rings do not arrive in order of time, so the newest record
 * about a task decides whether it sleeps. An EXIT record removes a task and the time of its newest
 * record, without which a late record cannot be recognized as old. So TASK and EXIT records stay
 * pending until no older record can arrive.
 */
#include "lib/snapshot/carry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"
#include "lib/snapshot/carry-names.h"
#include "lib/snapshot/decode.h"

struct task {
	TAILQ_ENTRY(task) link;
	TAILQ_ENTRY(task) fell_link;
	__u32 tid;
	bool known, asleep, dead; /* dead: the last switch of the task was recorded */
	bool retains;		  /* the names to which sleep refers are retained (carry-names.h) */
	__u64 state_ns;		  /* time of the newest record about its sleep */
	struct rsp_ev_task identity; /* valid if known is set */
	struct rsp_ev_switch sleep;  /* valid if asleep is set */
};

TAILQ_HEAD(task_list, task);

struct rsp_carry {
	struct rsp_idmap by_tid; /* values: struct task */
	struct task_list tasks;	 /* oldest first */
	struct task_list
		fell_asleep; /* tasks that fell asleep in the records that are being folded */
	struct rsp_carry_names names;
	struct {
		char *records; /* the pending TASK and EXIT records */
		size_t len, cap;
	} pending;
	__u64 dropped_cnt;
};

/* TASK_DEAD of the kernel: the state of a task at its last switch. */
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
	TAILQ_INSERT_TAIL(&c->tasks, t, link);
	return t;
}

static void wake(struct rsp_carry *c, struct task *t)
{
	if (!t->asleep)
		return;
	if (t->retains)
		rsp_carry_names_release(&c->names, &t->sleep);
	else
		TAILQ_REMOVE(&c->fell_asleep, t, fell_link);
	t->retains = false;
	t->asleep = false;
}

static void set_awake(struct rsp_carry *c, struct task *t, __u64 ts_ns)
{
	if (ts_ns < t->state_ns)
		return;
	wake(c, t);
	t->dead = false;
	t->state_ns = ts_ns;
}

static void forget_task(struct rsp_carry *c, struct task *t)
{
	wake(c, t);
	TAILQ_REMOVE(&c->tasks, t, link);
	rsp_idmap_remove(&c->by_tid, t->tid);
	free(t);
}

/* --- identities, in order of time ------------------------------------------------------------ */

static void fold_task(struct rsp_carry *c, const struct rsp_ev_task *identity)
{
	struct task *t = find_or_add_task(c, identity->tid);

	if (!t || (t->known && identity->hdr.ts_ns < t->identity.hdr.ts_ns))
		return;
	if (identity->hdr.flags & RSP_TASK_FORK)
		set_awake(c, t, identity->hdr.ts_ns);
	t->known = true;
	t->identity = *identity;
}

static void fold_exit(struct rsp_carry *c, const struct rsp_ev_exit *exit)
{
	struct task *t = find_task(c, exit->tid);

	if (!t)
		return;
	t->known = false;
	/*
	 * A newer record follows the exit if the tid has a new owner, or if the task is still on
	 * its way out.
	 */
	if (t->dead || t->state_ns <= exit->hdr.ts_ns)
		forget_task(c, t);
}

static bool is_identity(const struct rsp_ev_hdr *hdr)
{
	return hdr->kind == RSP_EV_TASK || hdr->kind == RSP_EV_EXIT;
}

static int add_pending(struct rsp_carry *c, const struct rsp_ev_hdr *hdr)
{
	size_t cap = c->pending.cap;
	char *p;

	if (c->pending.len + hdr->size > cap) {
		cap = cap * 2 + UINT16_MAX + 1; /* room for any record */
		p = realloc(c->pending.records, cap);
		if (!p)
			return -ENOMEM;
		c->pending.records = p;
		c->pending.cap = cap;
	}
	memcpy(c->pending.records + c->pending.len, hdr, hdr->size);
	c->pending.len += hdr->size;
	return 0;
}

static int compare_times(const void *a, const void *b)
{
	const struct rsp_ev_hdr *x = *(const struct rsp_ev_hdr *const *)a;
	const struct rsp_ev_hdr *y = *(const struct rsp_ev_hdr *const *)b;

	if (x->ts_ns != y->ts_ns)
		return x->ts_ns < y->ts_ns ? -1 : 1;
	return x < y ? -1 : x > y; /* records of the same time: in order of arrival */
}

/* TASK and EXIT records that are about to be applied. */
struct identities {
	char *buf;
	const struct rsp_ev_hdr **v;
	size_t cnt, cap;
};

static void free_identities(struct identities *ids)
{
	free(ids->buf);
	free(ids->v);
}

void rsp_carry_drop_older(struct rsp_carry *c, __u64 oldest_ns)
{
	_cleanup_(free_identities) struct identities ids = {.buf = c->pending.records};
	const struct rsp_ev_hdr *hdr;
	size_t len = c->pending.len;

	memset(&c->pending, 0, sizeof(c->pending));
	rsp_record_foreach (hdr, ids.buf, len) {
		const struct rsp_ev_hdr **slot = NULL;

		if (hdr->ts_ns < oldest_ns)
			slot = rsp_array_add(&ids);
		if (slot)
			*slot = hdr;
		else
			count_failure(c, add_pending(c, hdr));
	}
	if (ids.cnt > 0)
		qsort(ids.v, ids.cnt, sizeof(*ids.v), compare_times);
	for (size_t i = 0; i < ids.cnt; i++)
		if (ids.v[i]->kind == RSP_EV_TASK)
			fold_task(c, (const void *)ids.v[i]);
		else
			fold_exit(c, (const void *)ids.v[i]);
}

/* --- sleeping tasks ------------------------------------------------------------------------- */

/* A preempted or yielding task does not sleep: it is still runnable. */
static bool falls_asleep(const struct rsp_ev_switch *sw)
{
	if (sw->hdr.flags & RSP_SW_CARRIED)
		return true;
	if (sw->hdr.flags & RSP_SW_SEED)
		return !(sw->hdr.flags & RSP_SW_PREEMPTED);
	return sw->prev_state != 0 && !(sw->prev_state & STATE_DEAD) &&
	       !(sw->hdr.flags & RSP_SW_PREEMPTED);
}

static void fold_sleep(struct rsp_carry *c, const struct rsp_ev_switch *sw)
{
	struct task *t = find_or_add_task(c, sw->prev_tid);

	if (!t || sw->hdr.ts_ns <= t->state_ns)
		return;
	set_awake(c, t, sw->hdr.ts_ns);
	t->asleep = true;
	t->sleep = *sw;
	t->sleep.next_tid = 0; /* the carry does not keep the next task of the CPU */
	if (!(sw->hdr.flags & RSP_SW_SEED))
		t->sleep.hdr.flags |= RSP_SW_CARRIED;
	TAILQ_INSERT_TAIL(&c->fell_asleep, t, fell_link);
}

static void fold_awake(struct rsp_carry *c, __u32 tid, __u64 ts_ns)
{
	struct task *t = tid ? find_or_add_task(c, tid) : NULL;

	if (t)
		set_awake(c, t, ts_ns);
}

/* A task with a known identity stays until its EXIT record is applied. */
static void fold_death(struct rsp_carry *c, const struct rsp_ev_switch *sw)
{
	struct task *t = find_task(c, sw->prev_tid);

	if (!t || t->state_ns != sw->hdr.ts_ns)
		return;
	t->dead = true;
	if (!t->known)
		forget_task(c, t);
}

static void fold_switch(struct rsp_carry *c, const struct rsp_ev_switch *sw)
{
	if (sw->hdr.flags & RSP_SW_SAME)
		return; /* an older record describes the same state with more data */
	if (sw->prev_tid && falls_asleep(sw))
		fold_sleep(c, sw);
	else
		fold_awake(c, sw->prev_tid, sw->hdr.ts_ns);
	if (sw->prev_state & STATE_DEAD)
		fold_death(c, sw);
	fold_awake(c, sw->next_tid, sw->hdr.ts_ns);
}

/*
 * The carry keeps neither the current item of a worker (WORK) nor the throttling of a task, because
 * both are short compared with a window.
 */
static void fold_records(struct rsp_carry *c, const void *records, size_t len)
{
	const struct rsp_ev_hdr *hdr;

	rsp_record_foreach (hdr, records, len) {
		if (is_identity(hdr))
			count_failure(c, add_pending(c, hdr));
		else if (hdr->kind == RSP_EV_SWITCH)
			fold_switch(c, (const void *)hdr);
		else if (hdr->kind == RSP_EV_WAKING)
			fold_awake(c, ((const struct rsp_ev_waking *)hdr)->wakee_tid, hdr->ts_ns);
	}
}

/*
 * Retains the names of the sleeps that began in the folded records and have not ended there. Most
 * sleeps end in the segment in which they began, so few names are retained.
 */
static void retain_names(struct rsp_carry *c)
{
	struct task *t;

	while ((t = TAILQ_FIRST(&c->fell_asleep))) {
		if (rsp_carry_names_retain(&c->names, &t->sleep) < 0) {
			count_failure(c, -ENOMEM);
			wake(c, t);
			continue;
		}
		TAILQ_REMOVE(&c->fell_asleep, t, fell_link);
		t->retains = true;
	}
}

/* --- the whole carry ------------------------------------------------------------------------ */

int rsp_carry_new(struct rsp_carry **ret)
{
	struct rsp_carry *c = calloc(1, sizeof(*c));

	if (!c)
		return -ENOMEM;
	TAILQ_INIT(&c->tasks);
	TAILQ_INIT(&c->fell_asleep);
	rsp_carry_names_init(&c->names);
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
	rsp_carry_names_done(&c->names);
	free(c->pending.records);
	free(c);
	return NULL;
}

void rsp_carry_fold(struct rsp_carry *c, const void *records, size_t len)
{
	fold_records(c, records, len);
	retain_names(c);
}

void rsp_carry_learn(struct rsp_carry *c, const void *records, size_t len)
{
	c->dropped_cnt += rsp_carry_names_learn(&c->names, records, len);
}

static size_t drop_task(struct rsp_carry *c)
{
	if (TAILQ_EMPTY(&c->tasks))
		return 0;
	forget_task(c, TAILQ_FIRST(&c->tasks));
	return 1;
}

void rsp_carry_trim(struct rsp_carry *c, size_t max_bytes)
{
	if (rsp_carry_bytes(c) > max_bytes)
		rsp_carry_drop_older(c, UINT64_MAX);
	while (rsp_carry_bytes(c) > max_bytes) {
		size_t cnt = rsp_carry_names_drop(&c->names);

		if (cnt == 0)
			cnt = drop_task(c);
		if (cnt == 0)
			break;
		c->dropped_cnt += cnt;
	}
}

void rsp_carry_drop_user_stacks(struct rsp_carry *c)
{
	struct task *t;

	TAILQ_FOREACH(t, &c->tasks, link)
	{
		if (!t->asleep || !t->sleep.ustack)
			continue;
		if (t->retains)
			rsp_carry_names_release_stack(&c->names, t->sleep.ustack);
		t->sleep.ustack = 0;
		c->dropped_cnt++;
	}
}

size_t rsp_carry_bytes(const struct rsp_carry *c)
{
	return c->by_tid.cnt * sizeof(struct task) + rsp_idmap_bytes(&c->by_tid) + c->names.bytes +
	       rsp_idmap_bytes(&c->names.stacks) + rsp_idmap_bytes(&c->names.things) +
	       c->pending.cap;
}

__u64 rsp_carry_dropped_cnt(const struct rsp_carry *c)
{
	return c->dropped_cnt;
}

/* --- output --------------------------------------------------------------------------------- */

/* Large, because callers compress each chunk. */
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

static int emit(struct output *out, const struct rsp_ev_hdr *hdr)
{
	int r = out->len + hdr->size > CHUNK_BYTES ? flush(out) : 0;

	if (r < 0)
		return r;
	memcpy(out->buf + out->len, hdr, hdr->size);
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
			r = emit(out, &t->identity.hdr);
		if (r >= 0 && t->asleep)
			r = emit(out, &t->sleep.hdr);
		if (r < 0)
			return r;
	}
	return 0;
}

static int emit_all(struct output *out, const void *records, size_t len)
{
	const struct rsp_ev_hdr *hdr;
	int r = 0;

	rsp_record_foreach (hdr, records, len) {
		r = emit(out, hdr);
		if (r < 0)
			break;
	}
	return r;
}

static int emit_names(const struct rsp_carry_names *names, struct output *out)
{
	const struct rsp_ev_hdr *hdr;
	struct rsp_name *pos = NULL;
	int r = 0;

	while (r >= 0 && (hdr = rsp_carry_names_next(names, &pos)))
		r = emit(out, hdr);
	return r;
}

static int emit_awake(const struct task_list *list, struct output *out)
{
	const struct task *t;
	int r = 0;

	TAILQ_FOREACH(t, list, link)
	{
		const struct rsp_ev_waking waking = {.hdr = {.ts_ns = t->state_ns,
							     .kind = RSP_EV_WAKING,
							     .size = sizeof(waking)},
						     .wakee_tid = t->tid};

		if (!t->asleep && t->state_ns)
			r = emit(out, &waking.hdr);
		if (r < 0)
			break;
	}
	return r;
}

static int put_out(const struct rsp_carry *c, bool with_awake, rsp_carry_chunk_fn cb,
		   void *userdata)
{
	_cleanup_free_ char *buf = malloc(CHUNK_BYTES);
	struct output out = {.cb = cb, .userdata = userdata, .buf = buf};
	int r;

	if (!buf)
		return -ENOMEM;
	r = emit_tasks(&c->tasks, &out);
	if (r >= 0 && with_awake)
		r = emit_awake(&c->tasks, &out);
	if (r >= 0)
		r = emit_all(&out, c->pending.records, c->pending.len);
	if (r >= 0)
		r = emit_names(&c->names, &out);
	return r < 0 ? r : flush(&out);
}

int rsp_carry_foreach(const struct rsp_carry *c, rsp_carry_chunk_fn cb, void *userdata)
{
	return put_out(c, false, cb, userdata);
}

int rsp_carry_save(const struct rsp_carry *c, rsp_carry_chunk_fn cb, void *userdata)
{
	return put_out(c, true, cb, userdata);
}

static void free_carry(struct rsp_carry **c)
{
	rsp_carry_free(*c);
}

static int fold_chunk(const void *records, size_t len, void *userdata)
{
	rsp_carry_fold(userdata, records, len);
	rsp_carry_learn(userdata, records, len);
	return 0;
}

int rsp_carry_copy(const struct rsp_carry *c, struct rsp_carry **ret)
{
	_cleanup_(free_carry) struct rsp_carry *copy = NULL;
	const struct task *t;
	int r;

	r = rsp_carry_new(&copy);
	if (r >= 0)
		r = rsp_carry_foreach(c, fold_chunk, copy);
	if (r < 0)
		return r;
	/*
	 * The output does not show that a task is awake. The copy needs this state, since an older
	 * record may still arrive and show the task asleep.
	 */
	TAILQ_FOREACH(t, &c->tasks, link)
	if (!t->asleep)
		fold_awake(copy, t->tid, t->state_ns);
	*ret = rsp_take_ptr(copy);
	return 0;
}
