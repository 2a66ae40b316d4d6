/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See stream.h. */
#include "bench/model/stream.h"

#include <err.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Reserved bytes per event. Most events are switches and wakeups of 56 bytes. */
#define EVENT_BYTES 64
#define NAMES_BYTES (1 << 20) /* for stacks, files and sockets */

/* The same values as in the recorder (lib/snapshot/window.c, daemon/recorder.c). */
#define SECTION_BYTES (4 << 20)
#define DRAIN_NS      100000000

#define KSTACK_FRAMES 10
#define USTACK_FRAMES 20
#define USTACK_BASE   (1 << 20) /* ID of the first user stack */

void stream_init(struct stream *s, size_t event_max)
{
	*s = (struct stream){
		.cap = event_max * EVENT_BYTES + NAMES_BYTES,
		.event_max = event_max,
		.now_ns = STREAM_BASE_NS,
		.random = 0x9e3779b97f4a7c15ULL,
	};
	s->bytes = mmap(NULL, s->cap, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (s->bytes == MAP_FAILED)
		err(1, "cannot allocate %zu MiB for records", s->cap >> 20);
}

void stream_done(struct stream *s)
{
	munmap(s->bytes, s->cap);
}

/* --- the snapshot --------------------------------------------------------------------------- */

struct section {
	char *bytes;
	size_t len;
};

static void write_section(struct rsp_snapshot_writer *w, struct section *section)
{
	if (rsp_snapshot_write_section(w, RSP_SEC_EVENTS, section->bytes, section->len))
		errx(1, "cannot write a section");
	section->len = 0;
}

static void drain(const struct stream *s, size_t from, size_t to, __u16 cpu,
		  struct rsp_snapshot_writer *w, struct section *section)
{
	const struct rsp_ev_hdr *hdr;

	for (; from < to; from += hdr->size) {
		hdr = (const void *)(s->bytes + from);
		if (hdr->cpu != cpu)
			continue;
		if (section->len + hdr->size > SECTION_BYTES)
			write_section(w, section);
		memcpy(section->bytes + section->len, hdr, hdr->size);
		section->len += hdr->size;
	}
}

/* Returns the offset of the end of the last record within the drain period that begins at from. */
static size_t end_of_period(const struct stream *s, size_t from)
{
	const struct rsp_ev_hdr *first = (const void *)(s->bytes + from), *hdr = first;

	while (from < s->len && hdr->ts_ns - first->ts_ns < DRAIN_NS) {
		from += hdr->size;
		hdr = (const void *)(s->bytes + from);
	}
	return from;
}

static void write_events(const struct stream *s, struct rsp_snapshot_writer *w)
{
	struct section section = {.bytes = malloc(SECTION_BYTES)};
	size_t from, to;
	__u16 cpu;

	if (!section.bytes)
		err(1, "no memory");
	for (from = 0; from < s->len; from = to) {
		to = end_of_period(s, from);
		for (cpu = 0; cpu < STREAM_CPUS; cpu++)
			drain(s, from, to, cpu, w, &section);
	}
	write_section(w, &section);
	free(section.bytes);
}

void stream_write(const struct stream *s, int fd)
{
	const struct rsp_meta meta = {
		.cpu_cnt = STREAM_CPUS,
		.target_pid = STREAM_TARGET,
		.since_ns = STREAM_BASE_NS,
		.until_ns = s->now_ns,
		.window_oldest_ns = STREAM_BASE_NS,
		.exit_status = -1,
	};
	struct rsp_snapshot_writer *w;

	if (rsp_snapshot_writer_new(fd, &w) || rsp_snapshot_write_meta(w, &meta))
		errx(1, "cannot write a snapshot");
	write_events(s, w);
	if (rsp_snapshot_writer_finish(w))
		errx(1, "cannot write a snapshot");
	rsp_snapshot_writer_free(w);
}

/* --- random numbers ------------------------------------------------------------------------- */

/* xorshift64* */
__u64 stream_random(struct stream *s)
{
	s->random ^= s->random >> 12;
	s->random ^= s->random << 25;
	s->random ^= s->random >> 27;
	return s->random * 0x2545f4914f6cdd1dULL;
}

__u32 stream_below(struct stream *s, __u32 n)
{
	return (__u32)((stream_random(s) >> 32) * n >> 32);
}

__u64 stream_around(struct stream *s, __u64 mean)
{
	__u64 half = mean / 2;

	return 1 + stream_below(s, (__u32)mean) +
	       half * stream_below(s, 4) / (1 + stream_below(s, 4));
}

/* --- records -------------------------------------------------------------------------------- */

static void *add(struct stream *s, __u16 kind, size_t size, __u16 cpu, __u16 flags)
{
	struct rsp_ev_hdr *hdr = (void *)(s->bytes + s->len);

	if (s->len + size > s->cap)
		errx(1, "more than %d bytes per event", EVENT_BYTES);
	*hdr = (struct rsp_ev_hdr){s->now_ns, kind, (__u16)size, cpu, flags};
	s->len += size;
	return hdr;
}

/*
 * Adds an event. Apart from its header, it is zeroed. Returns NULL if the stream already has
 * event_max events.
 */
static void *add_event(struct stream *s, __u16 kind, size_t size, __u16 cpu, __u16 flags)
{
	if (stream_full(s))
		return NULL;
	s->event_cnt++;
	return add(s, kind, size, cpu, flags);
}

static void add_stack(struct stream *s, __u64 id, __u16 space, __u32 tgid, __u32 frames, __u64 base)
{
	struct rsp_ev_stack *stack = add(s, RSP_EV_STACK, sizeof(*stack) + frames * sizeof(__u64),
					 0, space);
	__u32 i;

	stack->id = id;
	stack->tgid = tgid;
	stack->frame_cnt = frames;
	for (i = 0; i < frames; i++) /* outer frames have fewer variants than inner frames */
		stack->frames[i] = base + ((id >> i / 2) * 64 + i) * 16;
}

void stream_stacks(struct stream *s)
{
	__u64 id;

	for (id = 1; id <= STREAM_KSTACKS; id++)
		add_stack(s, id, RSP_STACK_KERNEL, 0, KSTACK_FRAMES, 0xffffffff81000000ULL);
	for (id = USTACK_BASE; id < USTACK_BASE + STREAM_USTACKS; id++)
		add_stack(s, id, RSP_STACK_USER, STREAM_TARGET, USTACK_FRAMES, 0x555500000000ULL);
}

static __u64 kstack(__u32 number)
{
	return 1 + number % STREAM_KSTACKS;
}

static __u64 ustack(__u32 number)
{
	return USTACK_BASE + number % STREAM_USTACKS;
}

void stream_file(struct stream *s, __u64 id, unsigned int number)
{
	struct rsp_ev_object *obj = add(s, RSP_EV_OBJECT, sizeof(*obj), 0, 0);

	obj->id = id;
	obj->type = RSP_OBJ_FILE;
	obj->name_len = 1 + (__u32)snprintf(obj->name, sizeof(obj->name), "file-%u", number);
}

void stream_socket(struct stream *s, __u64 id, unsigned int number)
{
	struct rsp_ev_socket *sock = add(s, RSP_EV_SOCKET, sizeof(*sock), 0, 0);

	sock->id = id;
	sock->sk = id;
	sock->family = AF_INET;
	sock->protocol = IPPROTO_TCP;
	sock->local_port = (__u16)(40000 + number);
	sock->remote_port = 443;
	sock->local[0] = 10;
	sock->remote[0] = 192;
	sock->remote[3] = (__u8)number;
}

void stream_task(struct stream *s, __u16 cpu, __u16 reason, __u32 tid, __u32 tgid, __u32 ptid,
		 const char *comm)
{
	struct rsp_ev_task *task = add_event(s, RSP_EV_TASK, sizeof(*task), cpu, reason);

	if (!task)
		return;
	task->tid = tid;
	task->tgid = tgid;
	task->ptid = ptid;
	snprintf(task->comm, sizeof(task->comm), "%s", comm);
}

void stream_exit(struct stream *s, __u16 cpu, __u32 tid, __u32 tgid)
{
	struct rsp_ev_exit *ex = add_event(s, RSP_EV_EXIT, sizeof(*ex), cpu, 0);

	if (!ex)
		return;
	ex->tid = tid;
	ex->tgid = tgid;
}

void stream_switch(struct stream *s, __u16 cpu, __u32 prev, __u32 next,
		   const struct stream_wait *wait)
{
	struct rsp_ev_switch *sw = add_event(s, RSP_EV_SWITCH, sizeof(*sw), cpu, wait->flags);

	if (!sw)
		return;
	sw->prev_tid = prev;
	sw->next_tid = next;
	sw->prev_state = wait->flags & RSP_SW_PREEMPTED ? 0 : 1;
	sw->syscall_nr = wait->syscall_nr;
	sw->object = wait->object;
	if (prev) {
		sw->kstack = kstack(wait->stack);
		sw->ustack = ustack(wait->stack);
	}
}

void stream_waking(struct stream *s, __u16 cpu, __u32 waker, __u32 wakee, __u32 context,
		   __u64 cause, __u16 flags)
{
	struct rsp_ev_waking *wk = add_event(s, RSP_EV_WAKING, sizeof(*wk), cpu, flags);

	if (!wk)
		return;
	wk->waker_tid = waker;
	wk->wakee_tid = wakee;
	wk->context = context;
	wk->cause = cause;
	wk->kstack = kstack(waker);
	if (context == RSP_WAKE_TASK)
		wk->ustack = ustack(waker);
}

void stream_sample(struct stream *s, __u16 cpu, __u32 tid)
{
	struct rsp_ev_sample *sample = add_event(s, RSP_EV_SAMPLE, sizeof(*sample), cpu, 0);

	if (!sample)
		return;
	sample->tid = tid;
	sample->ustack = ustack(stream_below(s, 64) + tid / 1000 * 64);
}

void stream_block(struct stream *s, __u16 cpu, __u16 flags, __u64 request, __u32 tid, __u64 object)
{
	struct rsp_ev_block *blk = add_event(s, RSP_EV_BLOCK, sizeof(*blk), cpu, flags);

	if (!blk)
		return;
	blk->request = request;
	blk->tid = tid;
	blk->object = object;
	blk->dev = 8 << 20;
	blk->bytes = 4096;
}

void stream_net(struct stream *s, __u16 cpu, __u16 flags, __u32 tid, __u64 sk)
{
	struct rsp_ev_net *net = add_event(s, RSP_EV_NET, sizeof(*net), cpu, flags);

	if (!net)
		return;
	net->tid = tid;
	net->sk = sk;
	net->object = sk;
	net->bytes = 1000;
}
