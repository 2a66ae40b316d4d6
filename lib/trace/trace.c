/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns the sections of a snapshot into events in order of time, and finds records by id, thread
 * and stack. If a section has a bad record, the records before it are used.
 */
#include "lib/trace/trace.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/arena.h"
#include "lib/base/array.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/owner.h"
#include "lib/snapshot/symbols.h"
#include "lib/trace/trace-parts.h"
#include "lib/trace/trace-sort.h"

struct identity {
	const struct rsp_ev_task *task;
	__u32 order; /* position in the snapshot; orders identities with equal times */
};

struct rsp_trace_index {
	struct rsp_idmap stacks, objects, sockets, binaries; /* id -> record */
	/* maps the inode number of a cgroup to an OBJECT record */
	struct rsp_idmap cgroups;
	struct rsp_idmap containers; /* maps the inode number of a cgroup to a CONTAINER record */
	/* maps file_key() to the OBJECT record of the file with the longest name */
	struct rsp_idmap longest;
	struct {
		const struct rsp_ev_stack **v;
		size_t cnt, cap;
	} stack_list;
	struct {
		struct identity *v; /* by tid, then time */
		size_t cnt, cap;
	} identities;
	struct rsp_idmap identities_of; /* tid -> struct rsp_identities */
	struct {
		struct rsp_symbols **v;
		size_t cnt, cap;
	} symbols;
	struct rsp_intern texts; /* for frames without a name */
	/* memory of events with completed stacks, and of the NET records made from messages */
	struct rsp_arena copies;
	struct rsp_trace_messages messages;
};

struct events {
	const struct rsp_ev_hdr **v;
	size_t cnt, cap;
};

static const void *look_up(const struct rsp_idmap *map, __u64 id)
{
	uint64_t value = 0;

	if (id)
		rsp_idmap_get(map, id, &value);
	return (const void *)(uintptr_t)value;
}

/* --- building ------------------------------------------------------------------------------- */

static int add_definition(struct rsp_idmap *map, __u64 id, const void *rec)
{
	if (rsp_idmap_get(map, id, &(uint64_t){0}))
		return 0;
	return rsp_idmap_put(map, id, (uintptr_t)rec);
}

/* Different files may have the same key. */
static __u64 file_key(const struct rsp_ev_object *obj)
{
	return (__u64)obj->dev << 32 ^ obj->ino;
}

static int add_object(struct rsp_trace_index *index, const struct rsp_ev_object *obj)
{
	const struct rsp_ev_object *longest;
	int r = add_definition(&index->objects, obj->id, obj);

	if (r == 0 && obj->type == RSP_OBJ_CGROUP && obj->ino)
		r = add_definition(&index->cgroups, obj->ino, obj);
	if (r < 0 || obj->type != RSP_OBJ_FILE || obj->hdr.flags & RSP_OBJ_TRUNCATED || !obj->ino)
		return r;
	longest = look_up(&index->longest, file_key(obj));
	if (longest && longest->name_len >= obj->name_len)
		return 0;
	return rsp_idmap_put(&index->longest, file_key(obj), (uintptr_t)obj);
}

static int add_stack(struct rsp_trace_index *index, const struct rsp_ev_stack *stack)
{
	const struct rsp_ev_stack **slot;

	if (rsp_idmap_get(&index->stacks, stack->id, &(uint64_t){0}))
		return 0;
	slot = rsp_array_add(&index->stack_list);
	if (!slot)
		return -ENOMEM;
	*slot = stack;
	return rsp_idmap_put(&index->stacks, stack->id, (uintptr_t)stack);
}

static int add_event(struct events *events, const struct rsp_ev_hdr *hdr)
{
	const struct rsp_ev_hdr **slot = rsp_array_add(events);

	if (!slot)
		return -ENOMEM;
	*slot = hdr;
	return 0;
}

static int add_message(struct rsp_trace_index *index, struct events *events,
		       const struct rsp_ev_message *message)
{
	struct rsp_trace_halves *halves;
	int r = rsp_trace_message_halve(&index->messages, message, &index->copies, &halves);

	if (r == 0 && message->from)
		r = add_event(events, &halves->send.hdr);
	if (r == 0 && message->to)
		r = add_event(events, &halves->ready.hdr);
	return r;
}

