/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the process that a client selected. If several processes match, chooses the process that
 * left a CPU most often in the records.
 */
#ifndef RSP_DAEMON_CHOOSE_H
#define RSP_DAEMON_CHOOSE_H

#include <stdint.h>

#include "daemon/snapshots/dump-request.h"

struct rsp_choice;

/* req must outlive the result. Returns NULL if memory runs out. */
struct rsp_choice *rsp_choice_new(const struct rsp_dump_request *req);
struct rsp_choice *rsp_choice_free(struct rsp_choice *c);

/* Call it with each record, in order of arrival. Returns 0 or -ENOMEM. */
int rsp_choice_see(struct rsp_choice *c, const struct rsp_ev_hdr *rec);
/*
 * Call it for each container whose names are known. rsp_choice_see() calls it with names NULL for
 * each OBJECT record.
 */
int rsp_choice_see_container(struct rsp_choice *c, const struct rsp_ev_object *obj,
			     const struct rsp_ev_container *names);

/*
 * Call it after the last record. A process may have closed itself (PR_SET_DUMPABLE) after its last
 * record, so this function calls is_closed for each process that counts as req->uid's so far. This
 * function calls close with a TASK record for each process that is or may have been closed. Returns
 * 0, or a nonzero result of close.
 *
 * is_closed returns 1 if the process is closed, 0 if it is open, -ESRCH if it has ended.
 */
typedef int (*rsp_choice_is_closed_fn)(__u32 tgid, uid_t uid);
typedef int (*rsp_choice_close_fn)(const struct rsp_ev_task *task, void *userdata);
int rsp_choice_close(struct rsp_choice *c, rsp_choice_is_closed_fn is_closed,
		     rsp_choice_close_fn close, void *userdata);

/*
 * Sets the target of meta to the selected process. If the PID was reused, selects the process with
 * the newest start at or before the end of the span.
 *
 * Returns 0; -ESRCH: no process matches; -EACCES: own_only is set, and the process is not
 * req->uid's; -ENOTUNIQ: processes of several containers match.
 */
int rsp_choice_decide(struct rsp_choice *c, struct rsp_meta *meta);
/* Call it after -ENOTUNIQ. */
void rsp_choice_candidates(const struct rsp_choice *c, char ret[static RSP_CANDIDATES_BYTES]);

#endif
