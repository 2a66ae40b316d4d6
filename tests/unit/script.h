/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A few lines of text -> a trace, so that a test reads like what happened. Each line is a time in
 * milliseconds, a verb, its arguments; CPUs are remembered, so most lines need not name one.
 *
 *	0 alive 10 make              found alive (TASK seed); a third argument is its tgid
 *	0 kthread 7 kworker/0:1
 *	1 fork 10 11                 10 makes 11, of the same name; a third argument is its tgid
 *	2 exec 11 cc1 / 2 name 11 x / 3 exit 11
 *	0 run 10 [cpu=1]             in, from idle
 *	5 block 10 [OPTIONS]         out, to idle
 *	5 to 10 20 [OPTIONS]         10 blocks and 20 comes in
 *	5 preempt 10 20              20 takes the CPU from 10
 *	9 dead 11                    leaves the CPU for good
 *	0 seed 10 [OPTIONS]          found blocked
 *	9 wake 20 10                 20 wakes 10; 0 is the idle task
 *	1 new 10 11                  first wakeup
 *	9 irq net 77 10 [cpu=0] [k=1] hard soft timer ktimer block net ipi; the cause; whom
 *	3 sample 10 [k=1] [u=2]
 *	3 disk insert 99 [obj=5] [meta] [bytes=4096]  insert, issue, complete; the request
 *	0 file 5 /var/log/x / 0 anon 6 [timerfd] / 0 pipe 7 / 0 handler 8 eth0
 *	0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 [udp]    SOCKET id 70 of sk 77
 *	3 send 10 77 70 / 3 connect 10 77 70 / 4 ready 77 70
 *	0 kstack 1 leaf,caller / 0 ustack 2 leaf,caller
 *	8 lost 6                     records were lost from 6 to 8
 *	0 window 0 20 [oldest]       the span asked for, where the recording begins
 *	0 target 10 [start]
 *
 * OPTIONS: sys=N obj=N k=N u=N futex sleep timeout fault kthread iowait.
 * Time 0 is BASE_NS, so that no time is 0.
 */
#ifndef RSP_TESTS_SCRIPT_H
#define RSP_TESTS_SCRIPT_H

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/symbols/symbols.h"
#include "lib/model/trace.h"

#define BASE_NS	    1000000000ULL
#define KTHREADD    2 /* parent of all kernel threads */
#define SCRIPT_TIDS 65536
#define SCRIPT_CPUS 65536

struct script {
	struct rsp_snapshot snap;
	struct rsp_section sections[2];
	struct rsp_trace *trace;
	char *records;
	size_t len, cap;
	struct rsp_symbols_builder *symbols;
	void *symbols_data;
	__u16 cpu_of[SCRIPT_TIDS];
	__u32 on_cpu[SCRIPT_CPUS];
	char comm_of[SCRIPT_TIDS][RSP_TASK_COMM_LEN];
	__u64 now_ns;
	char *args[16];
	int arg_cnt;
};

static inline __u64 script_ns(const char *ms)
{
	return BASE_NS + (__u64)(strtod(ms, NULL) * 1e6 + 0.5);
}

/* Appends a record of that size, header filled in; valid until the next one. */
static inline void *script_record(struct script *s, __u16 kind, size_t size, __u16 flags)
{
	struct rsp_ev_hdr *hdr;

	if (s->len + size > s->cap) {
		s->cap = (s->len + size) * 2;
		s->records = realloc(s->records, s->cap);
		assert(s->records);
	}
	hdr = (void *)(s->records + s->len);
	memset(hdr, 0, size);
	*hdr = (struct rsp_ev_hdr){
		.ts_ns = s->now_ns, .kind = kind, .size = (__u16)size, .flags = flags};
	s->len += size;
	return hdr;
}

/* The n-th argument after time and verb. */
static inline const char *script_arg(const struct script *s, int n)
{
	return n + 2 < s->arg_cnt ? s->args[n + 2] : "0";
}

static inline __u32 script_num(const struct script *s, int n)
{
	return (__u32)strtoul(script_arg(s, n), NULL, 10);
}

/* The value of "key=value", or otherwise. */
static inline __u64 script_value(const struct script *s, const char *key, __u64 otherwise)
{
	size_t len = strlen(key);

	for (int i = 2; i < s->arg_cnt; i++)
		if (strncmp(s->args[i], key, len) == 0 && s->args[i][len] == '=')
			return strtoull(s->args[i] + len + 1, NULL, 10);
	return otherwise;
}

static inline bool script_has(const struct script *s, const char *word)
{
	for (int i = 2; i < s->arg_cnt; i++)
		if (strcmp(s->args[i], word) == 0)
			return true;
	return false;
}

