/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See rekey.h. One function for each kind of record changes the fields that depend on the host. */
#include "lib/merge/rekey.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "lib/snapshot/decode.h"
#include "lib/snapshot/host.h"

/* --- identities ------------------------------------------------------------------------------- */

#define DISK_ID_MASK 0xffffffff00000000ULL

/*
 * This bijection is the finalizer of SplitMix64. Different identities of a host stay different, and
 * identities of two hosts are equal only by chance.
 */
static __u64 scatter(__u64 x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

__u64 rsp_rekey_id(const struct rsp_rekey *x, __u64 id)
{
	if (!x->host || !id)
		return id;
	if ((id & DISK_ID_MASK) == RSP_DISK_ID(0ULL))
		return RSP_DISK_ID(rsp_host_merged_dev(x->host, (__u32)id));
	id = scatter(id ^ x->host * 0x9e3779b97f4a7c15ULL);
	return id ? id : 1;
}

static void set_id(const struct rsp_rekey *x, __u64 *id)
{
	*id = rsp_rekey_id(x, *id);
}

static void set_tid(const struct rsp_rekey *x, __u32 *tid)
{
	*tid = rsp_host_merged_tid(x->host, *tid);
}

static void set_dev(const struct rsp_rekey *x, __u32 *dev)
{
	*dev = rsp_host_merged_dev(x->host, *dev);
}

/*
 * The inode numbers of namespaces begin near 2^32 on each host. The initial namespace has the same
 * number on all hosts, and keeps it.
 */
static void set_namespace(const struct rsp_rekey *x, __u32 *ns)
{
	if (*ns && *ns != RSP_PIDNS_INITIAL)
		*ns ^= x->host << 24;
}

static void set_time(const struct rsp_rekey *x, __u64 *ns)
{
	if (x->clock)
		*ns = rsp_clock_map(x->clock, *ns);
}

static int set_cpu(const struct rsp_rekey *x, struct rsp_ev_hdr *hdr)
{
	if (x->cpu_first + hdr->cpu > UINT16_MAX)
		return -EOVERFLOW;
	hdr->cpu = (__u16)(x->cpu_first + hdr->cpu);
	return 1;
}

/* --- numbers of binaries ---------------------------------------------------------------------- */

#define NUMBER_CNT (1U << 23)

int rsp_rekey_note_numbers(const struct rsp_ev_hdr *hdr, struct rsp_idmap *taken)
{
	const struct rsp_ev_stack *stack = (const void *)hdr;
	int r = 0;

	if (hdr->kind == RSP_EV_BINARY)
		return rsp_idmap_put(taken, ((const struct rsp_ev_binary *)hdr)->number, 1);
	if (hdr->kind != RSP_EV_STACK || !(hdr->flags & RSP_STACK_USER))
		return 0;
	for (__u32 i = 0; i < stack->frame_cnt && r == 0; i++)
		if (stack->frames[i] & RSP_FRAME_IN_BINARY)
			r = rsp_idmap_put(taken, RSP_FRAME_BINARY(stack->frames[i]), 1);
	return r;
}

static int set_number(const struct rsp_rekey *x, __u32 *number)
{
	__u64 key = (__u64)x->host << 32 | *number;
	uint64_t known;

	if (!x->host)
		return 1;
	if (!rsp_idmap_get(x->binaries, key, &known)) {
		known = *x->next_number;
		while (known < NUMBER_CNT && rsp_idmap_get(x->taken, known, &(uint64_t){0}))
			known++;
		if (known >= NUMBER_CNT)
			return -EOVERFLOW;
		*x->next_number = (__u32)known + 1;
		if (rsp_idmap_put(x->binaries, key, known) < 0)
			return -ENOMEM;
	}
	*number = (__u32)known;
	return 1;
}

static int rekey_stack(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_stack *stack = rec;
	int r = 1;

	set_id(x, &stack->id);
	set_tid(x, &stack->tgid);
	if (!(stack->hdr.flags & RSP_STACK_USER))
		return 1;
	for (__u32 i = 0; i < stack->frame_cnt && r > 0; i++) {
		__u64 frame = stack->frames[i];
		__u32 number = RSP_FRAME_BINARY(frame);

		if (!(frame & RSP_FRAME_IN_BINARY))
			continue;
		r = set_number(x, &number);
		stack->frames[i] = RSP_FRAME_IN_BINARY | (__u64)number << RSP_FRAME_OFFSET_BITS |
				   RSP_FRAME_OFFSET(frame);
	}
	return r;
}

static int rekey_binary(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_binary *binary = rec;

	set_tid(x, &binary->tgid);
	set_dev(x, &binary->dev);
	return set_number(x, &binary->number);
}

/* --- events --------------------------------------------------------------------------------- */

static int rekey_switch(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_switch *sw = rec;

	set_tid(x, &sw->prev_tid);
	set_tid(x, &sw->next_tid);
	if (!(sw->hdr.flags & RSP_SW_FUTEX))
		set_id(x, &sw->object);
	set_id(x, &sw->kstack);
	set_id(x, &sw->ustack);
	return 1;
}

/* The cause of a softirq is its vector, which has the same meaning on all hosts, so it stays. */
static void set_cause(const struct rsp_rekey *x, __u32 context, __u64 *cause)
{
	if (context != RSP_WAKE_SOFTIRQ)
		set_id(x, cause);
}

static int rekey_waking(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_waking *waking = rec;

	set_tid(x, &waking->waker_tid);
	set_tid(x, &waking->wakee_tid);
	set_cause(x, waking->context, &waking->cause);
	set_id(x, &waking->kstack);
	set_id(x, &waking->ustack);
	return 1;
}

static int rekey_work(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_work *work = rec;

	set_tid(x, &work->worker_tid);
	set_tid(x, &work->queuer_tid);
	set_cause(x, work->context, &work->cause);
	set_time(x, &work->queued_ns);
	set_id(x, &work->function);
	return 1;
}

static int rekey_sample(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_sample *sample = rec;

	set_tid(x, &sample->tid);
	set_id(x, &sample->kstack);
	set_id(x, &sample->ustack);
	return 1;
}

static int rekey_block(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_block *block = rec;

	set_id(x, &block->request);
	set_dev(x, &block->dev);
	set_tid(x, &block->tid);
	set_id(x, &block->object);
	return 1;
}

static int rekey_irq(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_irq *irq = rec;

	set_tid(x, &irq->tid);
	if (irq->hdr.flags & RSP_IRQ_HARD)
		set_id(x, &irq->object);
	return 1;
}

static int rekey_net(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_net *net = rec;

	set_tid(x, &net->tid);
	set_id(x, &net->sk);
	set_id(x, &net->object);
	return 1;
}

static int rekey_message(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_message *message = rec;

	set_tid(x, &message->tid);
	set_id(x, &message->from);
	set_id(x, &message->to);
	return 1;
}

static int rekey_delay(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_delay *delay = rec;

	set_tid(x, &delay->tid);
	set_time(x, &delay->from_ns);
	set_id(x, &delay->subject);
	set_id(x, &delay->object);
	return 1;
}

static int rekey_task(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_task *task = rec;

	set_tid(x, &task->tid);
	set_tid(x, &task->tgid);
	set_tid(x, &task->ptid);
	set_id(x, &task->cgroup_id);
	set_time(x, &task->start_ns);
	set_namespace(x, &task->pidns);
	set_namespace(x, &task->mntns);
	return 1;
}

static int rekey_exit(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_exit *ev = rec;

	set_tid(x, &ev->tid);
	set_tid(x, &ev->tgid);
	return 1;
}

static int rekey_account(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_account *account = rec;

	set_tid(x, &account->tid);
	set_tid(x, &account->tgid);
	return 1;
}

static int rekey_calls(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_calls *calls = rec;

	set_tid(x, &calls->tid);
	set_time(x, &calls->from_ns);
	return 1;
}

static int rekey_stolen(const struct rsp_rekey *x, void *rec)
{
	set_tid(x, &((struct rsp_ev_stolen *)rec)->tid);
	return 1;
}

static int rekey_memory(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_memory *memory = rec;

	set_tid(x, &memory->tid);
	set_tid(x, &memory->tgid);
	set_id(x, &memory->kstack);
	set_id(x, &memory->ustack);
	return 1;
}

static int rekey_memory_watch(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_memory_watch *watch = rec;

	set_tid(x, &watch->tgid);
	set_time(x, &watch->from_ns);
	return 1;
}

static int rekey_lost(const struct rsp_rekey *x, void *rec)
{
	set_time(x, &((struct rsp_ev_lost *)rec)->from_ns);
	return 1;
}

static int rekey_shed(const struct rsp_rekey *x, void *rec)
{
	set_time(x, &((struct rsp_ev_shed *)rec)->from_ns);
	return 1;
}

static int rekey_mark(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_mark *mark = rec;

	set_time(x, &mark->from_ns);
	set_tid(x, &mark->tgid);
	return 1;
}

static int rekey_cpu_time(const struct rsp_rekey *x, void *rec)
{
	(void)x;
	(void)rec;
	return 1;
}

static int rekey_counters(const struct rsp_rekey *x, void *rec)
{
	(void)rec;
	return x->host == 0;
}

/* --- names ------------------------------------------------------------------------------------ */

static int rekey_object(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_object *object = rec;

	set_id(x, &object->id);
	set_dev(x, &object->dev);
	/* TASK records contain this inode number as cgroup_id */
	if (object->type == RSP_OBJ_CGROUP)
		set_id(x, &object->ino);
	return 1;
}

static int rekey_container(const struct rsp_rekey *x, void *rec)
{
	set_id(x, &((struct rsp_ev_container *)rec)->cgroup_id);
	return 1;
}

static int rekey_socket(const struct rsp_rekey *x, void *rec)
{
	struct rsp_ev_socket *sock = rec;
	__u32 peer = x->peer(sock, x);

	sock->hdr.flags &= RSP_SOCKET_ACCEPTED | RSP_SOCKET_CONNECTED;
	sock->hdr.flags |= rsp_host_socket_flags(x->host, peer);
	set_id(x, &sock->id);
	set_id(x, &sock->sk);
	if (rsp_socket_is_unix(sock)) {
		set_id(x, &sock->un.path);
		set_id(x, &sock->un.peer);
		set_id(x, &sock->un.connection);
	}
	return 1;
}

/* --- all together ----------------------------------------------------------------------------- */

typedef int (*rule_fn)(const struct rsp_rekey *x, void *rec);

static const rule_fn rules[RSP_EV_KIND_MAX] = {
	[RSP_EV_SWITCH] = rekey_switch,	    [RSP_EV_WAKING] = rekey_waking,
	[RSP_EV_SAMPLE] = rekey_sample,	    [RSP_EV_BLOCK] = rekey_block,
	[RSP_EV_IRQ] = rekey_irq,	    [RSP_EV_NET] = rekey_net,
	[RSP_EV_STACK] = rekey_stack,	    [RSP_EV_OBJECT] = rekey_object,
	[RSP_EV_SOCKET] = rekey_socket,	    [RSP_EV_TASK] = rekey_task,
	[RSP_EV_EXIT] = rekey_exit,	    [RSP_EV_LOST] = rekey_lost,
	[RSP_EV_WORK] = rekey_work,	    [RSP_EV_BINARY] = rekey_binary,
	[RSP_EV_SHED] = rekey_shed,	    [RSP_EV_DELAY] = rekey_delay,
	[RSP_EV_MESSAGE] = rekey_message,   [RSP_EV_MARK] = rekey_mark,
	[RSP_EV_COUNTERS] = rekey_counters, [RSP_EV_ACCOUNT] = rekey_account,
	[RSP_EV_CALLS] = rekey_calls,	    [RSP_EV_CPU_TIME] = rekey_cpu_time,
	[RSP_EV_MEMORY] = rekey_memory,	    [RSP_EV_MEMORY_WATCH] = rekey_memory_watch,
	[RSP_EV_STOLEN] = rekey_stolen,	    [RSP_EV_CONTAINER] = rekey_container,
};

/* Kind of records that older recorders wrote; unused now (event.h). */
#define KIND_UNUSED 12

int rsp_rekey_record(const struct rsp_rekey *x, struct rsp_ev_hdr *hdr)
{
	int r;

	if (hdr->kind == KIND_UNUSED)
		return 0;
	if (hdr->kind >= RSP_EV_KIND_MAX || !rules[hdr->kind])
		return -ENOTSUP;
	r = set_cpu(x, hdr);
	if (r < 0)
		return r;
	set_time(x, &hdr->ts_ns);
	return rules[hdr->kind](x, hdr);
}
