/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a model into tables of events on the whole machine in the requested span: files and disks,
 * peers, locks, interrupts, wakeups.
 *
 * target_ns is the time for which the process of interest waited for the events of a row. It
 * includes waits of other threads, if the chains show that a thread of the process waited for these
 * threads. is_target: the row belongs to the process itself.
 *
 * All times are in nanoseconds. Rows are sorted by target_ns (irqs: interrupting_ns), largest
 * first. Strings live as long as the names that were passed in.
 */
#ifndef RSP_LIB_SURVEY_H
#define RSP_LIB_SURVEY_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/model/model.h"
#include "lib/model/names.h"

/* Requests by one program for one file (or for the metadata of a disk). */
struct rsp_io_row {
	const char *file; /* "/var/log/x"; "" for metadata and requests without a file */
	const char *disk; /* "vda" */
	/* the program that issued the requests or, if it is unknown, waited for them */
	const char *comm;
	const char *op;	  /* "read", "write", "flush", "discard", "other" */
	bool is_metadata; /* of the file system */
	__u64 request_cnt, bytes;
	__u64 active_ns, queued_ns; /* sums over requests */
	/* longest time of a request within the span, from queueing to completion */
	__u64 longest_ns;
	/* total time of all threads' waits that these requests ended */
	__u64 waited_ns;
	__u64 target_ns;
};

/*
 * The communication of one thread with one peer. The clients of a service are distinguished only by
 * host, because each of their connections has another port.
 */
struct rsp_net_row {
	const char *peer; /* "10.0.0.1:80"; "10.0.0.7:*": a client; "*:*": any client */
	__u16 service;	  /* own port that the peer connects to; 0: the peer is the service */
	/* "tcp", "udp"; if the peer is unknown, protocol and peer are "" */
	const char *protocol;
	/* the program on this host that sent last from the other end, or "" */
	const char *peer_comm;
	const char *comm;
	__u32 tgid, tid;
	bool is_target;
	__u64 target_ns;
	__u64 send_cnt, sent_bytes;
	__u64 wait_cnt, waited_ns, longest_ns; /* waits that an arrival ended */
	/*
	 * Waits for an answer: the thread's own send or connect was the last event on the
	 * connection before the wait. The fields are the number of these waits, and the sum of the
	 * times from send to answer.
	 */
	__u64 round_trip_cnt, round_trip_ns;
};

/* A futex of one process: a mutex, a condition variable, a join, or any other primitive. */
struct rsp_lock_row {
	__u64 address;
	__u32 tgid;
	const char *comm; /* of the process */
	__u64 wait_cnt, waited_ns, longest_ns, longest_at_ns;
	__u32 waiter_cnt; /* distinct threads */
	__u32 waker_cnt;
	/*
	 * Number of threads that both waited and woke others. If the threads that wait for a futex
	 * also pass it on, the futex is a lock.
	 */
	__u32 both_cnt;
	/* the waker for which other threads waited longest, and its tid; "": no waker */
	const char *holder;
	__u32 holder_tid;
	bool is_target;
	__u64 target_ns;
};

/* An interrupt handler or a softirq. */
struct rsp_irq_row {
	const char *name; /* "virtio1-req.0", "softirq NET_RX" */
	__u64 cnt, ns, longest_ns;
	/* time for which these interrupts stopped threads of the process of interest */
	__u64 interrupting_ns;
	__u64 woken_cnt; /* wakeups by these interrupts */
};

/* The number of times that one program woke another. */
struct rsp_edge_row {
	/*
	 * a program, a disk, the peer's program or "network", the function of a timer, a handler,
	 * or "its own timeout"
	 */
	const char *waker;
	const char *wakee;
	const char *context; /* "task", "disk", "network", "timer", "interrupt" */
	bool is_target;	     /* the wakee belongs to the process of interest */
	__u64 cnt;
	/* number of wakeups that ended a wait */
	__u64 first_cnt;
	__u64 waited_ns; /* time that the wakees had waited within the span */
	__u64 target_ns;
};

#define RSP_SURVEY_TABLE(type)                                                                     \
	struct {                                                                                   \
		type *v;                                                                           \
		size_t cnt, cap;                                                                   \
	}

struct rsp_survey {
	RSP_SURVEY_TABLE(struct rsp_io_row) io;
	RSP_SURVEY_TABLE(struct rsp_net_row) net;
	RSP_SURVEY_TABLE(struct rsp_lock_row) locks;
	RSP_SURVEY_TABLE(struct rsp_irq_row) irqs;
	RSP_SURVEY_TABLE(struct rsp_edge_row) edges;
};

/*
 * Makes the survey. target: [thread]: whether the thread belongs to the process of interest.
 * waited_ns: as in struct rsp_attribution. with_machine adds the parts that no finding uses: irqs,
 * edges, the bytes that threads sent, and the disk requests that the process of interest did not
 * wait for. Returns 0 or -ENOMEM; on failure ret is unchanged.
 */
int rsp_survey_make(const struct rsp_model *m, struct rsp_names *names, const bool *target,
		    const __u64 *waited_ns, bool with_machine, struct rsp_survey *ret);
void rsp_survey_done(struct rsp_survey *s);

#endif
