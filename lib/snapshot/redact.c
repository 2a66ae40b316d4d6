/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See redact.h. Each kind of record has a rule, which decides the parts of the record that pass. A
 * record of a kind without a rule does not pass. Addresses of the kernel do not pass, because they
 * would reveal its location in memory.
 */
#include "lib/snapshot/redact.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/redact-owners.h"
#include "lib/snapshot/symbols.h"

struct redaction {
	struct rsp_redact_owners owners;
	/* Ids to which the passed records refer. */
	struct rsp_idmap stacks, things, binaries;
	struct rsp_idmap cgroups;   /* cgroups of the user's processes, by inode number */
	struct rsp_idmap requests;  /* disk requests for files of the user */
	struct rsp_idmap functions; /* keys: address; values: the number that replaces it */
};

/* --- references ------------------------------------------------------------------------------ */

static int refer(struct rsp_idmap *map, __u64 id)
{
	return id ? rsp_idmap_put(map, id, 0) : 0;
}

static bool is_referred(const struct rsp_idmap *map, __u64 id)
{
	return rsp_idmap_get(map, id, &(uint64_t){0});
}

/*
 * Replaces the address of a kernel function by a number, which identifies the function's name in
 * the section of names. The numbers are too small to be ids of stacks.
 */
static int replace_address(struct redaction *x, __u64 *address)
{
	uint64_t number;
	int r;

	if (!*address)
		return 0;
	if (!rsp_idmap_get(&x->functions, *address, &number)) {
		number = x->functions.cnt + 1;
		r = rsp_idmap_put(&x->functions, *address, number);
		if (r < 0)
			return r;
	}
	*address = number;
	return 0;
}

/* Handlers of interrupts belong to the kernel, so their names pass. */
static int keep_cause(struct redaction *x, __u32 context, __u64 *cause)
{
	switch (context) {
	case RSP_WAKE_HARDIRQ:
	case RSP_WAKE_IRQ:
		return refer(&x->things, *cause);
	case RSP_WAKE_KTIMER:
		return replace_address(x, cause);
	case RSP_WAKE_SOFTIRQ:
	case RSP_WAKE_BLOCK:
	case RSP_WAKE_NET:
		return 0;
	}
	*cause = 0;
	return 0;
}

static int keep_stacks(struct redaction *x, __u32 tid, __u64 ts_ns, __u64 *kstack, __u64 *ustack)
{
	enum rsp_owner_kind owner = rsp_redact_owner(&x->owners, tid, ts_ns);
	int r;

	if (owner == RSP_OWNER_OTHER)
		*kstack = 0;
	if (owner != RSP_OWNER_SELF)
		*ustack = 0;
	r = refer(&x->stacks, *kstack);
	return r < 0 ? r : refer(&x->stacks, *ustack);
}

/* --- rules for events: return 1 (keep), 0 (drop) or -ENOMEM --------------------------------- */

/* Flags that pass for tasks of other users: they show the state of a task, but not its activity. */
#define SWITCH_FLAGS_KEPT                                                                          \
	(RSP_SW_PREEMPTED | RSP_SW_KTHREAD | RSP_SW_TIMEOUT | RSP_SW_SLEEP | RSP_SW_SEED |         \
	 RSP_SW_CARRIED | RSP_SW_THROTTLED | RSP_SW_SAME)

static int redact_switch(struct redaction *x, void *rec)
{
	struct rsp_ev_switch *sw = rec;
	int r = keep_stacks(x, sw->prev_tid, sw->hdr.ts_ns, &sw->kstack, &sw->ustack);

	if (r < 0)
		return r;
	if (rsp_redact_owner(&x->owners, sw->prev_tid, sw->hdr.ts_ns) != RSP_OWNER_SELF) {
		sw->hdr.flags &= SWITCH_FLAGS_KEPT;
		sw->syscall_nr = -1;
		sw->object = 0;
	}
	if (!(sw->hdr.flags & RSP_SW_FUTEX))
		r = refer(&x->things, sw->object);
	return r < 0 ? r : 1;
}

static int redact_waking(struct redaction *x, void *rec)
{
	struct rsp_ev_waking *waking = rec;
	int r = keep_stacks(x, waking->waker_tid, waking->hdr.ts_ns, &waking->kstack,
			    &waking->ustack);

	if (r == 0)
		r = keep_cause(x, waking->context, &waking->cause);
	return r < 0 ? r : 1;
}

