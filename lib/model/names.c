/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See names.h. */
#include "lib/model/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/syscalls.h"
#include "lib/base/text.h"
#include "lib/model/model.h"
#include "lib/snapshot/decode.h"
#include "lib/trace/trace-container.h"

int rsp_names_new(const struct rsp_trace *trace, struct rsp_names **ret)
{
	size_t identity_cnt = rsp_trace_identity_cnt(trace);
	struct rsp_names *n = calloc(1, sizeof(*n));
	uint32_t id;

	if (!n)
		return -ENOMEM;
	n->trace = trace;
	n->of_identity = malloc((identity_cnt + 1) * sizeof(*n->of_identity));
	if (n->of_identity)
		memset(n->of_identity, 0xff, identity_cnt * sizeof(*n->of_identity));
	if (!n->of_identity || rsp_intern_put(&n->texts, "", 0, &id) < 0 ||
	    rsp_intern_put(&n->frame_lists, "", 0, &id) < 0) {
		rsp_names_free(n);
		return -ENOMEM;
	}
	*ret = n;
	return 0;
}

struct rsp_names *rsp_names_free(struct rsp_names *n)
{
	if (!n)
		return NULL;
	rsp_intern_done(&n->texts);
	rsp_intern_done(&n->frame_lists);
	rsp_idmap_done(&n->of_object);
	rsp_idmap_done(&n->of_cgroup);
	rsp_idmap_done(&n->of_device);
	rsp_idmap_done(&n->of_function);
	rsp_idmap_done(&n->of_softirq);
	rsp_idmap_done(&n->of_syscall);
	rsp_idmap_done(&n->of_stacks);
	free(n->of_identity);
	free(n);
	return NULL;
}

const char *rsp_names_text(const struct rsp_names *n, __u32 id)
{
	return rsp_intern_data(&n->texts, id);
}

const struct rsp_frame *rsp_names_frames(const struct rsp_names *n, __u32 id, size_t *ret_cnt)
{
	*ret_cnt = rsp_intern_len(&n->frame_lists, id) / sizeof(struct rsp_frame);
	return rsp_intern_data(&n->frame_lists, id);
}

static __u32 put(struct rsp_names *n, struct rsp_intern *in, const void *data, size_t len)
{
	uint32_t id = 0;
	int r;

	if (n->error)
		return 0;
	r = rsp_intern_put(in, data, len, &id);
	if (r < 0)
		n->error = r;
	return id;
}

static void remember(struct rsp_names *n, struct rsp_idmap *map, __u64 key, __u32 id)
{
	int r = rsp_idmap_put(map, key, id);

	if (r < 0)
		n->error = r;
}

__u32 rsp_names_add(struct rsp_names *n, const char *text)
{
	return put(n, &n->texts, text, strlen(text));
}

/*
 * Removes the number from names such as ksoftirqd/0, kworker/1:2H and kworker/u8:3, but not from
 * names such as jbd2/sda1-8.
 */
static void drop_number(char *comm)
{
	char *slash = strchr(comm, '/');
	const char *number;
	size_t len;

	if (!slash)
		return;
	number = slash + 1 + (slash[1] == 'u');
	len = strspn(number, "0123456789:");
	if (len && strcmp(number + len, number[len] == 'H' ? "H" : "") == 0)
		*slash = '\0';
}

static __u32 name_identity(struct rsp_names *n, const struct rsp_ev_task *task)
{
	struct rsp_ev_task named = *task;
	char comm[RSP_COMM_MAX];

	if (task->attrs & RSP_TASK_ATTR_KTHREAD)
		drop_number(named.comm);
	return rsp_names_add(n, rsp_meta_comm(&n->trace->snap->meta, &named, comm));
}

static __u32 name_thread(struct rsp_names *n, __u32 tid, struct rsp_identities of, __u64 ts_ns)
{
	__u32 identity = rsp_trace_identity(n->trace, of, ts_ns);
	char text[16];

	if (identity == RSP_NO_IDENTITY) {
		snprintf(text, sizeof(text), "[%u]", rsp_host_tid(tid));
		return rsp_names_add(n, text);
	}
	if (n->of_identity[identity] == UINT32_MAX)
		n->of_identity[identity] = name_identity(
			n, rsp_trace_identity_task(n->trace, identity));
	return n->of_identity[identity];
}

