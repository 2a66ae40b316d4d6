/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a recording from bytes, redacts it for a user, and cuts it. All data of other users are
 * marked: names begin with "secret", and addresses, numbers and sockets have values that occur
 * nowhere else. The result must contain no mark. A fuzz target and a unit test include this file.
 */
#ifndef RSP_TESTS_REDACT_PROPERTY_H
#define RSP_TESTS_REDACT_PROPERTY_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/model/cut/cut.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/redact.h"

#define PROPERTY_USER	1000
#define PROPERTY_OTHERS 1001

/*
 * Thread IDs, which do not occur by chance in other fields. A "late" thread belongs to another
 * user until BECAME_NS. Then it executes a program as the user.
 */
#define TID(n)	   (0xbe5000U + (n))
#define IS_OWN(n)  ((n) < 4)
#define IS_LATE(n) ((n) >= 4 && (n) < 6)
#define IS_KERN(n) ((n) >= 6 && (n) < 8)
#define THREADS	   12
#define BYSTANDER  11 /* another user's thread, alone on a CPU */
#define BECAME_NS  50000ULL
#define END_NS	   100000ULL

/*
 * IDs of stacks, objects and sockets. The first NAMES of each kind are visible to the user; all
 * others belong to other users.
 */
#define NAMES	       8
#define SECRET(id)     ((id) + NAMES)
#define STACK_ID(n)    (0xabcd000000000000ULL + (n))
#define OBJECT_ID(n)   (0xabce000000000000ULL + (n))
#define SOCKET_ID(n)   (0xabcf000000000000ULL + (n))
#define SK_ID(n)       (0xabd0000000000000ULL + (n))
#define KERNEL_ADDRESS 0xffffffff81770000ULL
#define SECRET_ADDRESS 0x00007e57ec2e7000ULL

struct property_input {
	const __u8 *data;
	size_t len;
};

struct property_tape {
	char *bytes;
	size_t len, cap;
};

static inline __u8 property_byte(struct property_input *in)
{
	if (!in->len)
		return 0;
	in->len--;
	return *in->data++;
}

static inline void *property_record(struct property_tape *t, __u16 kind, size_t size, __u64 ts_ns,
				    __u16 flags, __u16 cpu)
{
	struct rsp_ev_hdr *hdr;

	if (t->len + size > t->cap) {
		t->cap = 2 * (t->cap + size);
		t->bytes = realloc(t->bytes, t->cap);
		if (!t->bytes)
			abort();
	}
	hdr = (void *)(t->bytes + t->len);
	memset(hdr, 0, size);
	*hdr = (struct rsp_ev_hdr){ts_ns, kind, (__u16)size, cpu, flags};
	t->len += size;
	return hdr;
}

/* --- owners --------------------------------------------------------------------------------- */

static inline bool property_is_secret(unsigned int n, __u64 ts_ns)
{
	return IS_LATE(n) ? ts_ns < BECAME_NS : !IS_OWN(n) && !IS_KERN(n);
}

/*
 * Returns an ID of a stack, object or socket to which the thread may refer at ts_ns; sometimes 0.
 */
static inline __u64 property_id(struct property_input *in, unsigned int n, __u64 ts_ns, __u64 base)
{
	__u8 b = property_byte(in);

	if (b & 0x80)
		return 0;
	return base + (property_is_secret(n, ts_ns) ? SECRET(b % NAMES) : b % NAMES);
}

static inline void property_task(struct property_tape *t, unsigned int n, __u64 ts_ns, __u16 reason,
				 bool own)
{
	static const char *const hostile[] = {"uid 1001", "visible", "", "\033[2J"};
	struct rsp_ev_task *task = property_record(t, RSP_EV_TASK, sizeof(*task), ts_ns, reason, 0);

	task->tid = task->tgid = TID(n);
	task->uid = own ? PROPERTY_USER : PROPERTY_OTHERS;
	task->attrs = IS_KERN(n) ? RSP_TASK_ATTR_KTHREAD : 0;
	/* half of the threads of other users have the user's ID, but are closed to the user */
	if (!own && !IS_KERN(n) && n % 2) {
		task->uid = PROPERTY_USER;
		task->attrs = RSP_TASK_ATTR_CLOSED;
	}
	snprintf(task->comm, sizeof(task->comm), "%s",
		 own || IS_KERN(n) ? hostile[n % 4] : "secret-comm");
}

