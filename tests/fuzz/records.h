/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes records from the fuzzer's bytes, and a snapshot of these records. The records are valid and
 * refer to each other: there are few threads, stacks and sockets, and times are close together.
 */
#ifndef RSP_TESTS_FUZZ_RECORDS_H
#define RSP_TESTS_FUZZ_RECORDS_H

#include <sys/socket.h>

#include "lib/snapshot/decode.h"
#include "lib/snapshot/snapshot.h"
#include "lib/snapshot/symbols.h"
#include "tests/fuzz/input.h"

#define RECORDS_BASE_NS	 1000000000ULL
#define RECORDS_STEP_NS	 10000ULL
#define RECORD_BYTES_MAX 2048

/*
 * Half of the times are a little after *now_ns, which then advances. Most other times are a little
 * before *now_ns.
 */
static inline __u64 take_time(struct input *in, __u64 *now_ns)
{
	__u8 step = take_u8(in);

	if (step < 0x80)
		return *now_ns += step * RECORDS_STEP_NS;
	return step < 0xf8 ? *now_ns - (step - 0x80U) * RECORDS_STEP_NS : take_u64(in);
}

static inline __u16 take_cpu(struct input *in)
{
	__u8 n = take_u8(in);

	return n < 0xf8 ? n & 63 : take_u16(in);
}

static inline __u64 take_frame(struct input *in)
{
	__u8 n = take_u8(in);

	if (n < 0x80)
		return 0x1000 + n * 16ULL;
	if (n < 0xf8)
		return RSP_FRAME_IN_BINARY | (n & 7ULL) << RSP_FRAME_OFFSET_BITS | take_u8(in);
	return take_u64(in);
}

static inline void take_stack(struct input *in, struct rsp_ev_stack *stack)
{
	__u8 cnt = take_u8(in);

	stack->id = take_id(in);
	stack->tgid = take_tid(in);
	stack->frame_cnt = cnt < 0xf8 ? cnt & 7 : RSP_STACK_FRAMES_MAX;
	for (__u32 i = 0; i < stack->frame_cnt; i++)
		stack->frames[i] = take_frame(in);
	stack->hdr.size += stack->frame_cnt * sizeof(stack->frames[0]);
}

static inline void take_object(struct input *in, struct rsp_ev_object *obj)
{
	obj->id = take_id(in);
	obj->type = take_u8(in) % 11;
	obj->ino = take_id(in);
	obj->dev = take_u8(in);
	obj->name_len = take_u8(in) % (RSP_NAME_MAX + 1);
	take(in, obj->name, obj->name_len);
	if (obj->name_len)
		obj->name[obj->name_len - 1] = '\0';
}

static inline void take_socket(struct input *in, struct rsp_ev_socket *sock)
{
	__u8 what = take_u8(in);

	sock->id = take_id(in);
	sock->sk = take_id(in);
	sock->family = what & 1 ? AF_INET : what & 2 ? AF_INET6 : what & 4 ? AF_UNIX : what;
	sock->protocol = what & 4 ? 6 : 17;
	sock->local_port = take_u8(in);
	sock->remote_port = take_u8(in);
	sock->local[0] = sock->local[15] = take_u8(in);
	sock->remote[0] = sock->remote[15] = take_u8(in);
	if (sock->family != AF_UNIX)
		return;
	sock->hdr.flags = what >> 3;
	sock->un.path = take_id(in);
	sock->un.peer = take_id(in);
	sock->un.connection = take_u8(in) % 4;
}

static inline void take_task(struct input *in, struct rsp_ev_task *task, __u64 *now_ns)
{
	task->tid = take_tid(in);
	task->tgid = take_tid(in);
	task->ptid = take_tid(in);
	task->uid = take_u8(in);
	task->cgroup_id = take_id(in);
	task->start_ns = take_u8(in) & 1 ? take_time(in, now_ns) : 0;
	task->pidns = take_u8(in) & 1 ? RSP_PIDNS_INITIAL : 1;
	task->attrs = take_u8(in);
	task->ns_tgid = task->tgid;
	take_text(in, task->comm, sizeof(task->comm));
}

static inline void take_binary(struct input *in, struct rsp_ev_binary *binary)
{
	__u8 path_bytes;

	binary->number = take_u8(in) & 7;
	binary->tgid = take_tid(in);
	binary->ino = take_id(in);
	binary->build_id_len = take_u8(in) % (RSP_BUILD_ID_MAX + 1);
	take(in, binary->build_id, binary->build_id_len);
	path_bytes = take_u8(in);
	take(in, binary->path, path_bytes);
	binary->hdr.size += (path_bytes + 8) / 8 * 8;
}