static int redact_sample(struct redaction *x, void *rec)
{
	struct rsp_ev_sample *sample = rec;
	int r;

	if (rsp_redact_owner(&x->owners, sample->tid, sample->hdr.ts_ns) == RSP_OWNER_OTHER)
		return 0;
	r = keep_stacks(x, sample->tid, sample->hdr.ts_ns, &sample->kstack, &sample->ustack);
	return r < 0 ? r : 1;
}

static int redact_block(struct redaction *x, void *rec)
{
	struct rsp_ev_block *block = rec;
	int r;

	if (rsp_redact_owner(&x->owners, block->tid, block->hdr.ts_ns) == RSP_OWNER_OTHER ||
	    !rsp_redact_owns_object(&x->owners, block->object)) {
		block->object = 0;
		block->sector = 0;
	}
	r = refer(&x->things, block->object);
	if (r == 0 && block->object)
		r = refer(&x->requests, block->request);
	if (r == 0)
		r = refer(&x->things, RSP_DISK_ID(block->dev));
	return r < 0 ? r : 1;
}

static int redact_irq(struct redaction *x, void *rec)
{
	struct rsp_ev_irq *irq = rec;
	int r = irq->hdr.flags & RSP_IRQ_HARD ? refer(&x->things, irq->object) : 0;

	return r < 0 ? r : 1;
}

static int redact_net(struct redaction *x, void *rec)
{
	struct rsp_ev_net *net = rec;
	const struct rsp_ev_socket *sock = rsp_redact_own_socket(&x->owners, net->object);
	int r;

	if (!sock || sock->sk != net->sk)
		return 0;
	r = refer(&x->things, net->object);
	if (r == 0 && rsp_socket_is_unix(sock))
		r = refer(&x->things, sock->un.path);
	return r < 0 ? r : 1;
}

/* Returns 1; 0: the user may not see the socket; -ENOMEM. */
static int keep_unix_socket(struct redaction *x, __u64 id)
{
	const struct rsp_ev_socket *sock = rsp_redact_own_socket(&x->owners, id);
	int r;

	if (!rsp_socket_is_unix(sock))
		return 0;
	r = refer(&x->things, id);
	if (r == 0)
		r = refer(&x->things, sock->un.path);
	return r < 0 ? r : 1;
}

static int redact_message(struct redaction *x, void *rec)
{
	struct rsp_ev_message *message = rec;
	int sent = keep_unix_socket(x, message->from), ready = 0;

	if (sent >= 0)
		ready = keep_unix_socket(x, message->to);
	if (sent < 0 || ready < 0)
		return -ENOMEM;
	if (!sent)
		message->from = message->bytes = 0;
	if (!ready)
		message->to = 0;
	return sent || ready;
}

static int redact_task(struct redaction *x, void *rec)
{
	struct rsp_ev_task *task = rec;
	enum rsp_owner_kind owner = rsp_redact_owner(&x->owners, task->tid, task->hdr.ts_ns);
	size_t len = strlen(task->comm);

	int r = 1;

	memset(task->comm + len, 0, sizeof(task->comm) - len);
	if (owner == RSP_OWNER_SELF)
		r = rsp_idmap_put(&x->cgroups, task->cgroup_id, 0);
	if (owner != RSP_OWNER_OTHER)
		return r < 0 ? r : 1;
	memset(task->comm, 0, sizeof(task->comm));
	snprintf(task->comm, sizeof(task->comm), "uid %u", task->uid);
	task->attrs = (task->attrs & RSP_TASK_ATTR_KTHREAD) | RSP_TASK_ATTR_CLOSED;
	task->cgroup_id = 0;
	task->pidns = 0;
	task->mntns = 0;
	task->ns_tgid = 0;
	return 1;
}

static int redact_exit(struct redaction *x, void *rec)
{
	struct rsp_ev_exit *ev = rec;

	if (rsp_redact_owner(&x->owners, ev->tid, ev->hdr.ts_ns) != RSP_OWNER_SELF)
		ev->code = ev->attrs = 0;
	return 1;
}

static int redact_work(struct redaction *x, void *rec)
{
	struct rsp_ev_work *work = rec;
	int r = keep_cause(x, work->context, &work->cause);

	if (r == 0)
		r = replace_address(x, &work->function);
	return r < 0 ? r : 1;
}