__u32 rsp_names_tid(struct rsp_names *n, __u32 tid, __u64 ts_ns)
{
	return name_thread(n, tid, rsp_trace_identities(n->trace, tid), ts_ns);
}

__u32 rsp_names_thread(struct rsp_names *n, const struct rsp_thread *t, __u64 ts_ns)
{
	return name_thread(n, t->tid, t->identities, ts_ns);
}

#define OBJECT_TEXT_MAX (2 * RSP_NAME_MAX)

static __u32 name_socket(struct rsp_names *n, const struct rsp_ev_socket *sock)
{
	const struct rsp_ev_object *path = rsp_trace_unix_path(n->trace, sock);
	char text[OBJECT_TEXT_MAX];

	if (path)
		rsp_object_name(path, text, sizeof(text));
	else if (sock->remote_port)
		rsp_socket_remote(sock, text, sizeof(text));
	else
		rsp_socket_local(sock, text, sizeof(text));
	return rsp_names_add(n, text);
}

__u32 rsp_names_object(struct rsp_names *n, __u64 id)
{
	const struct rsp_ev_object *obj;
	const struct rsp_ev_socket *sock;
	char text[OBJECT_TEXT_MAX];
	uint64_t known = 0;

	if (id == 0 || rsp_idmap_get(&n->of_object, id, &known))
		return (__u32)known;
	obj = rsp_trace_object(n->trace, id);
	sock = rsp_trace_socket(n->trace, id);
	if (obj)
		known = rsp_names_add(n, rsp_object_name(rsp_trace_whole_path(n->trace, obj), text,
							 sizeof(text)));
	else if (sock)
		known = name_socket(n, sock);
	remember(n, &n->of_object, id, (__u32)known);
	return (__u32)known;
}

__u32 rsp_names_container(struct rsp_names *n, const struct rsp_ev_task *task)
{
	char text[RSP_CONTAINER_PRINTED_BYTES];
	uint64_t known = 0;

	if (!task || rsp_idmap_get(&n->of_cgroup, task->cgroup_id, &known))
		return (__u32)known;
	known = rsp_names_add(n, rsp_trace_container(n->trace, task->cgroup_id, text));
	remember(n, &n->of_cgroup, task->cgroup_id, (__u32)known);
	return (__u32)known;
}

__u32 rsp_names_device(struct rsp_names *n, __u32 dev)
{
	uint64_t known;
	char text[32];

	if (rsp_idmap_get(&n->of_device, dev, &known))
		return (__u32)known;
	known = rsp_names_object(n, RSP_DISK_ID(dev));
	if (!known) {
		snprintf(text, sizeof(text), "disk %u:%u", rsp_host_dev(dev) >> 20, dev & 0xfffff);
		known = rsp_names_add(n, text);
	}
	remember(n, &n->of_device, dev, (__u32)known);
	return (__u32)known;
}

/*
 * Names of futexes outside of the process of interest have no address, so that equal chains are
 * merged.
 */
static __u32 name_futex(struct rsp_names *n, const struct rsp_ev_switch *out)
{
	const struct rsp_ev_task *task = rsp_trace_task(n->trace, out->prev_tid, out->hdr.ts_ns);
	char text[40];

	if (!task || task->tgid != n->trace->snap->meta.target_pid)
		return rsp_names_add(n, "futex");
	snprintf(text, sizeof(text), "futex 0x%llx", out->object);
	return rsp_names_add(n, text);
}

__u32 rsp_names_wait(struct rsp_names *n, const struct rsp_ev_switch *out)
{
	if (!out)
		return 0;
	if (out->hdr.flags & RSP_SW_FUTEX)
		return name_futex(n, out);
	return rsp_names_object(n, out->object);
}

static __u32 name_syscall(struct rsp_names *n, int nr)
{
	const char *name = rsp_syscall_name(nr);
	char text[24];

	if (name)
		return rsp_names_add(n, name);
	snprintf(text, sizeof(text), "syscall %d", nr);
	return rsp_names_add(n, text);
}