static inline void property_tasks(struct property_tape *t)
{
	for (unsigned int n = 0; n < THREADS; n++) {
		property_task(t, n, 0, RSP_TASK_SEED, IS_OWN(n));
		if (IS_LATE(n))
			property_task(t, n, BECAME_NS, RSP_TASK_EXEC, true);
	}
}

/* --- their names ---------------------------------------------------------------------------- */

/*
 * Makes a stack. Frames of the user may have any value, except that bit 63 is 0, because the BPF
 * programs clear this bit.
 */
static inline void property_stack(struct property_tape *t, struct property_input *in,
				  unsigned int id, bool kernel)
{
	struct rsp_ev_stack *stack = property_record(t, RSP_EV_STACK, sizeof(*stack) + 32, 0,
						     kernel ? RSP_STACK_KERNEL : RSP_STACK_USER, 0);
	bool secret = id >= NAMES;

	stack->id = STACK_ID(id);
	stack->frame_cnt = 4;
	for (unsigned int i = 0; i < 4; i++) {
		__u64 binary = secret ? SECRET(property_byte(in) % NAMES)
				      : property_byte(in) % NAMES,
		      place = (binary + 1) << RSP_FRAME_OFFSET_BITS | i;

		if (kernel)
			stack->frames[i] = KERNEL_ADDRESS + i;
		else if (property_byte(in) & 1)
			stack->frames[i] = RSP_FRAME_IN_BINARY | place;
		else if (secret)
			stack->frames[i] = SECRET_ADDRESS + i;
		else /* an offset in a binary, but without the bit RSP_FRAME_IN_BINARY */
			stack->frames[i] = (__u64)(1 + property_byte(in) % (2 * NAMES))
					   << RSP_FRAME_OFFSET_BITS;
	}
}

static inline void property_names(struct property_tape *t, struct property_input *in)
{
	for (unsigned int id = 0; id < 2 * NAMES; id++) {
		const char *name = id < NAMES ? "visible" : "secret-file";
		struct rsp_ev_object *object;
		struct rsp_ev_socket *sock;
		struct rsp_ev_binary *binary;

		property_stack(t, in, id, id % 4 == 0);
		object = property_record(t, RSP_EV_OBJECT, sizeof(*object), 0, 0, 0);
		object->id = OBJECT_ID(id);
		object->type = RSP_OBJ_FILE;
		object->name_len = (__u32)strlen(name) + 1;
		strcpy(object->name, name);
		strcpy(object->name + 64, "secret-tail");
		sock = property_record(t, RSP_EV_SOCKET, sizeof(*sock), 0, 0, 0);
		sock->id = SOCKET_ID(id);
		sock->sk = SK_ID(id);
		sock->family = AF_INET;
		sock->protocol = 6;
		sock->local_port = (__u16)(1000 + id);
		sock->remote_port = 2000;
		memcpy(sock->local, id < NAMES ? "\12\0\0\1" : "\12\66\66\66", 4);
		memcpy(sock->remote, id < NAMES ? "\12\0\0\2" : "\12\66\66\67", 4);
		if (id % 2) { /* a unix socket; the name of file id is its path */
			memset(&sock->un, 0, sizeof(sock->un));
			sock->family = AF_UNIX;
			sock->protocol = sock->local_port = sock->remote_port = 0;
			sock->un.path = OBJECT_ID(id);
			sock->un.peer = ~SK_ID(id);
		}
		binary = property_record(t, RSP_EV_BINARY, sizeof(*binary) + 32, 0, 0, 0);
		binary->number = id + 1;
		binary->tgid = TID(id % 2 ? 0 : BYSTANDER);
		snprintf(binary->path, 32, "/lib/%s", name);
	}
}

/* --- events --------------------------------------------------------------------------------- */

struct property_step {
	__u64 ts_ns;
	__u16 cpu;
	unsigned int actor, other; /* threads; nobody interacts with the bystander */
};

static inline struct property_step property_step(struct property_input *in)
{
	struct property_step s = {
		.ts_ns = (property_byte(in) * 256ULL + property_byte(in)) * END_NS / 65536,
		.actor = property_byte(in) % THREADS,
		.other = property_byte(in) % THREADS,
	};

	s.cpu = property_byte(in) % 3;
	if (s.actor == BYSTANDER || s.other == BYSTANDER) {
		s.actor = s.other = BYSTANDER;
		s.cpu = 7;
	}
	return s;
}