static inline void script_switch(struct script *s, __u32 prev, __u32 next, __u16 flags, __u32 state)
{
	static const struct {
		const char *word;
		__u16 flag;
	} words[] = {
		{"futex", RSP_SW_FUTEX},     {"sleep", RSP_SW_SLEEP}, {"timeout", RSP_SW_TIMEOUT},
		{"kthread", RSP_SW_KTHREAD}, {"fault", RSP_SW_FAULT}, {"iowait", RSP_SW_IOWAIT},
	};
	__u16 cpu = (__u16)script_value(s, "cpu", prev ? s->cpu_of[prev] : 0);
	struct rsp_ev_switch *ev;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (script_has(s, words[i].word))
			flags |= words[i].flag;
	ev = script_record(s, RSP_EV_SWITCH, sizeof(*ev), flags);
	ev->hdr.cpu = cpu;
	ev->prev_tid = prev;
	ev->next_tid = next;
	ev->prev_state = state;
	ev->syscall_nr = (__s32)script_value(s, "sys", (__u64)-1);
	ev->object = script_value(s, "obj", 0);
	ev->kstack = script_value(s, "k", 0);
	ev->ustack = script_value(s, "u", 0);
	if (flags & RSP_SW_SEED)
		return;
	s->cpu_of[next] = cpu;
	s->on_cpu[cpu] = next;
}

static inline void script_task(struct script *s, __u32 tid, __u32 tgid, __u32 ptid, __u16 reason,
			       const char *comm)
{
	struct rsp_ev_task *ev = script_record(s, RSP_EV_TASK, sizeof(*ev), reason);

	snprintf(ev->comm, sizeof(ev->comm), "%s", comm);
	memcpy(s->comm_of[tid], ev->comm, sizeof(ev->comm));
	ev->hdr.cpu = (__u16)script_value(s, "cpu", s->cpu_of[tid]);
	ev->tid = tid;
	ev->tgid = tgid ? tgid : tid;
	ev->ptid = ptid;
	ev->attrs = ptid == KTHREADD ? RSP_TASK_ATTR_KTHREAD : 0;
	ev->start_ns = reason == RSP_TASK_FORK ? s->now_ns : script_value(s, "start", 0);
}

static inline void script_waking(struct script *s, __u32 waker, __u32 wakee, __u32 context,
				 __u64 cause, __u16 flags)
{
	struct rsp_ev_waking *ev = script_record(s, RSP_EV_WAKING, sizeof(*ev), flags);

	ev->hdr.cpu = (__u16)script_value(s, "cpu", waker ? s->cpu_of[waker] : 0);
	ev->waker_tid = waker;
	ev->wakee_tid = wakee;
	ev->context = context;
	ev->cause = cause;
	ev->kstack = script_value(s, "k", 0);
}

static inline void script_irq(struct script *s)
{
	static const char *const names[] = {
		[RSP_WAKE_HARDIRQ] = "hard", [RSP_WAKE_SOFTIRQ] = "soft",
		[RSP_WAKE_TIMER] = "timer",  [RSP_WAKE_KTIMER] = "ktimer",
		[RSP_WAKE_BLOCK] = "block",  [RSP_WAKE_NET] = "net",
		[RSP_WAKE_IRQ] = "ipi",
	};

	__u32 current = s->on_cpu[script_value(s, "cpu", 0)];

	for (__u32 i = RSP_WAKE_HARDIRQ; i <= RSP_WAKE_IRQ; i++)
		if (strcmp(script_arg(s, 0), names[i]) == 0)
			script_waking(s, current, script_num(s, 2), i, script_num(s, 1), 0);
}

static inline void script_disk(struct script *s)
{
	const char *step = script_arg(s, 0);
	struct rsp_ev_block *ev = script_record(s, RSP_EV_BLOCK, sizeof(*ev), 0);

	ev->hdr.flags = strcmp(step, "insert") == 0  ? RSP_BLK_INSERT
			: strcmp(step, "issue") == 0 ? RSP_BLK_ISSUE
						     : RSP_BLK_COMPLETE;
	ev->hdr.cpu = (__u16)script_value(s, "cpu", 0);
	ev->tid = s->on_cpu[ev->hdr.cpu];
	ev->request = script_num(s, 1);
	ev->dev = 8 << 20;
	ev->bytes = (__u32)script_value(s, "bytes", 4096);
	ev->op_flags = script_has(s, "meta") ? 1 << 12 : 0; /* REQ_META */
	ev->object = script_value(s, "obj", 0);
}