static inline void take_switch(struct input *in, struct rsp_ev_switch *sw)
{
	sw->prev_tid = take_tid(in);
	sw->next_tid = take_tid(in);
	sw->prev_state = take_u8(in);
	sw->syscall_nr = take_u16(in) % 512 - 1;
	sw->object = take_id(in);
	sw->kstack = take_id(in);
	sw->ustack = take_id(in);
}

static inline void take_waking(struct input *in, struct rsp_ev_waking *wk)
{
	wk->waker_tid = take_tid(in);
	wk->wakee_tid = take_tid(in);
	wk->context = take_u8(in) % 10;
	wk->cause = take_id(in);
	wk->kstack = take_id(in);
	wk->ustack = take_id(in);
}

static inline void take_block(struct input *in, struct rsp_ev_block *blk)
{
	blk->request = take_id(in);
	blk->sector = take_id(in);
	blk->dev = take_u8(in) & 3;
	blk->bytes = take_u16(in);
	blk->op_flags = take_u32(in);
	blk->tid = take_tid(in);
	blk->object = take_id(in);
}

static inline void take_irq(struct input *in, struct rsp_ev_irq *irq, __u64 *now_ns)
{
	irq->vector = take_u8(in) & 15;
	irq->tid = take_tid(in);
	irq->dur_ns = take_u8(in) < 0xf8 ? take_u8(in) * RECORDS_STEP_NS : take_time(in, now_ns);
	irq->object = take_id(in);
}

static inline void take_net(struct input *in, struct rsp_ev_net *net)
{
	net->tid = take_tid(in);
	net->bytes = take_u16(in);
	net->sk = take_id(in);
	net->object = take_id(in);
	net->seq = take_u8(in);
}

static inline void take_message(struct input *in, struct rsp_ev_message *message)
{
	message->tid = take_tid(in);
	message->bytes = take_u16(in);
	message->from = take_id(in);
	message->to = take_id(in);
}

static inline void take_work(struct input *in, struct rsp_ev_work *work, __u64 *now_ns)
{
	work->worker_tid = take_tid(in);
	work->queuer_tid = take_tid(in);
	work->context = take_u8(in) % 10;
	work->cause = take_id(in);
	work->queued_ns = take_time(in, now_ns);
	work->function = take_id(in);
}

static inline void take_delay(struct input *in, struct rsp_ev_delay *delay, __u64 *now_ns)
{
	delay->hdr.flags = take_u8(in) % (RSP_DELAY_CNT + 1);
	delay->tid = take_tid(in);
	delay->from_ns = take_time(in, now_ns);
	delay->subject = take_id(in);
	delay->object = take_id(in);
}

static inline void take_mark(struct input *in, struct rsp_ev_mark *mark, __u64 *now_ns)
{
	mark->hdr.flags = take_u8(in) % (RSP_MARK_TYPE_MAX + 1);
	mark->from_ns = take_u8(in) & 1 ? take_time(in, now_ns) : 0;
	mark->uid = take_u8(in);
	mark->tgid = take_tid(in);
	mark->cnt = take_u8(in);
	take_text(in, mark->text, sizeof(mark->text));
}

static inline void take_account(struct input *in, struct rsp_ev_account *account, __u64 *now_ns)
{
	account->hdr.flags = 1 << take_u8(in) % 4;
	account->tid = take_tid(in);
	account->tgid = take_tid(in);
	account->user_ns = take_time(in, now_ns);
	account->system_ns = take_time(in, now_ns);
}

static inline void take_calls(struct input *in, struct rsp_ev_calls *calls, __u64 *now_ns)
{
	calls->hdr.flags = 1 << take_u8(in) % 4;
	calls->tid = take_tid(in);
	calls->syscall_nr = take_u8(in) - 1;
	calls->from_ns = take_time(in, now_ns);
	calls->cnt = take_u32(in);
	calls->sum_ns = take_time(in, now_ns);
	calls->min_ns = take_u32(in);
	calls->max_ns = take_u32(in);
	calls->pending_ns = take_u32(in);
}

static inline void take_memory(struct input *in, struct rsp_ev_memory *memory)
{
	memory->hdr.flags = take_u8(in) % (RSP_MEMORY_KIND_MAX + 1);
	memory->tid = take_tid(in);
	memory->tgid = take_tid(in);
	memory->kstack = take_id(in);
	memory->ustack = take_id(in);
	memory->cnt = take_u32(in);
	memory->bytes = take_u32(in);
	memory->live_cnt = take_u32(in);
	memory->live_bytes = take_u32(in);
}

static inline void take_memory_watch(struct input *in, struct rsp_ev_memory_watch *watch)
{
	watch->hdr.flags = take_u8(in);
	watch->tgid = take_tid(in);
	for (unsigned int i = 0; i < RSP_MEMORY_LOST_CNT; i++)
		watch->lost_cnt[i] = take_u8(in);
}