static int redact_tcp_delay(struct redaction *x, const struct rsp_ev_delay *delay)
{
	const struct rsp_ev_socket *sock = rsp_redact_own_socket(&x->owners, delay->object);
	int r;

	if (!sock || sock->sk != delay->subject)
		return 0;
	r = refer(&x->things, delay->object);
	return r < 0 ? r : 1;
}

/* A disk request that is not the user's loses only its cgroup. */
static int redact_delay(struct redaction *x, void *rec)
{
	struct rsp_ev_delay *delay = rec;
	int r;

	if (delay->hdr.flags == RSP_DELAY_RETRANSMIT || delay->hdr.flags == RSP_DELAY_CONNECT)
		return redact_tcp_delay(x, delay);
	if (delay->hdr.flags == RSP_DELAY_RECLAIM &&
	    rsp_redact_owner(&x->owners, delay->tid, delay->hdr.ts_ns) != RSP_OWNER_SELF)
		return 0;
	if (delay->hdr.flags != RSP_DELAY_RECLAIM && !is_referred(&x->requests, delay->subject))
		delay->object = 0;
	r = refer(&x->things, delay->object);
	return r < 0 ? r : 1;
}

static int redact_account(struct redaction *x, void *rec)
{
	const struct rsp_ev_account *account = rec;

	return rsp_redact_owner(&x->owners, account->tid, account->hdr.ts_ns) == RSP_OWNER_SELF;
}

static int redact_calls(struct redaction *x, void *rec)
{
	const struct rsp_ev_calls *calls = rec;

	return rsp_redact_owner(&x->owners, calls->tid, calls->hdr.ts_ns) == RSP_OWNER_SELF;
}

static int redact_stolen(struct redaction *x, void *rec)
{
	const struct rsp_ev_stolen *stolen = rec;

	return rsp_redact_owner(&x->owners, stolen->tid, stolen->hdr.ts_ns) == RSP_OWNER_SELF;
}

static int redact_memory(struct redaction *x, void *rec)
{
	struct rsp_ev_memory *memory = rec;
	int r;

	if (rsp_redact_owner(&x->owners, memory->tid, memory->hdr.ts_ns) != RSP_OWNER_SELF)
		return 0;
	r = keep_stacks(x, memory->tid, memory->hdr.ts_ns, &memory->kstack, &memory->ustack);
	return r < 0 ? r : 1;
}

static int redact_memory_watch(struct redaction *x, void *rec)
{
	const struct rsp_ev_memory_watch *watch = rec;

	return rsp_redact_owner(&x->owners, watch->tgid, watch->hdr.ts_ns) == RSP_OWNER_SELF;
}

/*
 * The rule for records about the recorder itself, and for records with data that any user may read
 * in files.
 */
static int pass(struct redaction *x, void *rec)
{
	return 1;
}

/* --- names that records still refer to -------------------------------------------------------- */

static int redact_stack(struct redaction *x, void *rec)
{
	struct rsp_ev_stack *stack = rec;
	int r = 0;

	if (!is_referred(&x->stacks, stack->id))
		return 0;
	for (__u32 i = 0; i < stack->frame_cnt && r == 0; i++) {
		if (!(stack->hdr.flags & RSP_STACK_USER))
			stack->frames[i] = 0;
		else if (stack->frames[i] & RSP_FRAME_IN_BINARY)
			r = rsp_idmap_put(&x->binaries, RSP_FRAME_BINARY(stack->frames[i]), 0);
	}
	return r < 0 ? r : 1;
}

/* The bytes after the name are left over from a buffer of the BPF programs. */
static int redact_object(struct redaction *x, void *rec)
{
	struct rsp_ev_object *object = rec;

	memset(object->name + object->name_len, 0, sizeof(object->name) - object->name_len);
	return is_referred(&x->things, object->id) ||
	       (object->type == RSP_OBJ_CGROUP && is_referred(&x->cgroups, object->ino));
}

/*
 * Readers do not show the bytes after a string, so these bytes must not contain data of other
 * users.
 */
static void clear_rest(char *s, size_t size)
{
	size_t len = strlen(s);

	memset(s + len, 0, size - len);
}

static int redact_container(struct redaction *x, void *rec)
{
	struct rsp_ev_container *container = rec;

	clear_rest(container->name, sizeof(container->name));
	clear_rest(container->pod, sizeof(container->pod));
	clear_rest(container->name_space, sizeof(container->name_space));
	return is_referred(&x->cgroups, container->cgroup_id);
}