static inline void property_switch(struct property_tape *t, struct property_input *in,
				   const struct property_step *s)
{
	struct rsp_ev_switch *sw = property_record(t, RSP_EV_SWITCH, sizeof(*sw), s->ts_ns,
						   property_byte(in) & ~RSP_SW_FUTEX, s->cpu);

	sw->prev_tid = TID(s->actor);
	sw->next_tid = property_byte(in) & 1 || s->actor == s->other ? 0 : TID(s->other);
	sw->prev_state = property_byte(in) & 3;
	sw->object = property_id(in, s->actor, s->ts_ns, OBJECT_ID(0));
	sw->kstack = property_id(in, s->actor, s->ts_ns, STACK_ID(0));
	sw->ustack = property_id(in, s->actor, s->ts_ns, STACK_ID(0));
}

static inline void property_waking(struct property_tape *t, struct property_input *in,
				   const struct property_step *s)
{
	struct rsp_ev_waking *waking = property_record(t, RSP_EV_WAKING, sizeof(*waking), s->ts_ns,
						       0, s->cpu);

	waking->waker_tid = TID(s->actor);
	waking->wakee_tid = TID(s->other);
	waking->context = 1 + property_byte(in) % 8;
	if (waking->context == RSP_WAKE_KTIMER)
		waking->cause = KERNEL_ADDRESS + property_byte(in) % 4;
	else if (waking->context == RSP_WAKE_TASK)
		waking->cause = SECRET_ADDRESS;
	waking->kstack = property_id(in, s->actor, s->ts_ns, STACK_ID(0));
	waking->ustack = property_id(in, s->actor, s->ts_ns, STACK_ID(0));
}

static inline void property_block(struct property_tape *t, struct property_input *in,
				  const struct property_step *s)
{
	struct rsp_ev_block *block = property_record(t, RSP_EV_BLOCK, sizeof(*block), s->ts_ns,
						     (__u16)(1 << property_byte(in) % 3), s->cpu);

	block->tid = TID(s->actor);
	block->dev = s->actor == BYSTANDER ? 9 : 8;
	block->request = s->actor == BYSTANDER ? 1000 : property_byte(in) % 8;
	block->bytes = 4096;
	block->object = property_id(in, s->actor, s->ts_ns, OBJECT_ID(0));
	block->sector = property_is_secret(s->actor, s->ts_ns) ? SECRET_ADDRESS : 1;
}

/*
 * Makes a message over a unix socket. As in a damaged file, the receiver's socket may belong to
 * another user.
 */
static inline void property_message(struct property_tape *t, const struct property_step *s, __u8 n)
{
	struct rsp_ev_message *message = property_record(t, RSP_EV_MESSAGE, sizeof(*message),
							 s->ts_ns, 0, s->cpu);

	message->tid = TID(s->actor);
	message->bytes = 100;
	message->from = SOCKET_ID(n);
	message->to = SOCKET_ID((n + s->other) % (2 * NAMES));
}

static inline void property_net(struct property_tape *t, struct property_input *in,
				const struct property_step *s)
{
	__u8 byte = property_byte(in), n = byte % NAMES;
	struct rsp_ev_net *net;

	if (IS_KERN(s->actor) || property_is_secret(s->actor, s->ts_ns))
		n += NAMES;
	if (byte & 0x80) {
		property_message(t, s, n);
		return;
	}
	net = property_record(t, RSP_EV_NET, sizeof(*net), s->ts_ns, RSP_NET_SEND, s->cpu);
	net->tid = TID(s->actor);
	net->object = SOCKET_ID(n);
	net->sk = SK_ID(n);
	net->bytes = 100;
}

static inline void property_other(struct property_tape *t, struct property_input *in,
				  const struct property_step *s)
{
	struct rsp_ev_sample *sample;
	struct rsp_ev_work *work;
	struct rsp_ev_exit *ev;
	struct rsp_ev_irq *irq;

	switch (property_byte(in) % 4) {
	case 0:
		sample = property_record(t, RSP_EV_SAMPLE, sizeof(*sample), s->ts_ns, 0, s->cpu);
		sample->tid = TID(s->actor);
		sample->kstack = property_id(in, s->actor, s->ts_ns, STACK_ID(0));
		sample->ustack = property_id(in, s->actor, s->ts_ns, STACK_ID(0));
		break;
	case 1:
		irq = property_record(t, RSP_EV_IRQ, sizeof(*irq), s->ts_ns, RSP_IRQ_SOFT, s->cpu);
		irq->tid = TID(s->actor);
		irq->dur_ns = 20;
		break;
	case 2:
		work = property_record(t, RSP_EV_WORK, sizeof(*work), s->ts_ns, 0, s->cpu);
		work->worker_tid = TID(s->actor == BYSTANDER ? BYSTANDER : 6);
		work->queuer_tid = TID(s->other);
		work->context = RSP_WAKE_TASK;
		work->function = KERNEL_ADDRESS;
		break;
	default:
		if (property_byte(in) & 7)
			break;
		ev = property_record(t, RSP_EV_EXIT, sizeof(*ev), s->ts_ns, 0, s->cpu);
		ev->tid = ev->tgid = TID(s->actor);
	}
}

