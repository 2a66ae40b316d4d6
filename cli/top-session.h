/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data behind `rspctl top`: a session asks the recorder for new records at each refresh. Root
 * and group rsp follow all processes (Recent). Others get snapshots of a process of their own, as
 * often as one percent of a CPU allows.
 */
#ifndef RSP_CLI_TOP_SESSION_H
#define RSP_CLI_TOP_SESSION_H

#include <stdbool.h>

#include "cli/rspctl.h"
#include "lib/live/live.h"

struct rsp_top_session;

/* Returns an enum rsp_exit. If it is not 0, the function has reported the error. */
int rsp_top_session_start(const struct rsp_options *opt, struct rsp_top_session **ret);
struct rsp_top_session *rsp_top_session_free(struct rsp_top_session *s);

/* The choices that the user may change while top runs. */
struct rsp_live_how *rsp_top_session_how(struct rsp_top_session *s);

/*
 * Refreshes the view; if keep, only reads what has come, and the view stays. 0 or -errno;
 * rsp_top_session_error() has a sentence about it.
 */
int rsp_top_session_refresh(struct rsp_top_session *s, bool keep);
const char *rsp_top_session_error(const struct rsp_top_session *s, int error);
const struct rsp_live_view *rsp_top_session_view(const struct rsp_top_session *s);
void rsp_top_session_reset(struct rsp_top_session *s);

/* "recorder 0.4 % of the CPUs, top 0.6 % of one". */
const char *rsp_top_session_cost(const struct rsp_top_session *s);
/* A sentence for the user, or "". */
const char *rsp_top_session_notice(const struct rsp_top_session *s);
/* Until the next refresh: at least wanted_ns, more if that would cost more than 1 % of a CPU. */
uint64_t rsp_top_session_interval_ns(const struct rsp_top_session *s, uint64_t wanted_ns);

#endif
