/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verbs of a story (story.h). A verb reads its arguments from the words of a line. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/story/marks.h"
#include "tests/story/story-parts.h"
#include "tests/story/story.h"
#include "tests/story/words.h"

#define KTHREADD       2 /* parent of all kernel threads */
#define SECTOR_MAX     UINT64_MAX
#define NUMBER_MAX     UINT64_MAX
#define DISK_MINOR_MAX 0xfffff

/* --- words of several verbs --------------------------------------------------------------- */

static __u32 next_tid(struct words *w, const char *what)
{
	return (__u32)words_number(w, what, STORY_TIDS - 1);
}

__u64 story_next_id(struct words *w, const char *what)
{
	return words_number(w, what, NUMBER_MAX);
}

static __u64 parse_ms(struct words *w, const char *what, const char *text)
{
	char *end;
	double ms = strtod(text, &end);

	if (!*text || *end || !(ms >= 0 && ms < 1e12))
		words_fail(w, "%s is no time in milliseconds: \"%s\"", what, text);
	return story_ns(text);
}

static __u64 next_ms(struct words *w, const char *what)
{
	const char *text = words_next(w, what);

	return *w->error ? 0 : parse_ms(w, what, text);
}

static __u64 value_ms(struct words *w, const char *key, __u64 otherwise)
{
	const char *text = words_text(w, key);

	return text ? parse_ms(w, key, text) : otherwise;
}

static __u16 cpu(struct words *w, __u16 otherwise)
{
	return (__u16)words_value(w, "cpu", STORY_CPUS - 1, otherwise);
}

__u64 story_value_id(struct words *w, const char *key)
{
	return words_value(w, key, NUMBER_MAX, 0);
}

struct flag {
	const char *word;
	__u32 bit;
};

static __u32 take_flags(struct words *w, const struct flag *flags, size_t cnt)
{
	__u32 bits = 0;

	for (size_t i = 0; i < cnt; i++)
		if (words_flag(w, flags[i].word))
			bits |= flags[i].bit;
	return bits;
}
#define TAKE_FLAGS(w, flags) take_flags(w, flags, sizeof(flags) / sizeof((flags)[0]))

/* --- the frame ---------------------------------------------------------------------------- */

static void tell_window(struct story *s, struct words *w)
{
	struct rsp_meta *meta = &s->snap.meta;

	meta->since_ns = next_ms(w, "the beginning");
	meta->until_ns = next_ms(w, "the end");
	meta->window_oldest_ns = meta->since_ns;
	if (words_number_follows(w))
		meta->window_oldest_ns = next_ms(w, "the beginning of the recording");
	meta->events_until_ns = value_ms(w, "end", 0);
	s->sample_hz = (__u32)words_value(w, "hz", UINT32_MAX, STORY_SAMPLE_HZ);
}

static void tell_slo(struct story *s, struct words *w)
{
	struct rsp_meta *meta = &s->snap.meta;
	struct rsp_trigger *t = &meta->trigger;

	snprintf(t->slo, sizeof(t->slo), "%s", words_next(w, "its name"));
	snprintf(t->measure, sizeof(t->measure), "%s", words_next(w, "what is measured"));
	t->value_ns = meta->until_ns - meta->since_ns;
	t->threshold_ns = next_ms(w, "the limit") - STORY_BASE_NS;
}

/* Sets the host's name, and makes the IDs of the boot and the snapshot from it. */
static void tell_host(struct story *s, struct words *w)
{
	struct rsp_meta *meta = &s->snap.meta;

	snprintf(meta->host, sizeof(meta->host), "%s", words_next(w, "its name"));
	snprintf(meta->boot_id, sizeof(meta->boot_id), "%.30s", meta->host);
	snprintf(meta->id, sizeof(meta->id), "%.30s", meta->host);
}

static void tell_target(struct story *s, struct words *w)
{
	s->snap.meta.target_pid = next_tid(w, "the process");
	s->snap.meta.target_start_ns = story_value_id(w, "start");
	s->snap.meta.target_tid = (__u32)words_value(w, "tid", STORY_TIDS - 1, 0);
	if (words_flag(w, "command"))
		snprintf(s->snap.meta.command, sizeof(s->snap.meta.command), "command");
}