static int add_identity(struct rsp_trace_index *index, const struct rsp_ev_task *task)
{
	struct identity *identity = rsp_array_add(&index->identities);

	if (!identity)
		return -ENOMEM;
	*identity = (struct identity){task, (__u32)(index->identities.cnt - 1)};
	return 0;
}

static int add_loss(struct rsp_trace *trace, const struct rsp_ev_lost *lost)
{
	const struct rsp_ev_lost **slot = rsp_array_add(&trace->losses);

	if (!slot)
		return -ENOMEM;
	*slot = lost;
	trace->lost_cnt += lost->lost_cnt;
	return 0;
}

static int add_shed(struct rsp_trace *trace, const struct rsp_ev_shed *shed)
{
	const struct rsp_ev_shed **slot = rsp_array_add(&trace->sheds);

	if (!slot)
		return -ENOMEM;
	*slot = shed;
	return 0;
}

/* SEED records, and records that were kept from before the window, describe a state. */
static bool is_activity(const struct rsp_trace *trace, const struct rsp_ev_hdr *hdr)
{
	if (hdr->ts_ns < trace->snap->meta.window_oldest_ns)
		return false;
	switch (hdr->kind) {
	case RSP_EV_SWITCH:
		return !(hdr->flags & RSP_SW_SEED);
	case RSP_EV_TASK:
		return !(hdr->flags & RSP_TASK_SEED);
	case RSP_EV_LOST:
		return false;
	}
	return true;
}

static void extend_bounds(struct rsp_trace *trace, const struct rsp_ev_hdr *hdr)
{
	if (!is_activity(trace, hdr))
		return;
	if (trace->first_ns > hdr->ts_ns)
		trace->first_ns = hdr->ts_ns;
	if (trace->last_ns < hdr->ts_ns)
		trace->last_ns = hdr->ts_ns;
}

static int add_record(struct rsp_trace *trace, struct events *events, const struct rsp_ev_hdr *hdr)
{
	struct rsp_trace_index *index = trace->index;
	const void *rec = hdr;
	int r = 0;

	switch (hdr->kind) {
	case RSP_EV_STACK:
		return add_stack(index, rec);
	case RSP_EV_OBJECT:
		return add_object(index, rec);
	case RSP_EV_SOCKET:
		return add_definition(&index->sockets, ((const struct rsp_ev_socket *)rec)->id,
				      rec);
	case RSP_EV_BINARY:
		return add_definition(&index->binaries, ((const struct rsp_ev_binary *)rec)->number,
				      rec);
	case RSP_EV_CONTAINER:
		return add_definition(&index->containers,
				      ((const struct rsp_ev_container *)rec)->cgroup_id, rec);
	case RSP_EV_SHED:
		return add_shed(trace, rec);
	case RSP_EV_MARK:
		return rsp_trace_add_mark(trace, rec);
	case RSP_EV_COUNTERS:
		return rsp_trace_add_counters(trace, rec);
	case RSP_EV_TASK:
		r = add_identity(index, rec);
		break;
	case RSP_EV_LOST:
		r = add_loss(trace, rec);
		break;
	}
	if (r < 0 || hdr->kind >= RSP_EV_KIND_MAX)
		return r;
	extend_bounds(trace, hdr);
	return hdr->kind == RSP_EV_MESSAGE ? add_message(index, events, rec)
					   : add_event(events, hdr);
}

static int read_events(struct rsp_trace *trace, const struct rsp_section *section,
		       struct events *events)
{
	const struct rsp_ev_hdr *hdr;
	size_t off = 0;
	int r;

	while ((r = rsp_record_next(section->data, section->len, &off, &hdr)) > 0) {
		r = add_record(trace, events, hdr);
		if (r < 0)
			return r;
	}
	trace->bad_cnt += r == -EBADMSG;
	return 0;
}

static int read_symbols(struct rsp_trace *trace, const struct rsp_section *section)
{
	struct rsp_symbols **slot, *symbols;
	int r;

	r = rsp_symbols_open(section->data, section->len, &symbols);
	if (r == -EBADMSG) {
		trace->bad_cnt++;
		return 0;
	}
	if (r < 0)
		return r;
	slot = rsp_array_add(&trace->index->symbols);
	if (!slot) {
		rsp_symbols_free(symbols);
		return -ENOMEM;
	}
	*slot = symbols;
	return 0;
}

