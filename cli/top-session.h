/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data behind `rspctl top`. Root and group rsp follow all processes (io.rsp.Recorder.Recent).
 * For other users, the session takes snapshots, which contain all processes of the user, as often
 * as 1 % of a CPU allows.
 */
#ifndef RSP_CLI_TOP_SESSION_H
#define RSP_CLI_TOP_SESSION_H

#include <stdbool.h>

#include "cli/rspctl.h"
#include "lib/live/live.h"

struct rsp_top_session;

/* Returns an enum rsp_exit, and reports errors. */
int rsp_top_session_start(const struct rsp_options *opt, struct rsp_top_session **ret);
struct rsp_top_session *rsp_top_session_free(struct rsp_top_session *s);

/* Returns the settings of the view, which the user may change while top runs. */
struct rsp_live_how *rsp_top_session_how(struct rsp_top_session *s);

/*
 * If keep is set, keeps the view, but still reads records if the session follows all processes.
 * Returns 0 or -errno, which rsp_top_session_error() turns into a sentence.
 */
int rsp_top_session_refresh(struct rsp_top_session *s, bool keep);
const char *rsp_top_session_error(const struct rsp_top_session *s, int error);
const struct rsp_live_view *rsp_top_session_view(const struct rsp_top_session *s);
/*
 * If watches is true, makes the recorder record without pauses for at most ten minutes, even if
 * this exceeds its budget. If the recorder refuses, rsp_top_session_notice() returns the reason.
 */
void rsp_top_session_watch(struct rsp_top_session *s, bool watches);
bool rsp_top_session_watches(const struct rsp_top_session *s);
void rsp_top_session_reset(struct rsp_top_session *s);

/* Returns text like "recorder 0.40 % of the CPUs, top 0.60 % of a CPU". */
const char *rsp_top_session_cost(const struct rsp_top_session *s);
/* Returns a sentence to show to the user, or "". */
const char *rsp_top_session_notice(const struct rsp_top_session *s);
/*
 * Returns the time until the next refresh: wanted_ns, or up to a minute if refreshes would
 * otherwise cost more than 1 % of a CPU.
 */
uint64_t rsp_top_session_interval_ns(const struct rsp_top_session *s, uint64_t wanted_ns);

#endif