/* --- tasks -------------------------------------------------------------------------------- */

static void task(struct story *s, struct words *w, __u32 tid, __u32 ptid, __u16 reason,
		 const char *comm)
{
	static const struct flag attrs[] = {
		{"closed", RSP_TASK_ATTR_CLOSED},
		{"lent", RSP_TASK_ATTR_LENT},
	};
	struct rsp_ev_task *ev = story_record(s, RSP_EV_TASK, sizeof(*ev), reason);

	if (strlen(comm) >= sizeof(ev->comm))
		words_fail(w, "a name has at most %zu bytes: \"%s\"", sizeof(ev->comm) - 1, comm);
	snprintf(ev->comm, sizeof(ev->comm), "%s", comm);
	memcpy(s->comm_of[tid], ev->comm, sizeof(ev->comm));
	ev->tid = tid;
	ev->tgid = words_number_follows(w) ? next_tid(w, "the process") : tid;
	ev->ptid = ptid;
	ev->attrs = TAKE_FLAGS(w, attrs);
	ev->attrs |= ptid == KTHREADD ? RSP_TASK_ATTR_KTHREAD : 0;
	ev->hdr.cpu = cpu(w, s->cpu_of[tid]);
	ev->cgroup_id = story_value_id(w, "cgroup");
	ev->uid = (__u32)words_value(w, "uid", UINT32_MAX, 0);
	ev->start_ns = reason == RSP_TASK_FORK ? s->now_ns : story_value_id(w, "start");
}

static void named_task(struct story *s, struct words *w, __u32 ptid, __u16 reason)
{
	__u32 tid = next_tid(w, "the thread");

	task(s, w, tid, ptid, reason, words_next(w, "its name"));
}

static void tell_alive(struct story *s, struct words *w)
{
	named_task(s, w, 1, RSP_TASK_SEED);
}

static void tell_kthread(struct story *s, struct words *w)
{
	named_task(s, w, KTHREADD, RSP_TASK_SEED);
}

static void tell_exec(struct story *s, struct words *w)
{
	named_task(s, w, 1, RSP_TASK_EXEC);
}

static void tell_name(struct story *s, struct words *w)
{
	named_task(s, w, 1, RSP_TASK_NAME);
}

static void tell_fork(struct story *s, struct words *w)
{
	__u32 parent = next_tid(w, "the parent"), child = next_tid(w, "the child");

	task(s, w, child, parent, RSP_TASK_FORK, s->comm_of[parent]);
}

static void tell_exit(struct story *s, struct words *w)
{
	static const struct flag words[] = {{"exec", RSP_EXIT_EXEC}};
	struct rsp_ev_exit *ev = story_record(s, RSP_EV_EXIT, sizeof(*ev), 0);

	ev->tid = next_tid(w, "the thread");
	ev->hdr.flags = (__u16)TAKE_FLAGS(w, words);
	ev->code = (__u32)words_value(w, "code", UINT32_MAX, 0);
	ev->attrs = words_flag(w, "closed") ? RSP_TASK_ATTR_CLOSED : 0;
	ev->hdr.cpu = cpu(w, s->cpu_of[ev->tid]);
}

/* --- switches ----------------------------------------------------------------------------- */

static void make_switch(struct story *s, struct words *w, __u32 prev, __u32 next, __u16 flags,
			__u32 state)
{
	static const struct flag words[] = {
		{"futex", RSP_SW_FUTEX},	   {"sleep", RSP_SW_SLEEP},
		{"timeout", RSP_SW_TIMEOUT},	   {"fault", RSP_SW_FAULT},
		{"kthread", RSP_SW_KTHREAD},	   {"iowait", RSP_SW_IOWAIT},
		{"throttled", RSP_SW_THROTTLED},   {"carried", RSP_SW_CARRIED},
		{"unreadable", RSP_SW_UNREADABLE}, {"same", RSP_SW_SAME},
		{"ready", RSP_SW_PREEMPTED},	   {"several", RSP_SW_SEVERAL},
	};
	struct rsp_ev_switch *ev = story_record(s, RSP_EV_SWITCH, sizeof(*ev), flags);

	ev->hdr.flags |= (__u16)TAKE_FLAGS(w, words);
	ev->hdr.cpu = cpu(w, prev ? s->cpu_of[prev] : 0);
	ev->prev_tid = prev;
	ev->next_tid = next;
	ev->prev_state = (__u32)words_value(w, "state", UINT32_MAX, state);
	ev->syscall_nr = (__s32)words_value(w, "sys", INT32_MAX, (__u64)-1);
	ev->object = story_value_id(w, "obj");
	ev->kstack = story_value_id(w, "k");
	ev->ustack = story_value_id(w, "u");
	if (flags & RSP_SW_SEED)
		return;
	s->cpu_of[next] = ev->hdr.cpu;
	s->on_cpu[ev->hdr.cpu] = next;
}

