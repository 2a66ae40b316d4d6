/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl top: shows the present in the terminal, or with --once as text. The text lists the hottest
 * functions, the longest waits and the threads that cause them, requests in flight, and the times
 * of each process.
 */
#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/top-session.h"
#include "cli/top-terminal.h"
#include "lib/base/cleanup.h"
#include "lib/live/screen.h"

#define INTERVAL_NS 1000000000ULL
#define ONCE_COLS   160 /* maximum width; also the width if stdout is not a terminal */
#define COLS_MIN    80
#define ONCE_ROWS   12

static void session_done(struct rsp_top_session **s)
{
	rsp_top_session_free(*s);
}

static void sleep_ns(uint64_t ns)
{
	struct timespec rest = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};

	while (nanosleep(&rest, &rest) < 0 && errno == EINTR)
		;
}

/* At least COLS_MIN, at most ONCE_COLS. */
static int once_cols(void)
{
	unsigned int cols = rsp_output_width();

	if (!cols || cols > ONCE_COLS)
		return ONCE_COLS;
	return cols < COLS_MIN ? COLS_MIN : (int)cols;
}

static int once(struct rsp_top_session *s, const struct rsp_options *opt, uint64_t interval_ns)
{
	const struct rsp_live_view *view = rsp_top_session_view(s);
	struct rsp_screen_how how = {.cols = once_cols(),
				     .filter = "",
				     .notice = "",
				     .clock = "",
				     .interval_ns = interval_ns};
	int r = 0;

	/* Records without pauses, even beyond the recorder's budget, because the time is short. */
	rsp_top_session_watch(s, true);
	if (rsp_top_session_watches(s))
		r = rsp_top_session_refresh(s, false); /* starts the interval again */
	if (r == 0) {
		sleep_ns(interval_ns);
		r = rsp_top_session_refresh(s, false);
	}
	if (r < 0)
		return rsp_fail(r, "cannot follow events: %s", rsp_top_session_error(s, r));
	how.cost = rsp_top_session_cost(s);
	how.ignores_budget = rsp_top_session_watches(s);
	r = rsp_screen_print(view, &how, opt->chain_max ? opt->chain_max : ONCE_ROWS, stdout);
	if (r < 0)
		return rsp_fail(r, "cannot show the lists: %m");
	r = rsp_output_flush();
	return r ? r : view->lost_cnt ? RSP_EXIT_LOSSY : RSP_EXIT_OK;
}

int rsp_verb_top(const struct rsp_options *opt)
{
	_cleanup_(session_done) struct rsp_top_session *s = NULL;
	uint64_t interval_ns = opt->interval_ns ? opt->interval_ns : INTERVAL_NS;
	int r;

	if (!opt->once && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))) {
		rsp_fail(0, "top needs a terminal; --once prints text");
		return RSP_EXIT_USAGE;
	}
	r = rsp_top_session_start(opt, &s);
	if (r)
		return r;
	return opt->once ? once(s, opt, interval_ns) : rsp_top_terminal(s, opt, interval_ns);
}