static int redact_socket(struct redaction *x, void *rec)
{
	struct rsp_ev_socket *sock = rec;

	return is_referred(&x->things, sock->id) && rsp_redact_owns_socket(&x->owners, sock);
}

static int redact_binary(struct redaction *x, void *rec)
{
	struct rsp_ev_binary *binary = rec;
	size_t room = binary->hdr.size - sizeof(*binary), len = strlen(binary->path);

	memset(binary->path + len, 0, room - len);
	/* The path stays, because a process of the user may map the binary, too. */
	if (rsp_redact_owner(&x->owners, binary->tgid, UINT64_MAX) != RSP_OWNER_SELF)
		binary->tgid = 0;
	return is_referred(&x->binaries, binary->number);
}

static int redact_mark(struct redaction *x, void *rec)
{
	struct rsp_ev_mark *mark = rec;
	struct rsp_ev_hdr hdr = mark->hdr;

	(void)x;
	*mark = (struct rsp_ev_mark){.hdr = hdr};
	return 1;
}

/* --- the whole snapshot ----------------------------------------------------------------------- */

typedef int (*rule_fn)(struct redaction *x, void *rec);

/* The rules for events, names and binaries. The three tables are applied in this order. */
static const rule_fn happened[RSP_EV_KIND_MAX] = {
	[RSP_EV_SWITCH] = redact_switch,
	[RSP_EV_WAKING] = redact_waking,
	[RSP_EV_SAMPLE] = redact_sample,
	[RSP_EV_BLOCK] = redact_block,
	[RSP_EV_IRQ] = redact_irq,
	[RSP_EV_NET] = redact_net,
	[RSP_EV_TASK] = redact_task,
	[RSP_EV_EXIT] = redact_exit,
	[RSP_EV_LOST] = pass,
	[RSP_EV_WORK] = redact_work,
	[RSP_EV_SHED] = pass,
	[RSP_EV_DELAY] = redact_delay,
	[RSP_EV_MESSAGE] = redact_message,
	[RSP_EV_MARK] = redact_mark,
	[RSP_EV_COUNTERS] = pass,
	[RSP_EV_ACCOUNT] = redact_account,
	[RSP_EV_CALLS] = redact_calls,
	[RSP_EV_CPU_TIME] = pass,
	[RSP_EV_MEMORY] = redact_memory,
	[RSP_EV_MEMORY_WATCH] = redact_memory_watch,
	[RSP_EV_STOLEN] = redact_stolen,
};
static const rule_fn named[RSP_EV_KIND_MAX] = {
	[RSP_EV_STACK] = redact_stack,
	[RSP_EV_OBJECT] = redact_object,
	[RSP_EV_SOCKET] = redact_socket,
	[RSP_EV_CONTAINER] = redact_container,
};
static const rule_fn binaries[RSP_EV_KIND_MAX] = {
	[RSP_EV_BINARY] = redact_binary,
};

/* Copies the records that the rules keep to out, which has room for all records. */
static int redact_section(struct redaction *x, const struct rsp_section *sec, const rule_fn *rules,
			  char *out, size_t *ret_len)
{
	const struct rsp_ev_hdr *hdr;
	size_t off = 0, len = 0;
	int r;

	while (rsp_record_next(sec->data, sec->len, &off, &hdr) > 0) {
		if (hdr->kind >= RSP_EV_KIND_MAX || !rules[hdr->kind])
			continue;
		memcpy(out + len, hdr, hdr->size);
		r = rules[hdr->kind](x, out + len);
		if (r < 0)
			return r;
		if (r > 0)
			len += hdr->size;
	}
	*ret_len = len;
	return 0;
}

/* Takes ownership of data. */
static int add_section(struct rsp_snapshot *out, enum rsp_section_type type, void *data, size_t len)
{
	struct rsp_section *v = reallocarray(out->sections, out->section_cnt + 1,
					     sizeof(*out->sections));

	if (!v) {
		free(data);
		return -ENOMEM;
	}
	out->sections = v;
	v[out->section_cnt++] = (struct rsp_section){.type = type, .data = data, .len = len};
	return 0;
}

static int add_events(struct redaction *x, const struct rsp_section *sec, const rule_fn *rules,
		      struct rsp_snapshot *out)
{
	_cleanup_free_ char *events = malloc(sec->len + 1);
	size_t len = 0;
	int r = events ? redact_section(x, sec, rules, events, &len) : -ENOMEM;
	void *shrunk;