static void tell_run(struct story *s, struct words *w)
{
	make_switch(s, w, 0, next_tid(w, "the thread"), 0, 0);
}

static void tell_block(struct story *s, struct words *w)
{
	make_switch(s, w, next_tid(w, "the thread"), 0, 0, 1);
}

static void tell_to(struct story *s, struct words *w)
{
	__u32 prev = next_tid(w, "who blocks"), next = next_tid(w, "who comes in");

	make_switch(s, w, prev, next, 0, 1);
}

static void tell_preempt(struct story *s, struct words *w)
{
	__u32 prev = next_tid(w, "who leaves"), next = next_tid(w, "who comes in");

	make_switch(s, w, prev, next, RSP_SW_PREEMPTED, 0);
}

static void tell_dead(struct story *s, struct words *w)
{
	make_switch(s, w, next_tid(w, "the thread"), 0, 0, 0x80); /* TASK_DEAD */
}

static void tell_seed(struct story *s, struct words *w)
{
	make_switch(s, w, next_tid(w, "the thread"), 0, RSP_SW_SEED, 0);
}

/* --- wakeups ------------------------------------------------------------------------------ */

static void waking(struct story *s, struct words *w, __u32 waker, __u32 wakee, __u32 context,
		   __u64 cause, __u16 flags)
{
	static const struct flag words[] = {
		{"throttled", RSP_WK_THROTTLED}, {"paused", RSP_WK_PAUSED}, {"same", RSP_WK_SAME}};
	struct rsp_ev_waking *ev = story_record(s, RSP_EV_WAKING, sizeof(*ev), flags);

	ev->hdr.flags |= (__u16)TAKE_FLAGS(w, words);
	ev->hdr.cpu = cpu(w, waker ? s->cpu_of[waker] : 0);
	ev->waker_tid = waker;
	ev->wakee_tid = wakee;
	ev->context = context;
	ev->slept_us = (__u32)words_value(w, "slept_us", UINT32_MAX, 0);
	ev->cause = cause;
	ev->kstack = story_value_id(w, "k");
	ev->ustack = story_value_id(w, "u");
}

static void tell_wake(struct story *s, struct words *w)
{
	__u32 waker = next_tid(w, "the waker"), wakee = next_tid(w, "whom it wakes");

	waking(s, w, waker, wakee, RSP_WAKE_TASK, 0, 0);
}

static void tell_new(struct story *s, struct words *w)
{
	__u32 parent = next_tid(w, "the parent"), child = next_tid(w, "the child");

	waking(s, w, parent, child, RSP_WAKE_TASK, 0, RSP_WK_NEW);
}

/* Converts the first len bytes of word, such as "hard", to an RSP_WAKE_ context. */
static __u32 context_of(struct words *w, const char *word, size_t len)
{
	static const char *const names[] = {
		[RSP_WAKE_HARDIRQ] = "hard", [RSP_WAKE_SOFTIRQ] = "soft",
		[RSP_WAKE_TIMER] = "timer",  [RSP_WAKE_KTIMER] = "ktimer",
		[RSP_WAKE_BLOCK] = "block",  [RSP_WAKE_NET] = "net",
		[RSP_WAKE_IRQ] = "ipi",	     [RSP_WAKE_UNSEEN] = "unseen",
	};

	for (__u32 i = RSP_WAKE_HARDIRQ; i <= RSP_WAKE_UNSEEN; i++)
		if (strlen(names[i]) == len && strncmp(word, names[i], len) == 0)
			return i;
	words_fail(w, "no interrupt is called \"%s\"", word);
	return 0;
}

