/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the process that a client selected by its pid, its cgroup, its container, its comm or its
 * port, or as one of the user's own (wanted.own). If several match, chooses the one that ran most,
 * by how often it left a CPU; with a port, the one that sent most.
 */
#ifndef RSP_DAEMON_CHOOSE_H
#define RSP_DAEMON_CHOOSE_H

#include <stdint.h>

#include "daemon/snapshots/dump-request.h"

struct rsp_choice;

/* req must outlive the result. NULL: no memory. */
struct rsp_choice *rsp_choice_new(const struct rsp_dump_request *req);
struct rsp_choice *rsp_choice_free(struct rsp_choice *c);

/* Takes each record in order of arrival. 0 or -ENOMEM. */
int rsp_choice_see(struct rsp_choice *c, const struct rsp_ev_hdr *rec);
/* Takes the names of the container of a cgroup; NULL: none. 0 or -ENOMEM. */
int rsp_choice_see_container(struct rsp_choice *c, const struct rsp_ev_object *obj,
			     const struct rsp_ev_container *names);

/*
 * Call it after the last record. A process may have closed itself (PR_SET_DUMPABLE) after its last
 * record. Calls is_closed for each process that was req->uid's until now. Calls close with a TASK
 * record for each that is closed, and for each that may have been closed when it ended, because its
 * EXIT record was lost. Returns 0, or a nonzero result of close.
 *
 * is_closed: 1: the process is closed; 0: it is open; -ESRCH: it has ended.
 */
typedef int (*rsp_choice_is_closed_fn)(__u32 tgid, uid_t uid);
typedef int (*rsp_choice_close_fn)(const struct rsp_ev_task *task, void *userdata);
int rsp_choice_close(struct rsp_choice *c, rsp_choice_is_closed_fn is_closed,
		     rsp_choice_close_fn close, void *userdata);

/*
 * Returns the selected process. As a pid may have been reused, this is the one with the newest
 * start at or before the end of the span. With own_only, a process whose pid now belongs to a
 * process of someone else counts as someone else's, since redaction (redact.h) decides by pid.
 * 0; -ESRCH: none; -EACCES: it is not req->uid's, and own_only is set; -ENOTUNIQ: processes of
 * several containers may be chosen. Of those with the same name, only containers that still run
 * count.
 */
int rsp_choice_decide(struct rsp_choice *c, __u32 *ret_tgid, uint64_t *ret_start_ns);
/* After -ENOTUNIQ: lists these containers, as text; some, if there are many. */
void rsp_choice_candidates(const struct rsp_choice *c, char ret[static RSP_CANDIDATES_BYTES]);

#endif