__u32 rsp_names_syscall(struct rsp_names *n, const struct rsp_ev_switch *out)
{
	uint64_t known;

	if (!out)
		return 0;
	if (out->hdr.flags & RSP_SW_FAULT)
		return rsp_names_add(n, "page fault");
	/* with these flags, the record contains no system call */
	if (out->syscall_nr < 0 || (out->hdr.flags & (RSP_SW_KTHREAD | RSP_SW_UNREADABLE)))
		return 0;
	if (rsp_idmap_get(&n->of_syscall, (__u64)out->syscall_nr, &known))
		return (__u32)known;
	known = name_syscall(n, out->syscall_nr);
	remember(n, &n->of_syscall, (__u64)out->syscall_nr, (__u32)known);
	return (__u32)known;
}

/* In the recording, a function is a stack of one frame, with the function's address as its id. */
__u32 rsp_names_function(struct rsp_names *n, __u64 address)
{
	uint64_t known = 0;

	if (address == 0 || rsp_idmap_get(&n->of_function, address, &known))
		return (__u32)known;
	if (rsp_trace_frames(n->trace, address, n->scratch, 1))
		known = rsp_names_add(n, n->scratch[0].symbol);
	remember(n, &n->of_function, address, (__u32)known);
	return (__u32)known;
}

static __u32 name_softirq(struct rsp_names *n, __u64 vector)
{
	/* in the order of include/linux/interrupt.h */
	static const char *const softirqs[] = {
		"HI",	    "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
		"IRQ_POLL", "TASKLET", "SCHED",	 "HRTIMER", "RCU",
	};
	char text[32] = "softirq";
	uint64_t known;

	if (rsp_idmap_get(&n->of_softirq, vector, &known))
		return (__u32)known;
	if (vector < sizeof(softirqs) / sizeof(softirqs[0]))
		snprintf(text, sizeof(text), "softirq %s", softirqs[vector]);
	known = rsp_names_add(n, text);
	remember(n, &n->of_softirq, vector, (__u32)known);
	return (__u32)known;
}

__u32 rsp_names_interrupt(struct rsp_names *n, const struct rsp_ev_waking *waking)
{
	__u32 function;

	switch (waking->context) {
	case RSP_WAKE_SOFTIRQ:
		return name_softirq(n, waking->cause);
	case RSP_WAKE_KTIMER:
		function = rsp_names_function(n, waking->cause);
		return function ? function : rsp_names_add(n, "kernel timer");
	case RSP_WAKE_IRQ:
		return rsp_names_add(n, "interrupt");
	case RSP_WAKE_TASK:
		return rsp_names_add(n, "idle task");
	}
	return 0;
}

/*
 * Replaces the strings of the frames by copies that n owns, so that equal strings have equal
 * addresses.
 */
static void own_frames(struct rsp_names *n, size_t cnt)
{
	for (size_t i = 0; i < cnt; i++) {
		struct rsp_frame frame;

		memset(&frame, 0, sizeof(frame)); /* the padding is compared, too */
		frame.symbol = rsp_names_text(n, rsp_names_add(n, n->scratch[i].symbol));
		frame.module = rsp_names_text(n, rsp_names_add(n, n->scratch[i].module));
		frame.kernel = n->scratch[i].kernel;
		memcpy(&n->scratch[i], &frame, sizeof(frame));
	}
}

__u32 rsp_names_stack(struct rsp_names *n, __u64 kstack, __u64 ustack)
{
	__u64 key = rsp_names_stack_key(kstack, ustack);
	uint64_t known = 0;
	size_t cnt;

	if ((kstack == 0 && ustack == 0) || rsp_idmap_get(&n->of_stacks, key, &known))
		return (__u32)known;
	cnt = rsp_trace_frames(n->trace, kstack, n->scratch, RSP_NAMES_FRAMES_MAX);
	cnt += rsp_trace_frames(n->trace, ustack, n->scratch + cnt, RSP_NAMES_FRAMES_MAX - cnt);
	own_frames(n, cnt);
	known = put(n, &n->frame_lists, n->scratch, cnt * sizeof(n->scratch[0]));
	remember(n, &n->of_stacks, key, (__u32)known);
	return (__u32)known;
}