/* Returns the TID in tid=N, or if the line has none, the current thread of the line's CPU. */
static __u32 current(const struct story *s, struct words *w)
{
	struct words peek = *w;

	return (__u32)words_value(w, "tid", STORY_TIDS - 1, s->on_cpu[cpu(&peek, 0)]);
}

static void tell_irq(struct story *s, struct words *w)
{
	const char *name = words_next(w, "the kind of interrupt");
	__u32 context = context_of(w, name, strlen(name));
	__u64 cause = story_next_id(w, "its cause");
	__u32 wakee = next_tid(w, "whom it wakes");

	waking(s, w, current(s, w), wakee, context, cause, 0);
}

/* --- disks -------------------------------------------------------------------------------- */

__u32 story_parse_dev(struct words *w, const char *text)
{
	unsigned int major, minor;
	char rest;

	if (sscanf(text, "%u:%u%c", &major, &minor, &rest) != 2 || major > 4095 ||
	    minor > DISK_MINOR_MAX) {
		words_fail(w, "no MAJOR:MINOR of a disk: \"%s\"", text);
		return 0;
	}
	return major << 20 | minor;
}

/* Returns the REQ_OP_ value (include/linux/blk_types.h) of op=OP, or 0 without op=. */
static __u32 parse_op(struct words *w)
{
	static const char *const ops[] = {"read", "write", "flush", "discard"};
	struct words peek = *w;
	const char *op = words_text(&peek, "op");

	for (__u32 i = 0; op && i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (strcmp(op, ops[i]) == 0) {
			words_text(w, "op");
			return i;
		}
	}
	return (__u32)words_value(w, "op", 0xff, 0);
}

static __u32 parse_request_flags(struct words *w)
{
	static const struct flag words[] = {
		{"sync", 1 << 11},     {"meta", 1 << 12},  {"fua", 1 << 17},
		{"preflush", 1 << 18}, {"ahead", 1 << 19},
	};

	return TAKE_FLAGS(w, words);
}

static void tell_disk(struct story *s, struct words *w)
{
	static const char *const steps[] = {"insert", "issue", "complete"};
	const char *step = words_next(w, "the step"), *dev;
	struct rsp_ev_block *ev = story_record(s, RSP_EV_BLOCK, sizeof(*ev), 0);

	for (int i = 0; i < 3; i++)
		if (strcmp(step, steps[i]) == 0)
			ev->hdr.flags = (__u16)(1 << i);
	if (!ev->hdr.flags)
		words_fail(w, "no step of a request is called \"%s\"", step);
	ev->request = story_next_id(w, "the request");
	ev->tid = current(s, w);
	ev->hdr.cpu = cpu(w, 0);
	dev = words_text(w, "dev");
	ev->dev = story_parse_dev(w, dev ? dev : "8:0");
	ev->sector = words_value(w, "sector", SECTOR_MAX, 0);
	ev->bytes = (__u32)words_value(w, "bytes", UINT32_MAX, 4096);
	ev->op_flags = parse_op(w) | parse_request_flags(w);
	ev->object = story_value_id(w, "obj");
}

static void tell_reclaim(struct story *s, struct words *w)
{
	struct rsp_ev_delay *ev = story_record(s, RSP_EV_DELAY, sizeof(*ev), RSP_DELAY_RECLAIM);

	ev->tid = next_tid(w, "the thread");
	ev->from_ns = next_ms(w, "since when");
	ev->object = story_value_id(w, "obj");
	ev->hdr.cpu = cpu(w, s->cpu_of[ev->tid]);
}

static void tell_held(struct story *s, struct words *w)
{
	struct rsp_ev_delay *ev = story_record(s, RSP_EV_DELAY, sizeof(*ev), RSP_DELAY_IO_LIMIT);

	ev->subject = story_next_id(w, "the request");
	ev->from_ns = next_ms(w, "until when");
	ev->object = story_next_id(w, "the cgroup");
	ev->tid = current(s, w);
	ev->hdr.cpu = cpu(w, 0);
}

/* --- sockets ------------------------------------------------------------------------------ */

