/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of the window -> the process that somebody means, who named it by its pid, or by what it
 * is: its cgroup, its comm, the port it serves. Of several the one that ran most, counted by how
 * often it left a CPU; with a port, the one that sent most.
 */
#ifndef RSP_DAEMON_CHOOSE_H
#define RSP_DAEMON_CHOOSE_H

#include <stdint.h>

#include "dump.h"

struct rsp_choice;

/* req outlives it. NULL: no memory. */
struct rsp_choice *rsp_choice_new(const struct rsp_dump_request *req);
struct rsp_choice *rsp_choice_free(struct rsp_choice *c);

/* Each record in order of arrival. 0 or -ENOMEM. */
int rsp_choice_see(struct rsp_choice *c, const struct rsp_ev_hdr *rec);

/*
 * After the last record: a process may have closed itself (PR_SET_DUMPABLE) since the last one that
 * tells whose it is. is_closed tells of one that was req->uid's until now; close is called with a
 * TASK record that says so. 0, or what close returned, which is not 0.
 */
typedef bool (*rsp_choice_is_closed_fn)(__u32 tgid, uid_t uid);
typedef int (*rsp_choice_close_fn)(const struct rsp_ev_task *task, void *userdata);
int rsp_choice_close(struct rsp_choice *c, rsp_choice_is_closed_fn is_closed,
		     rsp_choice_close_fn close, void *userdata);

/*
 * The process, by the newest start at or before the end of the span: a pid may have been used
 * before. 0; -ESRCH: none; -EACCES: it is not req->uid's, and own_only is set.
 */
int rsp_choice_decide(const struct rsp_choice *c, __u32 *ret_tgid, uint64_t *ret_start_ns);

#endif