static inline void take_few_fields(struct input *in, struct rsp_ev_hdr *hdr, __u64 *now_ns)
{
	void *ev = hdr;

	switch (hdr->kind) {
	case RSP_EV_CONTAINER:
		((struct rsp_ev_container *)ev)->cgroup_id = take_id(in);
		take(in, ((struct rsp_ev_container *)ev)->name, RSP_CONTAINER_NAME_MAX - 1);
		return;
	case RSP_EV_STOLEN:
		((struct rsp_ev_stolen *)ev)->tid = take_tid(in);
		((struct rsp_ev_stolen *)ev)->stolen_ns = take_time(in, now_ns);
		return;
	case RSP_EV_SAMPLE:
		((struct rsp_ev_sample *)ev)->tid = take_tid(in);
		((struct rsp_ev_sample *)ev)->kstack = take_id(in);
		((struct rsp_ev_sample *)ev)->ustack = take_id(in);
		return;
	case RSP_EV_EXIT:
		((struct rsp_ev_exit *)ev)->tid = take_tid(in);
		((struct rsp_ev_exit *)ev)->tgid = take_tid(in);
		return;
	case RSP_EV_LOST:
		((struct rsp_ev_lost *)ev)->from_ns = take_time(in, now_ns);
		((struct rsp_ev_lost *)ev)->lost_cnt = take_id(in);
		((struct rsp_ev_lost *)ev)->kinds = take_u32(in);
		return;
	case RSP_EV_SHED:
		((struct rsp_ev_shed *)ev)->from_ns = take_time(in, now_ns);
		((struct rsp_ev_shed *)ev)->step = take_u8(in) % (RSP_SHED_CNT + 2);
		((struct rsp_ev_shed *)ev)->budget_ppm = take_u16(in);
		return;
	case RSP_EV_MARK:
		take_mark(in, ev, now_ns);
		return;
	case RSP_EV_COUNTERS:
		for (size_t i = 0; i < RSP_COUNTER_SET_SIZE; i++)
			((struct rsp_ev_counters *)ev)->v[i] = take_id(in);
		return;
	}
}

static inline void take_fields(struct input *in, struct rsp_ev_hdr *hdr, __u64 *now_ns)
{
	void *ev = hdr;

	switch (hdr->kind) {
	case RSP_EV_SWITCH:
		return take_switch(in, ev);
	case RSP_EV_WAKING:
		return take_waking(in, ev);
	case RSP_EV_BLOCK:
		return take_block(in, ev);
	case RSP_EV_IRQ:
		return take_irq(in, ev, now_ns);
	case RSP_EV_NET:
		return take_net(in, ev);
	case RSP_EV_MESSAGE:
		return take_message(in, ev);
	case RSP_EV_STACK:
		return take_stack(in, ev);
	case RSP_EV_OBJECT:
		return take_object(in, ev);
	case RSP_EV_SOCKET:
		return take_socket(in, ev);
	case RSP_EV_TASK:
		return take_task(in, ev, now_ns);
	case RSP_EV_WORK:
		return take_work(in, ev, now_ns);
	case RSP_EV_BINARY:
		return take_binary(in, ev);
	case RSP_EV_DELAY:
		return take_delay(in, ev, now_ns);
	case RSP_EV_ACCOUNT:
		return take_account(in, ev, now_ns);
	case RSP_EV_CALLS:
		return take_calls(in, ev, now_ns);
	case RSP_EV_MEMORY:
		return take_memory(in, ev);
	case RSP_EV_MEMORY_WATCH:
		return take_memory_watch(in, ev);
	}
	take_few_fields(in, hdr, now_ns);
}

/*
 * Makes the next record in ret, which has RECORD_BYTES_MAX bytes and is aligned to 8 bytes. Returns
 * false if no input is left.
 */
static inline bool take_record(struct input *in, __u64 *now_ns, void *ret)
{
	struct rsp_ev_hdr *hdr = ret;
	__u8 kind_and_cpu;

	if (in->len == 0)
		return false;
	memset(ret, 0, RECORD_BYTES_MAX);
	kind_and_cpu = take_u8(in);
	hdr->kind = 1 + (kind_and_cpu & 31) % (RSP_EV_KIND_MAX - 1);
	hdr->cpu = kind_and_cpu < 0xe0 ? kind_and_cpu >> 5 & 3 : take_cpu(in);
	hdr->ts_ns = take_time(in, now_ns);
	hdr->flags = take_u8(in);
	if (hdr->flags == 0xff)
		hdr->flags = take_u16(in);
	hdr->size = rsp_record_bytes(hdr->kind) ? (__u16)rsp_record_bytes(hdr->kind) : sizeof(*hdr);
	take_fields(in, hdr, now_ns);
	must(hdr->size <= RECORD_BYTES_MAX && rsp_record_check(hdr, hdr->size) == 0);
	return true;
}

