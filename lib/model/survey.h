/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model -> tables of what went on in the span that was asked for, on the whole machine, each row
 * with the part of it that the process of interest waited for: files and disks, peers, locks,
 * interrupts, wakeups. Facts only; what they mean is for the findings to say.
 *
 * target_ns of a row is how long the process of interest waited for it, by its own threads or
 * through those that these waited for, as chains tell: a part of its total. is_target: the row is
 * of the process itself.
 *
 * All times in nanoseconds. Rows are ordered: most of the process's waiting first, then by their
 * own heaviest column, then by name. Strings live as long as the names that were given.
 */
#ifndef RSP_LIB_SURVEY_H
#define RSP_LIB_SURVEY_H

#include <stdbool.h>
#include <stddef.h>

#include "model.h"
#include "names.h"

/* Requests for one file (or a disk's metadata) by one program. */
struct rsp_io_row {
	const char *file; /* "/var/log/x"; "" for metadata and what has no file */
	const char *disk; /* "vda" */
	const char *comm; /* of who issued them or, if that was not seen, waited; without numbers of
			     kernel threads */
	const char *op;	  /* "read", "write", "flush", "discard", "other" */
	bool is_metadata; /* of the file system */
	__u64 request_cnt, bytes;
	__u64 active_ns, queued_ns; /* sums over requests */
	__u64 longest_ns;	    /* one request, queued and active */
	__u64 waited_ns;	    /* waits of all threads that one of them ended */
	__u64 target_ns;
};

/*
 * One thread's conversation with one peer. A service's clients are told apart by host alone: each
 * connection of theirs has a port of its own. Whoever connected is the client; where that was not
 * seen, the end with the smaller port is taken for the service.
 */
struct rsp_net_row {
	const char *peer; /* "10.0.0.1:80"; "10.0.0.7:*": a client; "*:*": whoever connects */
	__u16 service;	  /* own port that the peer is a client of, 0: the peer is the service */
	const char *protocol;  /* "tcp", "udp"; "" with an unknown peer, which is "" too */
	const char *peer_comm; /* the program that sent last, if on this host; "" */
	const char *comm;
	__u32 tgid, tid;
	bool is_target; /* a thread of the process of interest */
	__u64 target_ns;
	__u64 send_cnt, sent_bytes;
	__u64 wait_cnt, waited_ns, longest_ns; /* waits that an arrival ended */
	/*
	 * Waits of which the last thing before on this connection was a send of the thread itself;
	 * from that send to the answer. Opening a connection counts as sending.
	 */
	__u64 round_trip_cnt, round_trip_ns;
};

/* A futex of one process: a mutex, a condition variable, a join, whatever is built upon it. */
struct rsp_lock_row {
	__u64 address;
	__u32 tgid;
	const char *comm; /* of the process */
	__u64 wait_cnt, waited_ns, longest_ns, longest_at_ns;
	__u32 waiter_cnt; /* distinct threads */
	__u32 waker_cnt;
	/* Threads that both waited and woke: what is handed on by those who queue for it is a lock.
	 */
	__u32 both_cnt;
	const char *holder; /* the waker that most of the waiting was for, and its tid; "": none */
	__u32 holder_tid;
	bool is_target;
	__u64 target_ns;
};

/* A handler of interrupts or a softirq. */
struct rsp_irq_row {
	const char *name; /* "virtio1-req.0", "softirq NET_RX" */
	__u64 cnt, ns, longest_ns;
	__u64 interrupting_ns; /* in which it kept a thread of the process of interest from running
				*/
	__u64 woken_cnt;       /* wakeups inside of it */
};

/* Who made whom runnable. */
struct rsp_edge_row {
	const char *waker; /* program, disk, peer's program or "network", function of a timer,
			      handler */
	const char *wakee;
	const char *context; /* "task", "disk", "network", "timer", "interrupt" */
	bool is_target;	     /* the wakee is of the process of interest */
	__u64 cnt;
	__u64 first_cnt; /* of which ended a wait; the others came second, or to one awake */
	__u64 waited_ns; /* that those had waited within the span */
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
 * Makes the survey, in time linear in the records, apart from looking up the identities of threads.
 * target has a flag for each thread of the model: whether it belongs to the process of interest.
 * waited_ns is the result of attribution. with_machine adds what no finding uses: irqs, edges, the
 * bytes that threads sent, and the disk requests that the process of interest did not wait for.
 * Returns 0 or -ENOMEM; then ret is unchanged.
 */
int rsp_survey_make(const struct rsp_model *m, struct rsp_names *names, const bool *target,
		    const __u64 *waited_ns, bool with_machine, struct rsp_survey *ret);
void rsp_survey_done(struct rsp_survey *s);

#endif
