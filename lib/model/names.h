/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of the parts of a chain: texts for threads, objects of waits and stacks. Equal texts
 * have equal numbers, so chains of different processes can be merged by numbers.
 */
#ifndef RSP_LIB_NAMES_H
#define RSP_LIB_NAMES_H

#include "lib/base/arena.h"
#include "lib/trace/trace.h"

/*
 * Maximum number of frames of a kernel stack and its user stack together. Deeper stacks lose their
 * outermost frames.
 */
#define RSP_NAMES_FRAMES_MAX 512

struct rsp_thread;

struct rsp_names {
	const struct rsp_trace *trace; /* borrowed */
	int error;		       /* sticky: -ENOMEM; then new numbers are 0 */
	struct rsp_intern texts;       /* 0 is "" */
	struct rsp_intern frame_lists; /* lists of struct rsp_frame; number 0 is the empty list */
	struct rsp_idmap of_object;    /* maps the id of a record to the number of its text */
	struct rsp_idmap of_cgroup;    /* maps the id of a cgroup to the text of its container */
	struct rsp_idmap of_device;    /* disk number -> text */
	struct rsp_idmap of_function;  /* address -> text */
	struct rsp_idmap of_syscall;   /* system call number -> text */
	struct rsp_idmap of_softirq;   /* vector -> text */
	/* maps a hash of the ids of a kernel stack and a user stack to the list of frames */
	struct rsp_idmap of_stacks;
	/* [identity of the trace]: number of the text; UINT32_MAX: not looked up yet */
	__u32 *of_identity;
	struct rsp_frame scratch[RSP_NAMES_FRAMES_MAX];
};

/* Returns 0 or -ENOMEM. */
int rsp_names_new(const struct rsp_trace *trace, struct rsp_names **ret);
struct rsp_names *rsp_names_free(struct rsp_names *n);

/* These functions return the text or the frames of a number. The result is valid as long as n. */
const char *rsp_names_text(const struct rsp_names *n, __u32 id);
const struct rsp_frame *rsp_names_frames(const struct rsp_names *n, __u32 id, size_t *ret_cnt);

/* These functions return the number of a name, or 0 if there is no name. */
__u32 rsp_names_add(struct rsp_names *n, const char *text);
__u32 rsp_names_tid(struct rsp_names *n, __u32 tid, __u64 ts_ns);
__u32 rsp_names_thread(struct rsp_names *n, const struct rsp_thread *t, __u64 ts_ns);
/* Returns the task's container, as rsp_container_print() writes it. 0: no container, or unknown. */
__u32 rsp_names_container(struct rsp_names *n, const struct rsp_ev_task *task);
/*
 * Returns the name of an OBJECT or a SOCKET. The name of a SOCKET is the path of the server's unix
 * socket or the address of the other end. Without another end, it is the socket's own address.
 */
__u32 rsp_names_object(struct rsp_names *n, __u64 id);
__u32 rsp_names_device(struct rsp_names *n, __u32 dev);
/* Returns the name of the kernel function at the address; 0: its name was not recorded. */
__u32 rsp_names_function(struct rsp_names *n, __u64 address);
/* The ids are hashes, so a collision of different pairs is unlikely. */
static inline __u64 rsp_names_stack_key(__u64 kstack, __u64 ustack)
{
	return kstack ^ (ustack << 32 | ustack >> 32) * 0x9e3779b97f4a7c15ULL;
}
__u32 rsp_names_stack(struct rsp_names *n, __u64 kstack, __u64 ustack);

/* out: the switch at which the thread blocked, or NULL. */
__u32 rsp_names_wait(struct rsp_names *n, const struct rsp_ev_switch *out);
__u32 rsp_names_syscall(struct rsp_names *n, const struct rsp_ev_switch *out);
/*
 * Returns a name for the cause of a wakeup with RSP_CAUSE_KERNEL, such as "softirq RCU"; 0: no
 * name.
 */
__u32 rsp_names_interrupt(struct rsp_names *n, const struct rsp_ev_waking *waking);

#endif