static int read_sections(struct rsp_trace *trace)
{
	struct events events = {0};
	int r = 0;

	trace->first_ns = UINT64_MAX;
	for (size_t i = 0; i < trace->snap->section_cnt && r == 0; i++) {
		const struct rsp_section *section = &trace->snap->sections[i];

		if (section->type == RSP_SEC_EVENTS)
			r = read_events(trace, section, &events);
		else if (section->type == RSP_SEC_SYMBOLS)
			r = read_symbols(trace, section);
	}
	trace->events = events.v;
	trace->event_cnt = events.cnt;
	if (trace->first_ns > trace->last_ns)
		trace->first_ns = 0; /* the trace has no activity */
	return r;
}

static int compare_identities(const void *pa, const void *pb)
{
	const struct identity *a = pa, *b = pb;

	if (a->task->tid != b->task->tid)
		return a->task->tid < b->task->tid ? -1 : 1;
	if (a->task->hdr.ts_ns != b->task->hdr.ts_ns)
		return a->task->hdr.ts_ns < b->task->hdr.ts_ns ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

static int index_identities(struct rsp_trace_index *index)
{
	if (index->identities.cnt)
		qsort(index->identities.v, index->identities.cnt, sizeof(*index->identities.v),
		      compare_identities);
	for (size_t i = 0, next; i < index->identities.cnt; i = next) {
		__u32 tid = index->identities.v[i].task->tid;

		for (next = i + 1; next < index->identities.cnt; next++)
			if (index->identities.v[next].task->tid != tid)
				break;
		if (rsp_idmap_put(&index->identities_of, tid, i << 32 | next) < 0)
			return -ENOMEM;
	}
	return 0;
}

int rsp_trace_new(const struct rsp_snapshot *snap, struct rsp_trace **ret)
{
	struct rsp_trace *trace = calloc(1, sizeof(*trace));
	int r = -ENOMEM;

	if (!trace)
		return -ENOMEM;
	trace->snap = snap;
	trace->index = calloc(1, sizeof(*trace->index));
	if (!trace->index)
		goto fail;
	r = read_sections(trace);
	if (r < 0)
		goto fail;
	rsp_trace_messages_resolve(&trace->index->messages, trace);
	r = rsp_trace_sort(trace->events, trace->event_cnt);
	if (r < 0)
		goto fail;
	rsp_trace_sort_marks(trace);
	r = index_identities(trace->index);
	if (r == 0)
		r = rsp_trace_complete_stacks(trace, &trace->index->copies);
	if (r < 0)
		goto fail;
	*ret = trace;
	return 0;
fail:
	rsp_trace_free(trace);
	return r;
}

static void free_index(struct rsp_trace_index *index)
{
	rsp_idmap_done(&index->stacks);
	rsp_idmap_done(&index->objects);
	rsp_idmap_done(&index->cgroups);
	rsp_idmap_done(&index->containers);
	rsp_idmap_done(&index->longest);
	rsp_idmap_done(&index->sockets);
	rsp_idmap_done(&index->binaries);
	rsp_idmap_done(&index->identities_of);
	free(index->stack_list.v);
	free(index->identities.v);
	for (size_t i = 0; i < index->symbols.cnt; i++)
		rsp_symbols_free(index->symbols.v[i]);
	free(index->symbols.v);
	rsp_intern_done(&index->texts);
	rsp_arena_done(&index->copies);
	rsp_trace_messages_done(&index->messages);
	free(index);
}

struct rsp_trace *rsp_trace_free(struct rsp_trace *trace)
{
	if (!trace)
		return NULL;
	if (trace->index)
		free_index(trace->index);
	free(trace->losses.v);
	free(trace->sheds.v);
	free(trace->marks.v);
	free(trace->counters.v);
	free(trace->events);
	free(trace);
	return NULL;
}

/* --- lookups -------------------------------------------------------------------------------- */

const struct rsp_ev_stack *rsp_trace_stack(const struct rsp_trace *trace, __u64 id)
{
	return look_up(&trace->index->stacks, id);
}

const struct rsp_ev_object *rsp_trace_object(const struct rsp_trace *trace, __u64 id)
{
	return look_up(&trace->index->objects, id);
}

/*
 * A path is stored with the last name first, so longer paths of the same file begin with the same
 * bytes.
 */
const struct rsp_ev_object *rsp_trace_whole_path(const struct rsp_trace *trace,
						 const struct rsp_ev_object *obj)
{
	const struct rsp_ev_object *longest = look_up(&trace->index->longest, file_key(obj));
	bool same_file = longest && obj->type == RSP_OBJ_FILE && obj->ino == longest->ino &&
			 obj->dev == longest->dev;

	if (!same_file || !obj->name_len || obj->name_len > longest->name_len ||
	    memcmp(obj->name, longest->name, obj->name_len) != 0)
		return obj;
	return longest;
}

const struct rsp_ev_object *rsp_trace_cgroup(const struct rsp_trace *trace, __u64 cgroup_id)
{
	return look_up(&trace->index->cgroups, cgroup_id);
}

const struct rsp_ev_container *rsp_trace_container_names(const struct rsp_trace *trace,
							 __u64 cgroup_id)
{
	return look_up(&trace->index->containers, cgroup_id);
}

const struct rsp_ev_socket *rsp_trace_socket(const struct rsp_trace *trace, __u64 id)
{
	return look_up(&trace->index->sockets, id);
}

const struct rsp_ev_object *rsp_trace_unix_path(const struct rsp_trace *trace,
						const struct rsp_ev_socket *sock)
{
	const struct rsp_ev_object *path;

	if (!rsp_socket_is_unix(sock))
		return NULL;
	path = rsp_trace_object(trace, sock->un.path);
	return path && path->type == RSP_OBJ_UNIX && path->name_len && path->name[0] ? path : NULL;
}

const struct rsp_ev_binary *rsp_trace_binary(const struct rsp_trace *trace, __u32 number)
{
	return look_up(&trace->index->binaries, number);
}

size_t rsp_trace_stack_cnt(const struct rsp_trace *trace)
{
	return trace->index->stack_list.cnt;
}

const struct rsp_ev_stack *rsp_trace_stack_at(const struct rsp_trace *trace, size_t i)
{
	return trace->index->stack_list.v[i];
}

struct rsp_identities rsp_trace_identities(const struct rsp_trace *trace, __u32 tid)
{
	uint64_t range = 0;

	rsp_idmap_get(&trace->index->identities_of, tid, &range);
	return (struct rsp_identities){(__u32)(range >> 32), (__u32)range};
}

__u32 rsp_trace_identity(const struct rsp_trace *trace, struct rsp_identities of, __u64 ts_ns)
{
	const struct identity *v = trace->index->identities.v;
	__u32 lo = of.first, hi = of.end;

	if (lo == hi)
		return RSP_NO_IDENTITY;
	while (hi - lo > 1) {
		__u32 mid = lo + (hi - lo) / 2;

		if (v[mid].task->hdr.ts_ns <= ts_ns)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

const struct rsp_ev_task *rsp_trace_identity_task(const struct rsp_trace *trace, __u32 identity)
{
	return identity == RSP_NO_IDENTITY ? NULL : trace->index->identities.v[identity].task;
}

size_t rsp_trace_identity_cnt(const struct rsp_trace *trace)
{
	return trace->index->identities.cnt;
}

__u64 rsp_trace_lost(const struct rsp_trace *trace, __u64 from_ns, __u64 to_ns)
{
	__u64 cnt = 0;

	for (size_t i = 0; i < trace->losses.cnt; i++) {
		const struct rsp_ev_lost *lost = trace->losses.v[i];
		bool is_pause = lost->hdr.flags & RSP_LOST_PAUSED;

		if (!is_pause && lost->hdr.ts_ns >= from_ns && lost->from_ns <= to_ns)
			cnt += lost->lost_cnt;
	}
	return cnt;
}

const struct rsp_ev_task *rsp_trace_task(const struct rsp_trace *trace, __u32 tid, __u64 ts_ns)
{
	return rsp_trace_identity_task(
		trace, rsp_trace_identity(trace, rsp_trace_identities(trace, tid), ts_ns));
}

bool rsp_trace_lists(const struct rsp_trace *trace, const struct rsp_ev_task *task)
{
	return !trace->snap->meta.redacted || (task && rsp_task_is_open(task));
}

/* --- frames --------------------------------------------------------------------------------- */

static const char *keep_text(struct rsp_trace_index *index, const char *text)
{
	uint32_t id;

	if (rsp_intern_put(&index->texts, text, strlen(text), &id) < 0)
		return "?";
	return rsp_intern_data(&index->texts, id);
}

static struct rsp_frame nameless_frame(const struct rsp_trace *trace, __u64 frame)
{
	const struct rsp_ev_binary *binary = NULL;
	char module[NAME_MAX + 1] = "?", symbol[NAME_MAX + 32];

	if (frame & RSP_FRAME_IN_BINARY)
		binary = rsp_trace_binary(trace, RSP_FRAME_BINARY(frame));
	if (binary)
		rsp_binary_name(binary, module, sizeof(module));
	/* the process exited before the recorder could open the binary */
	else if (frame & RSP_FRAME_IN_BINARY)
		strcpy(module, "[gone]");
	if (frame & RSP_FRAME_IN_BINARY)
		snprintf(symbol, sizeof(symbol), "%s+0x%llx", module, RSP_FRAME_OFFSET(frame));
	else
		snprintf(symbol, sizeof(symbol), "0x%llx", frame);
	return (struct rsp_frame){.symbol = keep_text(trace->index, symbol),
				  .module = keep_text(trace->index, module)};
}

/*
 * If several sections name the stack, the last section counts, because later sections contain
 * better names.
 */
static const struct rsp_symbols *find_names(const struct rsp_trace *trace, __u64 stack_id,
					    size_t *ret_cnt)
{
	for (size_t i = trace->index->symbols.cnt; i-- > 0;) {
		int cnt = rsp_symbols_frame_cnt(trace->index->symbols.v[i], stack_id);

		if (cnt < 0)
			continue;
		*ret_cnt = (size_t)cnt;
		return trace->index->symbols.v[i];
	}
	return NULL;
}

static size_t named_frames(const struct rsp_symbols *symbols, __u64 stack_id, size_t cnt,
			   struct rsp_frame *ret, size_t max)
{
	size_t n = cnt < max ? cnt : max;

	for (size_t i = 0; i < n; i++)
		rsp_symbols_frame(symbols, stack_id, (int)i, &ret[i].symbol, &ret[i].module);
	return n;
}

static size_t nameless_frames(const struct rsp_trace *trace, const struct rsp_ev_stack *stack,
			      struct rsp_frame *ret, size_t max)
{
	size_t n = stack->frame_cnt < max ? stack->frame_cnt : max;

	for (size_t i = 0; i < n; i++)
		ret[i] = nameless_frame(trace, stack->frames[i]);
	return n;
}

static bool is_recorder(const char *symbol)
{
	static const char *const prefixes[] = {
		"bpf_prog_", "bpf_trace_run", "__bpf_trace_", "__traceiter_", "bpf_trampoline_",
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (strncmp(symbol, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

bool rsp_frame_has_name(const struct rsp_frame *f)
{
	size_t len = strlen(f->module);

	if (strncmp(f->symbol, "0x", 2) == 0)
		return false;
	return strncmp(f->symbol, f->module, len) != 0 || strncmp(f->symbol + len, "+0x", 3) != 0;
}

bool rsp_trace_is_named(const struct rsp_trace *trace, __u64 stack_id)
{
	return find_names(trace, stack_id, &(size_t){0});
}

size_t rsp_trace_frames(const struct rsp_trace *trace, __u64 stack_id, struct rsp_frame *ret,
			size_t max)
{
	const struct rsp_ev_stack *stack = rsp_trace_stack(trace, stack_id);
	bool kernel = stack && (stack->hdr.flags & RSP_STACK_KERNEL);
	const struct rsp_symbols *symbols;
	size_t cnt = 0, own = 0;

	if (stack_id == 0)
		return 0;
	symbols = find_names(trace, stack_id, &cnt);
	if (symbols)
		cnt = named_frames(symbols, stack_id, cnt, ret, max);
	else if (stack)
		cnt = nameless_frames(trace, stack, ret, max);
	while (kernel && own < cnt && is_recorder(ret[own].symbol))
		own++;
	cnt -= own;
	memmove(ret, ret + own, cnt * sizeof(*ret));
	for (size_t i = 0; i < cnt; i++)
		ret[i].kernel = kernel;
	if (cnt && cnt < max && stack && (stack->hdr.flags & RSP_STACK_PARTIAL))
		ret[cnt++] = (struct rsp_frame){.symbol = "(callers unknown)", .module = "?"};
	return cnt;
}
