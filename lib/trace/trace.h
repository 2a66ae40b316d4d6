/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts and indexes the records of a snapshot. trace-parts.h describes the records that are
 * replaced. A trace depends only on the snapshot.
 */
#ifndef RSP_LIB_TRACE_H
#define RSP_LIB_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/snapshot/snapshot.h"
#include "rsp/event.h"

struct rsp_trace {
	const struct rsp_snapshot *snap; /* borrowed; outlives the trace */
	/*
	 * sorted by ts_ns (stable); without STACK, OBJECT, SOCKET, BINARY, SHED, MARK, COUNTERS,
	 * CONTAINER
	 */
	const struct rsp_ev_hdr **events;
	size_t event_cnt;
	struct {
		const struct rsp_ev_lost **v; /* unordered; events contains them, too */
		size_t cnt, cap;
	} losses;
	struct {
		const struct rsp_ev_shed **v; /* in no order */
		size_t cnt, cap;
	} sheds;
	struct {
		const struct rsp_ev_mark **v; /* by ts_ns */
		size_t cnt, cap;
	} marks;
	struct {
		const struct rsp_ev_counters **v; /* by ts_ns */
		size_t cnt, cap;
	} counters;
	/* number of sections that contain a bad record; the rest of such a section is not read */
	size_t bad_cnt;
	__u64 lost_cnt; /* sum of the numbers in all LOST records */
	/*
	 * times of the first and last event, except SEED and LOST records and records from before
	 * the window
	 */
	__u64 first_ns;
	__u64 last_ns;
	struct rsp_trace_index *index; /* private */
};

/*
 * Returns the number of records that were lost between from_ns and to_ns. A loss that lies only
 * partly in the span counts as a whole, so the result is an upper limit.
 */
__u64 rsp_trace_lost(const struct rsp_trace *trace, __u64 from_ns, __u64 to_ns);

int rsp_trace_new(const struct rsp_snapshot *snap, struct rsp_trace **ret);
struct rsp_trace *rsp_trace_free(struct rsp_trace *trace);

/* These functions return NULL if the id is unknown (its record was lost, or the id is 0). */
const struct rsp_ev_stack *rsp_trace_stack(const struct rsp_trace *trace, __u64 id);
const struct rsp_ev_object *rsp_trace_object(const struct rsp_trace *trace, __u64 id);
/*
 * Returns the object with the whole path of the same file, or obj if no longer path is known. For a
 * page of a file, the kernel knows only the inode, and the path from the root of the file system
 * ("/ibdata1", mounted at /var/lib/mysql).
 */
const struct rsp_ev_object *rsp_trace_whole_path(const struct rsp_trace *trace,
						 const struct rsp_ev_object *obj);
/* Returns the cgroup with this ID, or NULL if its path is unknown. */
const struct rsp_ev_object *rsp_trace_cgroup(const struct rsp_trace *trace, __u64 cgroup_id);
/* Returns the names of the container of the cgroup, or NULL. */
const struct rsp_ev_container *rsp_trace_container_names(const struct rsp_trace *trace,
							 __u64 cgroup_id);
const struct rsp_ev_socket *rsp_trace_socket(const struct rsp_trace *trace, __u64 id);
/*
 * Returns the OBJECT record with the path of the listener of a unix connection. NULL: the path is
 * unknown, or sock is not a unix socket.
 */
const struct rsp_ev_object *rsp_trace_unix_path(const struct rsp_trace *trace,
						const struct rsp_ev_socket *sock);
const struct rsp_ev_binary *rsp_trace_binary(const struct rsp_trace *trace, __u32 number);

/* These functions iterate over all known stacks, in order of first appearance. */
size_t rsp_trace_stack_cnt(const struct rsp_trace *trace);
const struct rsp_ev_stack *rsp_trace_stack_at(const struct rsp_trace *trace, size_t i);

/*
 * Returns the identity of tid at ts_ns: the newest TASK record at ts_ns or before. If there is
 * none, returns the oldest TASK record after ts_ns, or NULL.
 */
const struct rsp_ev_task *rsp_trace_task(const struct rsp_trace *trace, __u32 tid, __u64 ts_ns);

/*
 * Returns whether lists of all processes include the task. A redacted snapshot lacks parts of the
 * time of the kernel's tasks and of other users' tasks. task may be NULL (unknown).
 */
bool rsp_trace_lists(const struct rsp_trace *trace, const struct rsp_ev_task *task);

/*
 * The two steps of rsp_trace_task(), for frequent use: rsp_trace_identities() finds all TASK
 * records of a tid, rsp_trace_identity() chooses the record at ts_ns. Identities are numbers of
 * TASK records, from 0.
 */
struct rsp_identities {
	__u32 first, end;
};
#define RSP_NO_IDENTITY UINT32_MAX
struct rsp_identities rsp_trace_identities(const struct rsp_trace *trace, __u32 tid);
__u32 rsp_trace_identity(const struct rsp_trace *trace, struct rsp_identities of, __u64 ts_ns);
const struct rsp_ev_task *rsp_trace_identity_task(const struct rsp_trace *trace, __u32 identity);
size_t rsp_trace_identity_cnt(const struct rsp_trace *trace);

struct rsp_frame {
	/* demangled, in the trace's memory; without a name, "libfoo.so+0x12" or "0x7f12…" */
	const char *symbol;
	const char *module; /* "libc.so.6", "vmlinux", "[virtio_blk]"; "?" when unknown */
	bool kernel;
};

/* Returns whether symbol is a name, not an address or an offset in the module. */
bool rsp_frame_has_name(const struct rsp_frame *f);

bool rsp_trace_is_named(const struct rsp_trace *trace, __u64 stack_id);

/*
 * Writes the frames of a stack to ret, leaf first, including inlined ones, without the recorder's
 * own frames at the kernel leaf. If the stack ends early, the last frame is the text "(callers
 * unknown)". Returns the number of frames in ret.
 */
size_t rsp_trace_frames(const struct rsp_trace *trace, __u64 stack_id, struct rsp_frame *ret,
			size_t max);

#endif