static inline void script_object(struct script *s, __u32 type, const char *name)
{
	struct rsp_ev_object *ev = script_record(s, RSP_EV_OBJECT, sizeof(*ev), 0);
	const char *end = name + strlen(name), *start;

	ev->id = script_num(s, 0);
	ev->type = type;
	if (type != RSP_OBJ_FILE) {
		ev->name_len = (__u32)(end - name + 1);
		memcpy(ev->name, name, ev->name_len);
		return;
	}
	for (; end > name; end = start - 1) { /* leaf first, without slashes */
		for (start = end; start[-1] != '/';)
			start--;
		memcpy(ev->name + ev->name_len, start, (size_t)(end - start));
		ev->name_len += (__u32)(end - start) + 1;
	}
}

static inline void script_address(const char *text, __u8 *addr, __u16 *port)
{
	char ip[64];
	const char *colon = strrchr(text, ':');

	if (*text == '[')
		snprintf(ip, sizeof(ip), "%.*s", (int)(colon - text) - 2, text + 1);
	else
		snprintf(ip, sizeof(ip), "%.*s", (int)(colon - text), text);
	*port = (__u16)strtoul(colon + 1, NULL, 10);
	assert(inet_pton(strchr(ip, ':') ? AF_INET6 : AF_INET, ip, addr) == 1);
}

static inline void script_socket(struct script *s)
{
	struct rsp_ev_socket *ev = script_record(s, RSP_EV_SOCKET, sizeof(*ev), 0);

	ev->id = script_num(s, 0);
	ev->sk = script_num(s, 1);
	ev->family = strchr(script_arg(s, 2), ':') != strrchr(script_arg(s, 2), ':') ? AF_INET6
										     : AF_INET;
	ev->protocol = script_has(s, "udp") ? IPPROTO_UDP : IPPROTO_TCP;
	script_address(script_arg(s, 2), ev->local, &ev->local_port);
	script_address(script_arg(s, 3), ev->remote, &ev->remote_port);
}

static inline void script_net(struct script *s, __u16 flags, __u32 tid, int first)
{
	struct rsp_ev_net *ev = script_record(s, RSP_EV_NET, sizeof(*ev), flags);

	ev->tid = tid;
	ev->sk = script_num(s, first);
	ev->object = script_num(s, first + 1);
}

static inline void script_stack(struct script *s, __u16 flags)
{
	char *frame, *rest = s->args[3];
	struct rsp_ev_stack *ev;
	__u64 id = script_num(s, 0);
	int r = rsp_symbols_add_stack(s->symbols, id);

	ev = script_record(s, RSP_EV_STACK, sizeof(*ev), flags);
	ev->id = id;
	while (r == 0 && (frame = strsep(&rest, ",")))
		r = rsp_symbols_add_frame(s->symbols, frame, "m");
	assert(r == 0);
}

static inline void script_bounds(struct script *s)
{
	s->snap.meta.since_ns = script_ns(script_arg(s, 0));
	s->snap.meta.until_ns = script_ns(script_arg(s, 1));
	s->snap.meta.window_oldest_ns = script_ns(script_arg(s, s->arg_cnt > 4 ? 2 : 0));
}

static inline void script_lost(struct script *s)
{
	struct rsp_ev_lost *ev = script_record(s, RSP_EV_LOST, sizeof(*ev), 0);

	ev->from_ns = script_ns(script_arg(s, 0));
	ev->lost_cnt = 1;
	ev->kinds = script_value(s, "kinds", 1 << RSP_EV_SWITCH);
}

static inline void script_sample(struct script *s)
{
	struct rsp_ev_sample *ev = script_record(s, RSP_EV_SAMPLE, sizeof(*ev), 0);

	ev->tid = script_num(s, 0);
	ev->hdr.cpu = s->cpu_of[ev->tid];
	ev->kstack = script_value(s, "k", 0);
	ev->ustack = script_value(s, "u", 0);
}

static inline void script_exit(struct script *s)
{
	struct rsp_ev_exit *ev = script_record(s, RSP_EV_EXIT, sizeof(*ev), 0);

	ev->tid = script_num(s, 0);
	ev->hdr.cpu = s->cpu_of[ev->tid];
}