/* --- a snapshot of these records ------------------------------------------------------------- */

#define RECORDS_BYTES_MAX (64 << 10)

struct records {
	struct rsp_snapshot snap;
	struct rsp_section sections[2];
	void *symbols;
	size_t len;
	__u64 buf[RECORDS_BYTES_MAX / 8];
};

static inline void take_trigger(struct input *in, struct rsp_trigger *trigger)
{
	static const char *const measures[] = {"request", "wait",     "runqueue", "disk",
					       "psi",	  "function", "",	  "other"};
	const size_t measure_cnt = sizeof(measures) / sizeof(measures[0]);
	static const char *const resources[] = {"cpu", "memory", "io", "other"};
	__u8 what = take_u8(in);

	if (!(what & 1))
		return;
	take_text(in, trigger->slo, sizeof(trigger->slo));
	take_text(in, trigger->subject, sizeof(trigger->subject));
	strcpy(trigger->measure, measures[((what >> 1 & 7) | (what >> 4 & 8)) % measure_cnt]);
	strcpy(trigger->resource, resources[what >> 4 & 3]);
	trigger->full = what & 0x40;
	trigger->value_ns = take_id(in);
	trigger->threshold_ns = take_id(in);
	trigger->quantile_ppm = take_u32(in);
	trigger->over_ns = take_id(in);
	trigger->cnt = take_id(in);
	trigger->over_cnt = take_id(in);
}

static inline void take_meta(struct input *in, struct rsp_meta *meta)
{
	__u64 base_ns = RECORDS_BASE_NS;
	__u8 what = take_u8(in);

	memset(meta, 0, sizeof(*meta));
	strcpy(meta->host, "host");
	meta->exit_status = -1;
	meta->target_pid = take_tid(in);
	meta->target_tid = what & 1 ? take_tid(in) : 0;
	meta->target_start_ns = what & 2 ? take_time(in, &base_ns) : 0;
	meta->since_ns = what & 4 ? take_time(in, &base_ns) : 0;
	meta->until_ns = what & 8 ? take_time(in, &base_ns) : 0;
	meta->window_oldest_ns = what & 16 ? take_time(in, &base_ns) : 0;
	meta->cpu_cnt = what & 32 ? (__u32)take_id(in) : 4;
	meta->redacted = what & 64;
	if (!(what & 128))
		return;
	meta->realtime_offset_ns = (__s64)take_u64(in);
	meta->events_until_ns = take_time(in, &base_ns);
	meta->exit_status = (__s32)take_u16(in);
	meta->sample_hz = take_u8(in);
	take_text(in, meta->command, sizeof(meta->command));
	take_trigger(in, &meta->trigger);
	rsp_meta_clean(meta);
}

static inline void take_names(struct input *in, struct rsp_symbols_builder *builder)
{
	static const char *const modules[] = {"vmlinux", "libc.so.6", "[nvme]", "?"};

	for (__u8 cnt = take_u8(in) & 7; cnt > 0; cnt--) {
		must(rsp_symbols_add_stack(builder, take_id(in)) == 0);
		for (__u8 frames = take_u8(in) & 7; frames > 0; frames--) {
			char symbol[64];

			take_text(in, symbol, sizeof(symbol));
			must(rsp_symbols_add_frame(builder, symbol, modules[take_u8(in) & 3]) == 0);
		}
	}
}

static inline void records_take(struct input *in, struct records *ret)
{
	struct rsp_symbols_builder *builder;
	__u64 now_ns = RECORDS_BASE_NS;
	size_t symbols_len;

	memset(&ret->snap, 0, sizeof(ret->snap));
	ret->len = 0;
	take_meta(in, &ret->snap.meta);
	must(rsp_symbols_builder_new(&builder) == 0);
	take_names(in, builder);
	must(rsp_symbols_builder_finish(builder, &ret->symbols, &symbols_len) == 0);
	rsp_symbols_builder_free(builder);
	while (ret->len + RECORD_BYTES_MAX <= sizeof(ret->buf)) {
		struct rsp_ev_hdr *hdr = (void *)((char *)ret->buf + ret->len);

		if (!take_record(in, &now_ns, hdr))
			break;
		ret->len += hdr->size;
	}
	ret->sections[0] = (struct rsp_section){RSP_SEC_EVENTS, ret->buf, ret->len};
	ret->sections[1] = (struct rsp_section){RSP_SEC_SYMBOLS, ret->symbols, symbols_len};
	ret->snap.sections = ret->sections;
	ret->snap.section_cnt = 2;
}

static inline void records_done(struct records *r)
{
	free(r->symbols);
}

#endif
