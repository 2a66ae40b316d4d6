/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explains requests by the time of the answering threads, from the arrival of the request to the
 * first byte of the answer.
 */
#ifndef RSP_LIB_SERVED_H
#define RSP_LIB_SERVED_H

#include "lib/model/request.h"
#include "lib/model/requests/requests.h"
#include "lib/model/roots.h"
#include "lib/model/served/loops.h"

enum rsp_stage {
	RSP_STAGE_OWN,	/* the thread works on the request, or waits in the middle of this work */
	RSP_STAGE_CALL, /* the request waits for the answer to a call that was made for it */
	/*
	 * An event of the request (its arrival, or the answer to a call) waits while the thread is
	 * busy with other requests. The stage ends with the last send for another request.
	 */
	RSP_STAGE_TURN,
};

struct rsp_served_part {
	__u32 thread;  /* index in the model */
	__u32 request; /* index in the exchange */
	__u64 from_ns, to_ns;
	enum rsp_stage stage;
	const struct rsp_ev_socket *peer; /* of RSP_STAGE_CALL: the socket of the call, or NULL */
};

/*
 * Parts to explain together, for rsp_explain_parts(). Contains copies of the snapshot, the trace
 * and the model, with the process of the first part, and a span that contains all parts. The
 * originals must outlive the copies.
 */
struct rsp_served_parts {
	struct rsp_snapshot snap;
	struct rsp_trace trace;
	struct rsp_model model;
	const struct rsp_model *whole;
	const struct rsp_loops *loops;
	const struct rsp_served_part *v; /* at least one; borrowed */
	size_t cnt;
	struct rsp_trips trips; /* trips of the current part */
};

void rsp_served_parts_init(struct rsp_served_parts *s, const struct rsp_model *m,
			   const struct rsp_loops *loops, const struct rsp_served_part *v,
			   size_t cnt);
void rsp_served_parts_done(struct rsp_served_parts *s);

/*
 * For explain.c. rsp_served_parts_roots() makes all parts roots. rsp_served_parts_turn() must be
 * called before part i is attributed. Both return 0 or -ENOMEM.
 */
int rsp_served_parts_roots(const struct rsp_served_parts *s, struct rsp_roots *ret);
int rsp_served_parts_turn(struct rsp_served_parts *s, size_t i);

/* Returns the thread that answered, or RSP_NO_THREAD if the model does not know it. */
__u32 rsp_served_thread(const struct rsp_model *m, const struct rsp_served *served);

/*
 * Finds the part of the answering thread's life that explains a request: from the arrival, or the
 * thread's first span, until the answer. Returns false if there is no such part.
 */
bool rsp_served_part_of(const struct rsp_model *m, const struct rsp_exchange *x, __u32 request,
			struct rsp_served_part *ret);

/* The parts of requests' times. */
struct rsp_served_split {
	struct {
		struct rsp_served_part *v;
		size_t cnt, cap;
	} parts;
	__u64 behind_ns;  /* length of the TURN parts */
	__u64 behind_cnt; /* number of other requests that were answered during the TURN parts */
};

/* Adds the parts of an answered request to ret. Returns 0 or -ENOMEM. */
int rsp_served_split(const struct rsp_model *m, const struct rsp_loops *loops,
		     const struct rsp_served_part *whole, struct rsp_served_split *ret);
void rsp_served_split_done(struct rsp_served_split *split);

#endif