	if (r < 0 || len == 0)
		return r;
	shrunk = realloc(events, len);
	events = NULL;
	return add_section(out, RSP_SEC_EVENTS, shrunk, len);
}

static int add_all_events(struct redaction *x, const struct rsp_snapshot *snap,
			  const rule_fn *rules, struct rsp_snapshot *out)
{
	int r = 0;

	for (size_t i = 0; i < snap->section_cnt && r == 0; i++)
		if (snap->sections[i].type == RSP_SEC_EVENTS)
			r = add_events(x, &snap->sections[i], rules, out);
	return r;
}

static int name_stacks(const struct redaction *x, const struct rsp_symbols *symbols,
		       struct rsp_symbols_builder *b)
{
	uint64_t id, number;
	size_t pos = 0;
	int r = 0;

	while (r == 0 && rsp_idmap_next(&x->stacks, &pos, &id, &number))
		r = rsp_symbols_copy_stack(b, symbols, id, id);
	pos = 0;
	while (r == 0 && rsp_idmap_next(&x->functions, &pos, &id, &number))
		r = rsp_symbols_copy_stack(b, symbols, id, number);
	return r;
}

/*
 * If several sections contain names of a stack, the last section counts. The builder keeps the
 * first names that it gets, so the loop begins with the last section.
 */
static int collect_names(const struct redaction *x, const struct rsp_snapshot *snap,
			 struct rsp_symbols_builder *b)
{
	int r = 0;

	for (size_t i = snap->section_cnt; i-- > 0 && r == 0;) {
		struct rsp_symbols *symbols;

		if (snap->sections[i].type != RSP_SEC_SYMBOLS ||
		    rsp_symbols_open(snap->sections[i].data, snap->sections[i].len, &symbols) < 0)
			continue;
		r = name_stacks(x, symbols, b);
		rsp_symbols_free(symbols);
	}
	return r;
}

static int add_symbols(const struct redaction *x, const struct rsp_snapshot *snap,
		       struct rsp_snapshot *out)
{
	struct rsp_symbols_builder *b;
	void *data = NULL;
	size_t len;
	int r = rsp_symbols_builder_new(&b);

	if (r < 0)
		return r;
	r = collect_names(x, snap, b);
	if (r == 0)
		r = rsp_symbols_builder_finish(b, &data, &len);
	rsp_symbols_builder_free(b);
	return r < 0 ? r : add_section(out, RSP_SEC_SYMBOLS, data, len);
}

static int redact_all(struct redaction *x, const struct rsp_snapshot *snap,
		      struct rsp_snapshot **ret)
{
	struct rsp_snapshot *out = calloc(1, sizeof(*out));
	int r = out ? 0 : -ENOMEM;

	if (r < 0)
		return r;
	out->meta = snap->meta;
	out->meta.redacted = true;
	r = add_all_events(x, snap, happened, out);
	if (r == 0)
		r = add_all_events(x, snap, named, out);
	if (r == 0)
		r = add_all_events(x, snap, binaries, out);
	if (r == 0)
		r = add_symbols(x, snap, out);
	if (r < 0)
		rsp_snapshot_free(out);
	else
		*ret = out;
	return r;
}

static bool owns_target(const struct redaction *x, const struct rsp_meta *meta)
{
	__u64 until_ns = meta->until_ns ? meta->until_ns : UINT64_MAX;

	return meta->target_pid &&
	       rsp_redact_owner(&x->owners, meta->target_pid, until_ns) == RSP_OWNER_SELF;
}

int rsp_redact(const struct rsp_snapshot *snap, uid_t uid, struct rsp_snapshot **ret)
{
	struct redaction x = {.owners = {.uid = uid}};
	int r = rsp_redact_owners_find(snap, &x.owners);

	if (r == 0 && !owns_target(&x, &snap->meta))
		r = -EACCES;
	if (r == 0)
		r = redact_all(&x, snap, ret);
	rsp_redact_owners_done(&x.owners);
	rsp_idmap_done(&x.stacks);
	rsp_idmap_done(&x.things);
	rsp_idmap_done(&x.binaries);
	rsp_idmap_done(&x.cgroups);
	rsp_idmap_done(&x.requests);
	rsp_idmap_done(&x.functions);
	return r;
}