static void parse_address(struct words *w, const char *text, __u8 *addr, __u16 *port, __u16 *family)
{
	const char *colon = strrchr(text, ':');
	bool bracketed = *text == '[';
	char ip[64];

	if (!colon) {
		words_fail(w, "no ADDRESS:PORT: \"%s\"", text);
		return;
	}
	snprintf(ip, sizeof(ip), "%.*s", (int)(colon - text) - 2 * bracketed, text + bracketed);
	*port = (__u16)strtoul(colon + 1, NULL, 10);
	*family = bracketed ? AF_INET6 : AF_INET;
	if (inet_pton(*family, ip, addr) != 1)
		words_fail(w, "no ADDRESS:PORT: \"%s\"", text);
}

static void tell_socket(struct story *s, struct words *w)
{
	struct rsp_ev_socket *ev = story_record(s, RSP_EV_SOCKET, sizeof(*ev), 0);
	__u16 remote_family;

	ev->id = story_next_id(w, "its SOCKET");
	ev->sk = story_next_id(w, "the socket");
	parse_address(w, words_next(w, "its own end"), ev->local, &ev->local_port, &ev->family);
	parse_address(w, words_next(w, "its other end"), ev->remote, &ev->remote_port,
		      &remote_family);
	ev->protocol = words_flag(w, "udp") ? IPPROTO_UDP : IPPROTO_TCP;
	ev->hdr.flags = (words_flag(w, "accepted") ? RSP_SOCKET_ACCEPTED : 0) |
			(words_flag(w, "connected") ? RSP_SOCKET_CONNECTED : 0);
}

static void tell_unix_socket(struct story *s, struct words *w)
{
	struct rsp_ev_socket *ev = story_record(s, RSP_EV_SOCKET, sizeof(*ev), 0);

	ev->id = story_next_id(w, "its SOCKET");
	ev->sk = story_next_id(w, "the socket");
	ev->family = AF_UNIX;
	ev->un.peer = story_next_id(w, "the other end");
	ev->un.connection = story_next_id(w, "the connection");
	ev->un.path = story_next_id(w, "its path");
	ev->hdr.flags = (words_flag(w, "accepted") ? RSP_SOCKET_ACCEPTED : 0) |
			(words_flag(w, "connected") ? RSP_SOCKET_CONNECTED : 0);
}

static void net(struct story *s, struct words *w, __u16 flags, __u32 tid)
{
	struct rsp_ev_net *ev = story_record(s, RSP_EV_NET, sizeof(*ev), flags);

	ev->hdr.flags |= words_flag(w, "late") ? RSP_NET_LATE : 0;
	ev->tid = tid;
	ev->sk = story_next_id(w, "the socket");
	ev->object = story_next_id(w, "its SOCKET");
	ev->hdr.cpu = cpu(w, tid ? s->cpu_of[tid] : 0);
	ev->bytes = (__u32)words_value(w, "bytes", UINT32_MAX, 0);
	ev->seq = (__u32)words_value(w, "seq", UINT32_MAX, 0);
}

static void tell_send(struct story *s, struct words *w)
{
	__u32 tid = next_tid(w, "the sender");

	net(s, w, RSP_NET_SEND | (words_flag(w, "nagle") ? RSP_NET_NAGLE : 0), tid);
}

static void tell_message(struct story *s, struct words *w)
{
	struct rsp_ev_message *ev = story_record(s, RSP_EV_MESSAGE, sizeof(*ev), 0);

	ev->hdr.flags = words_flag(w, "late") ? RSP_NET_LATE : 0;
	ev->tid = next_tid(w, "the sender");
	ev->from = story_next_id(w, "the SOCKET of the sender");
	ev->to = story_next_id(w, "the SOCKET of the receiver");
	ev->hdr.cpu = cpu(w, s->cpu_of[ev->tid]);
	ev->bytes = (__u32)words_value(w, "bytes", UINT32_MAX, 0);
}

static void tell_resend(struct story *s, struct words *w)
{
	bool connects = words_flag(w, "connect");
	struct rsp_ev_delay *ev = story_record(s, RSP_EV_DELAY, sizeof(*ev),
					       connects ? RSP_DELAY_CONNECT : RSP_DELAY_RETRANSMIT);

	ev->subject = story_next_id(w, "the socket");
	ev->object = story_next_id(w, "its SOCKET");
	ev->tid = current(s, w);
	ev->hdr.cpu = cpu(w, 0);
}

