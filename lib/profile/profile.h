/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model -> weighted stacks: where threads ran or waited, and how long. Flame graphs, call graphs,
 * differences and pprof files are made of them. Nothing is left out: the weights add up to the time
 * of all spans that a kind is about.
 */
#ifndef RSP_LIB_PROFILE_H
#define RSP_LIB_PROFILE_H

#include "lib/base/arena.h"
#include "lib/model/model.h"

enum rsp_profile_kind {
	/*
	 * Runs. A run's time is shared equally by the samples taken in it. If there are none,
	 * samples of other runs tell what the thread did (lib/model/estimate.h).
	 */
	RSP_PROFILE_ONCPU,
	RSP_PROFILE_OFFCPU,  /* waits until a wakeup, by the stack of the wait and its object */
	RSP_PROFILE_HOTCOLD, /* both */
	RSP_PROFILE_WAKEUP,  /* waits, and on top of each who or what ended it, innermost frame
				first */
	/*
	 * The same. The part of a wait in which the waker waited itself stands on top of the waker,
	 * by who ended that, and so on.
	 */
	RSP_PROFILE_CHAIN,
	RSP_PROFILE_RUNQUEUE, /* waits for a CPU, by the stack with which the thread goes on */
	RSP_PROFILE_DISK, /* waits that the end of a disk request ended, by the state of the disk */
	RSP_PROFILE_NETWORK, /* waits that data from the network ended, or a reader at the other end
			      */
	RSP_PROFILE_KIND_MAX,
};

/* The words for a kind. */
struct rsp_profile_words {
	const char *key;    /* on the command line: "oncpu" */
	const char *title;  /* "On-CPU time" */
	const char *events; /* what nodes count: "samples" */
	const char *empty;  /* stands for a profile without weight: "Nothing ran." */
};
const struct rsp_profile_words *rsp_profile_words(enum rsp_profile_kind kind);
/* 0 or -EINVAL. */
int rsp_profile_kind_parse(const char *key, enum rsp_profile_kind *ret);
#define RSP_PROFILE_KIND_NAMES "oncpu, offcpu, hotcold, wakeup, chain, runqueue, disk, network"

/* What a node is, and so how it is drawn. */
enum rsp_profile_ink {
	RSP_PROFILE_PROCESS,
	RSP_PROFILE_THREAD,
	RSP_PROFILE_USER,
	RSP_PROFILE_KERNEL,
	RSP_PROFILE_WAIT,	  /* the call and object of a wait; or what ended it */
	RSP_PROFILE_WAIT_DISK,	  /* the same, of a wait that the disk ended */
	RSP_PROFILE_WAIT_QUEUE,	  /* its part in the queue of the disk */
	RSP_PROFILE_WAIT_NETWORK, /* the same, of a wait that the network ended */
	RSP_PROFILE_WAIT_CPU,	  /* of a wait for a CPU */
	RSP_PROFILE_WAKER,	  /* the name of a thread that ended a wait */
	RSP_PROFILE_WAKER_USER,	  /* a frame of its stack */
	RSP_PROFILE_WAKER_KERNEL,
	RSP_PROFILE_NOTE, /* not a function: "[not sampled]" */
};

#define RSP_PROFILE_ROOT UINT32_MAX

struct rsp_profile_node {
	__u32 parent; /* its index is lower than that of the node; RSP_PROFILE_ROOT: none */
	__u32 name;   /* number of a string: rsp_profile_text() */
	__u32 module; /* the same; 0: "" */
	enum rsp_profile_ink ink;
	__u64 self; /* what ends here, in the unit of the profile */
	__u64 off;  /* the part of self in which the thread was on no CPU */
	__u64 cnt;  /* events behind it: samples, waits */
};

/* A trie. The innermost frames are its leaves; processes are its roots. */
struct rsp_profile {
	struct {
		struct rsp_profile_node *v;
		size_t cnt, cap;
	} nodes;
	struct rsp_intern strings; /* 0 is "" */
	__u64 total;		   /* sum of self */
	__u64 inferred;		   /* the part of total that was inferred from other runs */
	size_t thread_cnt;	   /* threads that it is about, whether they have weight or not */
	__u64 unknown_ns; /* beside it: these threads did something, but records contradict */
	const char *unit; /* "ns" */
};

struct rsp_profile_options {
	enum rsp_profile_kind kind;
	bool per_thread;	  /* threads are nodes above their processes */
	__u32 tgid;		  /* of this process alone; 0: of all */
	const char *comm;	  /* of processes with that name alone; NULL: of all */
	__u64 since_ns, until_ns; /* CLOCK_MONOTONIC; until_ns == 0: the span of the model */
};

/* 0 or -ENOMEM. */
int rsp_profile_make(const struct rsp_model *m, const struct rsp_profile_options *opt,
		     struct rsp_profile *ret);
void rsp_profile_done(struct rsp_profile *p);

/* The text lives as long as the profile. It may hold any bytes but NUL. */
static inline const char *rsp_profile_text(const struct rsp_profile *p, __u32 string)
{
	return rsp_intern_data(&p->strings, string);
}

/* Whether the node is a function of the kernel. */
static inline bool rsp_profile_is_kernel(const struct rsp_profile_node *node)
{
	return node->ink == RSP_PROFILE_KERNEL || node->ink == RSP_PROFILE_WAKER_KERNEL;
}

#endif
