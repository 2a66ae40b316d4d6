/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a model to weighted stacks: where threads ran or waited, and for how long. Flame graphs,
 * call graphs and comparisons show these stacks. In profiles of time, the weights add up to the
 * time of all spans that this kind of profile selects.
 */
#ifndef RSP_LIB_PROFILE_H
#define RSP_LIB_PROFILE_H

#include "lib/base/arena.h"
#include "lib/model/model.h"

enum rsp_profile_kind {
	/*
	 * Runs. The samples of a run share its time equally. If a run has no samples, samples of
	 * other runs show approximately what the thread did (lib/model/attribute/estimate.h).
	 */
	RSP_PROFILE_ONCPU,
	RSP_PROFILE_OFFCPU,  /* time in which threads were blocked, by stack and object */
	RSP_PROFILE_HOTCOLD, /* RSP_PROFILE_ONCPU and RSP_PROFILE_OFFCPU together */
	/* Waits of RSP_PROFILE_OFFCPU. Above each wait is the stack of its waker, upside down. */
	RSP_PROFILE_WAKEUP,
	/*
	 * Waits of RSP_PROFILE_OFFCPU, with chains of wakers. If the waker itself waited during a
	 * part of the wait, the thread that ended the waker's wait is above the waker for this
	 * part, and so on.
	 */
	RSP_PROFILE_CHAIN,
	RSP_PROFILE_RUNQUEUE, /* waits for a CPU, by the stack with which the thread continues */
	/* Waits that the completion of a disk request ended, by the state of the disk. */
	RSP_PROFILE_DISK,
	/* Waits that the network ended: data arrived, or the other end read data. */
	RSP_PROFILE_NETWORK,
	/*
	 * Events of a watch of memory (rsp_ev_memory), by user stack. Page faults also have a
	 * kernel stack.
	 */
	RSP_PROFILE_MALLOC, /* bytes that programs requested from allocators */
	RSP_PROFILE_LEAKS,  /* allocated bytes that were not freed */
	RSP_PROFILE_FAULTS,
	RSP_PROFILE_MMAP, /* bytes by which mmap() and mremap() grew processes */
	RSP_PROFILE_BRK,  /* bytes by which brk() grew processes */
	RSP_PROFILE_KIND_MAX,
};

struct rsp_profile_words {
	const char *key;    /* name on the command line, like "oncpu" */
	const char *title;  /* like "On-CPU time" */
	const char *events; /* name of the events that nodes count, like "samples" */
	const char *empty;  /* text for a profile without weight, like "Nothing ran." */
	const char *unit;   /* unit of weights: "ns", "bytes" or "faults" */
	__u32 memory;	    /* enum rsp_memory_kind; 0: the profile is not about memory */
};
const struct rsp_profile_words *rsp_profile_words(enum rsp_profile_kind kind);
/* Finds a kind by its key. Returns 0, or -EINVAL if no kind has this key. */
int rsp_profile_kind_parse(const char *key, enum rsp_profile_kind *ret);
#define RSP_PROFILE_TIME_NAMES "oncpu, offcpu, hotcold, wakeup, chain, runqueue, disk, network"
#define RSP_PROFILE_KIND_NAMES RSP_PROFILE_TIME_NAMES ", malloc, leaks, faults, mmap, brk"

/* The type of a node, which determines the color of its box. */
enum rsp_profile_ink {
	RSP_PROFILE_PROCESS,
	RSP_PROFILE_THREAD,
	RSP_PROFILE_USER,
	RSP_PROFILE_KERNEL,
	RSP_PROFILE_WAIT,	  /* system call or object of a wait, or the event that ended it */
	RSP_PROFILE_WAIT_DISK,	  /* like RSP_PROFILE_WAIT, but the disk ended the wait */
	RSP_PROFILE_WAIT_QUEUE,	  /* part of a wait in which the disk request was in a queue */
	RSP_PROFILE_WAIT_NETWORK, /* like RSP_PROFILE_WAIT, but the network ended the wait */
	RSP_PROFILE_WAIT_CPU,	  /* reason of a wait for a CPU */
	RSP_PROFILE_WAKER,	  /* name of a thread that ended a wait */
	RSP_PROFILE_WAKER_USER,
	RSP_PROFILE_WAKER_KERNEL,
	RSP_PROFILE_NOTE, /* remark in the place of a function, like "[not sampled]" */
};

#define RSP_PROFILE_ROOT UINT32_MAX

struct rsp_profile_node {
	__u32 parent; /* index of the parent, lower than that of the node; RSP_PROFILE_ROOT: none */
	__u32 name;   /* id of a string, see rsp_profile_text() */
	__u32 module; /* id of a string; 0: "" */
	enum rsp_profile_ink ink;
	__u64 self; /* weight of the stacks that end at the node, in the unit of the profile */
	__u64 off;  /* the part of self in which the thread had no CPU */
	__u64 cnt;  /* number of events of the stacks that end at the node: samples, waits */
};

/*
 * A tree of stacks. Its roots are processes, and a function is the parent of the functions that it
 * calls. In some kinds, nodes for the wait and its wakers follow the innermost frame. A child is
 * "above" its parent, as in a flame graph.
 */
struct rsp_profile {
	struct {
		struct rsp_profile_node *v;
		size_t cnt, cap;
	} nodes;
	struct rsp_intern strings; /* string 0 is "" */
	__u64 total;		   /* sum of self over all nodes */
	__u64 inferred;		   /* the part of total that is estimated from other runs */
	size_t thread_cnt;	   /* selected threads, even without weight */
	/*
	 * Time of the selected threads that the records do not explain, without pauses of the
	 * recorder.
	 */
	__u64 unknown_ns;
	const char *unit; /* unit of all weights: "ns", "bytes" or "faults" */
	/*
	 * Kinds about memory: the watch that recorded the events, which belongs to the trace; NULL:
	 * none.
	 */
	const struct rsp_ev_memory_watch *watch;
};

struct rsp_profile_options {
	enum rsp_profile_kind kind;
	bool per_thread; /* the children of processes are threads */
	/*
	 * Do not use the stack at the end of a run for a run without samples, but "[not sampled]".
	 */
	bool only_samples;
	__u32 tgid;		  /* ID of the process to select; 0: all */
	bool descendants;	  /* also select the descendants of tgid */
	const char *comm;	  /* name of the processes to select; NULL: all */
	__u64 since_ns, until_ns; /* CLOCK_MONOTONIC; until_ns 0: the span of the model */
};

/* Returns 0 or -ENOMEM. */
int rsp_profile_make(const struct rsp_model *m, const struct rsp_profile_options *opt,
		     struct rsp_profile *ret);
void rsp_profile_done(struct rsp_profile *p);

/* Returns a text, which lives as long as the profile. The text may contain any bytes except NUL. */
static inline const char *rsp_profile_text(const struct rsp_profile *p, __u32 string)
{
	return rsp_intern_data(&p->strings, string);
}

static inline bool rsp_profile_is_kernel(const struct rsp_profile_node *node)
{
	return node->ink == RSP_PROFILE_KERNEL || node->ink == RSP_PROFILE_WAKER_KERNEL;
}

#endif