static void tell_connect(struct story *s, struct words *w)
{
	net(s, w, RSP_NET_CONNECT, next_tid(w, "who connects"));
}

static void tell_ready(struct story *s, struct words *w)
{
	net(s, w, RSP_NET_READY, 0);
}

static void tell_established(struct story *s, struct words *w)
{
	net(s, w, RSP_NET_ESTABLISHED, 0);
}

static void tell_close(struct story *s, struct words *w)
{
	net(s, w, RSP_NET_CLOSE, 0);
}

/* --- interrupts, work, samples, losses ---------------------------------------------------- */

static struct rsp_ev_irq *interrupt(struct story *s, struct words *w, __u16 flags, __u32 vector)
{
	struct rsp_ev_irq *ev = story_record(s, RSP_EV_IRQ, sizeof(*ev), flags);
	__u64 from_ns = value_ms(w, "from", s->now_ns);

	if (from_ns > s->now_ns)
		words_fail(w, "it ends before it begins");
	ev->tid = current(s, w);
	ev->hdr.cpu = cpu(w, 0);
	ev->vector = vector;
	ev->dur_ns = s->now_ns - from_ns;
	return ev;
}

static void tell_interrupt(struct story *s, struct words *w)
{
	__u64 handler = story_next_id(w, "the handler");

	__u32 vector = (__u32)words_value(w, "vector", UINT32_MAX, 0);

	interrupt(s, w, RSP_IRQ_HARD, vector)->object = handler;
}

static void tell_softirq(struct story *s, struct words *w)
{
	__u32 vector = (__u32)words_number(w, "the vector", UINT32_MAX);
	struct rsp_ev_irq *ev = interrupt(s, w, RSP_IRQ_SOFT, vector);

	ev->more_cnt = (__u32)words_value(w, "more", UINT32_MAX, 0);
	if (ev->more_cnt)
		ev->longest_ns = (__u32)(value_ms(w, "longest", story_ns("0")) - story_ns("0"));
}

/* Reads the origin of a work item: a thread ("10"), an interrupt ("net:77"), or unknown ("?"). */
static void queued_by(struct story *s, struct words *w, const char *queuer, struct rsp_ev_work *ret)
{
	const char *colon = strchr(queuer, ':');

	if (strcmp(queuer, "?") == 0)
		return;
	if (colon) {
		ret->context = context_of(w, queuer, (size_t)(colon - queuer));
		ret->cause = strtoull(colon + 1, NULL, 10);
		ret->queuer_tid = current(s, w);
		return;
	}
	ret->context = RSP_WAKE_TASK;
	ret->queuer_tid = (__u32)strtoul(queuer, NULL, 10);
	if (ret->queuer_tid == 0)
		words_fail(w, "who queued it: \"%s\"", queuer);
}

static void tell_work(struct story *s, struct words *w)
{
	struct rsp_ev_work *ev = story_record(s, RSP_EV_WORK, sizeof(*ev), 0);

	ev->worker_tid = next_tid(w, "the worker");
	queued_by(s, w, words_next(w, "who queued it"), ev);
	ev->function = story_next_id(w, "its function");
	ev->queued_ns = value_ms(w, "queued", 0);
	ev->hdr.cpu = cpu(w, s->cpu_of[ev->worker_tid]);
}

static void tell_sample(struct story *s, struct words *w)
{
	struct rsp_ev_sample *ev = story_record(s, RSP_EV_SAMPLE, sizeof(*ev), 0);

	ev->tid = next_tid(w, "the thread");
	ev->hdr.cpu = cpu(w, s->cpu_of[ev->tid]);
	ev->period_us = (__u32)words_value(w, "us", UINT32_MAX, 0);
	ev->kstack = story_value_id(w, "k");
	ev->ustack = story_value_id(w, "u");
}