static inline void property_event(struct property_tape *t, struct property_input *in)
{
	struct property_step s = property_step(in);
	__u8 kind = property_byte(in) % 8;

	if (kind < 3)
		property_switch(t, in, &s);
	else if (kind < 5)
		property_waking(t, in, &s);
	else if (kind == 5)
		property_block(t, in, &s);
	else if (kind == 6)
		property_net(t, in, &s);
	else
		property_other(t, in, &s);
}

/* --- checks --------------------------------------------------------------------------------- */

static inline bool property_holds(const struct rsp_snapshot *snap, const void *what, size_t len)
{
	for (size_t i = 0; i < snap->section_cnt; i++)
		if (memmem(snap->sections[i].data, snap->sections[i].len, what, len))
			return true;
	return false;
}

static inline bool property_holds_socket(const struct rsp_snapshot *snap)
{
	for (unsigned int n = NAMES; n < 2 * NAMES; n++) {
		const __u64 id = SOCKET_ID(n);

		if (property_holds(snap, &id, sizeof(id)))
			return true;
	}
	return false;
}

/* Returns a description of data of other users in the snapshot, or NULL if there are none. */
static inline const char *property_of_snapshot(const struct rsp_snapshot *snap)
{
	static const __u8 secret_address[] = {0x2e, 0xec, 0x57, 0x7e};
	static const __u8 kernel_address[] = {0x77, 0x81, 0xff, 0xff, 0xff, 0xff};

	if (property_holds(snap, "secret", strlen("secret")))
		return "a name of another";
	if (property_holds(snap, secret_address, sizeof(secret_address)))
		return "an address of another";
	if (property_holds(snap, kernel_address, sizeof(kernel_address)))
		return "an address of the kernel";
	if (property_holds(snap, "\12\66\66", 3) || property_holds_socket(snap))
		return "a socket of another";
	return NULL;
}

static inline struct rsp_snapshot *property_cut(const struct rsp_snapshot *snap)
{
	int fd = memfd_create("cut", MFD_CLOEXEC);
	struct rsp_snapshot_writer *w = NULL;
	struct rsp_snapshot *ret = NULL;

	if (rsp_snapshot_writer_new(fd, &w) < 0 || rsp_cut(snap, w) < 0 ||
	    rsp_snapshot_writer_finish(w) < 0 || rsp_snapshot_open_fd(fd, &ret) < 0)
		abort();
	rsp_snapshot_writer_free(w);
	close(fd);
	return ret;
}

static inline const char *property_of_cut(const struct rsp_snapshot *redacted)
{
	const __u32 bystander = TID(BYSTANDER);
	struct rsp_snapshot *cut = property_cut(redacted);
	const char *left = property_of_snapshot(cut);

	if (!left && property_holds(cut, &bystander, sizeof(bystander)))
		left = "a thread that nobody waited for";
	rsp_snapshot_free(cut);
	return left;
}

/* Returns a description of the violation, or NULL if the result contains no data of other users. */
static inline const char *redact_property(const __u8 *data, size_t len)
{
	struct property_input in = {data, len};
	struct property_tape t = {0};
	struct rsp_section section = {.type = RSP_SEC_EVENTS};
	struct rsp_snapshot *redacted, snap = {.sections = &section, .section_cnt = 1};
	const char *left = NULL;

	property_tasks(&t);
	property_names(&t, &in);
	while (in.len)
		property_event(&t, &in);
	section.data = t.bytes;
	section.len = t.len;
	snap.meta.target_pid = TID(0);
	snap.meta.until_ns = END_NS;
	if (rsp_redact(&snap, PROPERTY_USER, &redacted) == 0) {
		left = property_of_snapshot(redacted);
		if (!left)
			left = property_of_cut(redacted);
		rsp_snapshot_free(redacted);
	}
	free(t.bytes);
	return left;
}

#endif