/* One line, already split. Returns false for a verb that does not exist. */
static inline bool script_line(struct script *s)
{
	const char *verb = s->args[1];
	__u32 a = script_num(s, 0), b = script_num(s, 1), c = script_num(s, 2);

	s->now_ns = script_ns(s->args[0]);
	if (strcmp(verb, "alive") == 0)
		script_task(s, a, c, 1, RSP_TASK_SEED, script_arg(s, 1));
	else if (strcmp(verb, "kthread") == 0)
		script_task(s, a, 0, KTHREADD, RSP_TASK_SEED, script_arg(s, 1));
	else if (strcmp(verb, "fork") == 0)
		script_task(s, b, c, a, RSP_TASK_FORK, s->comm_of[a]);
	else if (strcmp(verb, "exec") == 0)
		script_task(s, a, 0, 1, RSP_TASK_EXEC, script_arg(s, 1));
	else if (strcmp(verb, "name") == 0)
		script_task(s, a, 0, 1, RSP_TASK_NAME, script_arg(s, 1));
	else if (strcmp(verb, "exit") == 0)
		script_exit(s);
	else if (strcmp(verb, "run") == 0)
		script_switch(s, 0, a, 0, 0);
	else if (strcmp(verb, "block") == 0)
		script_switch(s, a, 0, 0, 1);
	else if (strcmp(verb, "to") == 0)
		script_switch(s, a, b, 0, 1);
	else if (strcmp(verb, "preempt") == 0)
		script_switch(s, a, b, RSP_SW_PREEMPTED, 0);
	else if (strcmp(verb, "dead") == 0)
		script_switch(s, a, 0, 0, 0x80);
	else if (strcmp(verb, "seed") == 0)
		script_switch(s, a, 0, RSP_SW_SEED, 0);
	else if (strcmp(verb, "wake") == 0)
		script_waking(s, a, b, RSP_WAKE_TASK, 0, 0);
	else if (strcmp(verb, "new") == 0)
		script_waking(s, a, b, RSP_WAKE_TASK, 0, RSP_WK_NEW);
	else if (strcmp(verb, "irq") == 0)
		script_irq(s);
	else if (strcmp(verb, "sample") == 0)
		script_sample(s);
	else if (strcmp(verb, "disk") == 0)
		script_disk(s);
	else if (strcmp(verb, "file") == 0)
		script_object(s, RSP_OBJ_FILE, script_arg(s, 1));
	else if (strcmp(verb, "anon") == 0)
		script_object(s, RSP_OBJ_ANON, script_arg(s, 1));
	else if (strcmp(verb, "pipe") == 0)
		script_object(s, RSP_OBJ_PIPE, "");
	else if (strcmp(verb, "handler") == 0)
		script_object(s, RSP_OBJ_IRQ, script_arg(s, 1));
	else if (strcmp(verb, "socket") == 0)
		script_socket(s);
	else if (strcmp(verb, "send") == 0)
		script_net(s, RSP_NET_SEND, a, 1);
	else if (strcmp(verb, "connect") == 0)
		script_net(s, RSP_NET_CONNECT, a, 1);
	else if (strcmp(verb, "ready") == 0)
		script_net(s, RSP_NET_READY, 0, 0);
	else if (strcmp(verb, "kstack") == 0)
		script_stack(s, RSP_STACK_KERNEL);
	else if (strcmp(verb, "ustack") == 0)
		script_stack(s, RSP_STACK_USER);
	else if (strcmp(verb, "lost") == 0)
		script_lost(s);
	else if (strcmp(verb, "window") == 0)
		script_bounds(s);
	else if (strcmp(verb, "target") == 0) {
		s->snap.meta.target_pid = a;
		s->snap.meta.target_start_ns = script_value(s, "start", 0);
	} else
		return false;
	return true;
}

static inline void script_parse(struct script *s, const char *text)
{
	char *copy = strdup(text), *rest = copy, *line;

	assert(copy);
	while ((line = strsep(&rest, ";\n"))) {
		char *word;

		s->arg_cnt = 0;
		while ((word = strsep(&line, " \t")) && s->arg_cnt < 16)
			if (*word)
				s->args[s->arg_cnt++] = word;
		if (s->arg_cnt == 0)
			continue;
		if (s->arg_cnt < 2 || !script_line(s)) {
			fprintf(stderr, "script: cannot read the line with \"%s\"\n", s->args[0]);
			abort();
		}
	}
	free(copy);
}

static inline struct script *script_begin(void)
{
	struct script *s = calloc(1, sizeof(*s));
	int r;

	assert(s);
	s->snap.meta.target_pid = 10;
	r = rsp_symbols_builder_new(&s->symbols);
	assert(r == 0);
	return s;
}

static inline void script_finish(struct script *s)
{
	size_t symbols_len;
	int r;

	r = rsp_symbols_builder_finish(s->symbols, &s->symbols_data, &symbols_len);
	assert(r == 0);
	s->sections[0] = (struct rsp_section){RSP_SEC_EVENTS, s->records, s->len};
	s->sections[1] = (struct rsp_section){RSP_SEC_SYMBOLS, s->symbols_data, symbols_len};
	s->snap.sections = s->sections;
	s->snap.section_cnt = 2;
	r = rsp_trace_new(&s->snap, &s->trace);
	assert(r == 0);
}

/* The trace of a script. Free with script_free(). */
static inline struct script *script_new(const char *text)
{
	struct script *s = script_begin();

	script_parse(s, text);
	script_finish(s);
	return s;
}

static inline void script_free(struct script *s)
{
	rsp_trace_free(s->trace);
	rsp_symbols_builder_free(s->symbols);
	free(s->symbols_data);
	free(s->records);
	free(s);
}

#endif