static void tell_lost(struct story *s, struct words *w)
{
	struct rsp_ev_lost *ev = story_record(s, RSP_EV_LOST, sizeof(*ev), 0);

	ev->from_ns = next_ms(w, "since when");
	ev->lost_cnt = words_value(w, "cnt", NUMBER_MAX, 1);
	ev->kinds = words_value(w, "kinds", NUMBER_MAX, 1 << RSP_EV_SWITCH);
	ev->hdr.flags = words_flag(w, "births") ? RSP_LOST_BIRTHS : 0;
	ev->hdr.cpu = cpu(w, 0);
}

static void tell_pause(struct story *s, struct words *w)
{
	struct rsp_ev_lost *ev = story_record(s, RSP_EV_LOST, sizeof(*ev), RSP_LOST_PAUSED);

	ev->from_ns = next_ms(w, "since when");
	ev->kinds = 1 << RSP_EV_SWITCH | 1 << RSP_EV_WAKING;
	ev->hdr.flags |= words_flag(w, "requested") ? RSP_LOST_REQUESTED : 0;
}

static void tell_shed(struct story *s, struct words *w)
{
	struct rsp_ev_shed *ev = story_record(s, RSP_EV_SHED, sizeof(*ev), 0);

	ev->from_ns = next_ms(w, "since when");
	ev->hdr.flags = (__u16)words_value(w, "flags", NUMBER_MAX, RSP_SHED_SAMPLES_LAST);
	ev->step = (__u32)words_value(w, "step", NUMBER_MAX, RSP_SHED_WAKER_STACKS);
	ev->budget_ppm = (__u32)words_value(w, "budget", NUMBER_MAX, 10000);
}

/* --- the whole ---------------------------------------------------------------------------- */

static const struct {
	const char *verb;
	void (*add)(struct story *s, struct words *w);
} verbs[] = {
	{"window", tell_window},
	{"host", tell_host},
	{"target", tell_target},
	{"slo", tell_slo},
	{"alive", tell_alive},
	{"kthread", tell_kthread},
	{"exec", tell_exec},
	{"name", tell_name},
	{"fork", tell_fork},
	{"exit", tell_exit},
	{"run", tell_run},
	{"block", tell_block},
	{"to", tell_to},
	{"preempt", tell_preempt},
	{"dead", tell_dead},
	{"seed", tell_seed},
	{"wake", tell_wake},
	{"new", tell_new},
	{"irq", tell_irq},
	{"disk", tell_disk},
	{"socket", tell_socket},
	{"unixsocket", tell_unix_socket},
	{"send", tell_send},
	{"message", tell_message},
	{"connect", tell_connect},
	{"ready", tell_ready},
	{"established", tell_established},
	{"close", tell_close},
	{"interrupt", tell_interrupt},
	{"softirq", tell_softirq},
	{"work", tell_work},
	{"sample", tell_sample},
	{"lost", tell_lost},
	{"shed", tell_shed},
	{"mark", story_tell_mark},
	{"container", story_tell_container},
	{"pressure", story_tell_pressure},
	{"memory", story_tell_memory},
	{"load", story_tell_load},
	{"file", story_tell_file},
	{"node", story_tell_node},
	{"anon", story_tell_anon},
	{"pipe", story_tell_pipe},
	{"unix", story_tell_unix},
	{"other", story_tell_other},
	{"handler", story_tell_handler},
	{"cgroup", story_tell_cgroup},
	{"drive", story_tell_drive},
	{"kstack", story_tell_kstack},
	{"ustack", story_tell_ustack},
	{"binary", story_tell_binary},
	{"frames", story_tell_frames},
	{"held", tell_held},
	{"resend", tell_resend},
	{"reclaim", tell_reclaim},
	{"pause", tell_pause},
	{"account", story_tell_account},
	{"calls", story_tell_calls},
	{"cputime", story_tell_cpu_time},
	{"stolen", story_tell_stolen},
	{"memsum", story_tell_memory_sum},
	{"memwatch", story_tell_memory_watch},
};

void story_add(struct story *s, struct words *w)
{
	const char *verb;

	s->now_ns = next_ms(w, "the time");
	verb = words_next(w, "the verb");
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]) && !*w->error; i++) {
		if (strcmp(verb, verbs[i].verb) != 0)
			continue;
		verbs[i].add(s, w);
		words_done(w);
		return;
	}
	words_fail(w, "there is no verb \"%s\"", verb);
}
