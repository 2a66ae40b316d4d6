/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See top-session.h. */
#include "cli/top-session.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/fresh.h"
#include "cli/options-parts.h"
#include "cli/recent.h"
#include "cli/reply.h"
#include "cli/service.h"
#include "cli/target.h"
#include "cli/top-reader.h"
#include "cli/when.h"
#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/client/client.h"

#define TIMEOUT_MS 10000

/* Duration of the first snapshot, which provides names and the state of each thread. */
#define BEFORE_NS 500000000ULL

/* Interval between two requests for the recorder's status, if s->follows is true. */
#define STATUS_NS 2000000000ULL

#define BUDGET_PPM 10000

/*
 * The cost of a refresh is the median of the last COSTS refreshes, so a single slow refresh does
 * not count.
 */
#define COSTS 5

#define INTERVAL_NS_MAX 60000000000ULL

struct rsp_top_session {
	const struct rsp_options *opt;
	struct rsp_client *client;
	struct rsp_client *watcher; /* the watch lasts as long as this connection; NULL: no watch */
	uint64_t watch_end_ns;
	struct rsp_top_reader *reader;
	struct rsp_live_view *view;
	struct rsp_live_how how;
	bool follows; /* true: records come from io.rsp.Recorder.Recent; false: from snapshots */
	uint64_t position, since_ns;
	uint64_t snapshot_ns; /* time of the last snapshot */
	/* cost */
	/* time of the start; CPU time of top and its reader at the start */
	uint64_t began_ns, began_cpu_ns;
	uint64_t costs_ns[COSTS], refresh_cnt;
	uint64_t last_cpu_ns, recorder_cpu_ns, status_ns;
	char cost[128], notice[160];
	char recorder[64];
	bool pauses; /* the recorder pauses to stay within its budget */
};

/* --- cost ------------------------------------------------------------------------------------- */

static uint64_t cpu_ns(const struct rsp_top_session *s)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000 +
	       (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000 +
	       rsp_top_reader_cpu_ns(s->reader);
}

static int compare(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return a < b ? -1 : a > b;
}

static uint64_t typical_cost_ns(const struct rsp_top_session *s)
{
	size_t cnt = s->refresh_cnt < COSTS ? s->refresh_cnt : COSTS;
	uint64_t v[COSTS];

	if (!cnt)
		return 0;
	memcpy(v, s->costs_ns, sizeof(v));
	qsort(v, cnt, sizeof(*v), compare);
	return v[cnt / 2];
}

uint64_t rsp_top_session_interval_ns(const struct rsp_top_session *s, uint64_t wanted_ns)
{
	uint64_t least_ns = typical_cost_ns(s) * (1000000 / BUDGET_PPM);

	if (least_ns > INTERVAL_NS_MAX)
		least_ns = INTERVAL_NS_MAX;
	return least_ns > wanted_ns ? least_ns : wanted_ns;
}

/*
 * counts: add the CPU time that the recorder used since the last status to the cost of this
 * refresh.
 */
static int request_status(struct rsp_top_session *s, bool counts)
{
	struct json_object *reply, *cost;
	uint64_t used_ns;
	int r = rsp_client_call(s->client, "io.rsp.Recorder.GetStatus", json_object_new_object(),
				TIMEOUT_MS, &reply, NULL);

	if (r < 0)
		return r;
	cost = rsp_reply_object(reply, "cost");
	used_ns = rsp_reply_number(cost, "daemon_cpu_ns");
	snprintf(s->recorder, sizeof(s->recorder), "recorder %.2f %% of the CPUs",
		 (double)rsp_reply_number(cost, "cost_ppm") / 10000);
	s->pauses = rsp_reply_bool(cost, "in_slices");
	if (counts && s->recorder_cpu_ns && used_ns > s->recorder_cpu_ns)
		s->costs_ns[s->refresh_cnt % COSTS] += used_ns - s->recorder_cpu_ns;
	s->recorder_cpu_ns = used_ns;
	s->status_ns = rsp_when_now_ns();
	json_object_put(reply);
	return 0;
}

static int count_cost(struct rsp_top_session *s)
{
	uint64_t now_ns = rsp_when_now_ns(), used_ns = cpu_ns(s);
	int r = 0;

	s->costs_ns[s->refresh_cnt % COSTS] = used_ns - s->last_cpu_ns;
	s->last_cpu_ns = used_ns;
	if (!s->follows || now_ns - s->status_ns > STATUS_NS)
		r = request_status(s, !s->follows);
	s->refresh_cnt++;
	snprintf(s->cost, sizeof(s->cost), "%s, top %.2f %% of a CPU", s->recorder,
		 now_ns > s->began_ns ? 100.0 * (double)(used_ns - s->began_cpu_ns) /
						(double)(now_ns - s->began_ns)
				      : 0.0);
	return r;
}

/* --- following -------------------------------------------------------------------------------- */

static int request_recent(struct rsp_top_session *s, int *ret_fd, bool *ret_missed)
{
	struct json_object *ask = json_object_new_object(), *reply;
	int r;

	if (s->position)
		json_object_object_add(ask, "position",
				       json_object_new_int64((int64_t)s->position));
	r = rsp_client_call(s->client, "io.rsp.Recorder.Recent", ask, TIMEOUT_MS, &reply, ret_fd);
	if (r < 0)
		return r;
	*ret_missed = rsp_reply_bool(reply, "missed");
	s->how.now_ns = rsp_reply_number(reply, "now_ns");
	s->position = rsp_reply_number(reply, "position");
	json_object_put(reply);
	return *ret_fd < 0 ? -EBADMSG : 0;
}

static int take_snapshot(struct rsp_top_session *s, uint64_t since_ns)
{
	const struct rsp_options *opt = s->opt;
	struct rsp_snapshot_params params = {.since_ns = since_ns,
					     .until_ns = rsp_when_now_ns(),
					     .exit_status = -1,
					     .pid = s->follows ? getpid() : opt->pid};
	_cleanup_(rsp_fresh_done) struct rsp_fresh fresh = {.fd = -1};
	int r;

	if (!s->follows) {
		params.unit = opt->unit;
		params.cgroup = opt->cgroup;
		params.comm = opt->comm;
		params.container = opt->container;
		params.port = opt->port;
		params.own = rsp_target_cnt(opt) == 0;
	}
	r = rsp_fresh_take(s->client, &params, &fresh);
	if (r < 0)
		return r;
	s->snapshot_ns = params.until_ns;
	if (!s->follows)
		r = rsp_top_reader_restart(s->reader);
	return r < 0 ? r : rsp_top_reader_snapshot(s->reader, fresh.fd, &s->since_ns);
}

/* Without a snapshot, the state of a thread would be unknown until its next record. */
static int read_state(struct rsp_top_session *s)
{
	int r = rsp_top_reader_restart(s->reader);

	s->notice[0] = '\0';
	if (r == 0)
		r = take_snapshot(s, rsp_when_now_ns() - BEFORE_NS);
	if (r == -ESRCH || r == -EBUSY || r == -ESTALE || r == -EREMOTEIO) {
		snprintf(s->notice, sizeof(s->notice), "events before the start are unknown: %s",
			 rsp_client_error(s->client, r));
		return 0;
	}
	return r;
}

static int follow(struct rsp_top_session *s)
{
	_cleanup_close_ int fd = -1;
	bool missed = false;
	int r = request_recent(s, &fd, &missed);

	if (r == 0)
		r = rsp_top_reader_records(s->reader, fd, s->since_ns);
	if (r == 0 && missed)
		r = read_state(s);
	return r;
}

/* --- polling ---------------------------------------------------------------------------------- */

/*
 * The recorder takes one snapshot at a time for each user, so the next refresh may succeed after
 * -EBUSY. If no option chose a process, the refresh may succeed after -EACCES and -ESRCH, too: the
 * process that the recorder chose may have ended.
 */
static bool may_pass(const struct rsp_top_session *s, int r)
{
	bool own = rsp_target_cnt(s->opt) == 0;

	return s->refresh_cnt && (r == -EBUSY || (own && (r == -EACCES || r == -ESRCH)));
}

/* Returns 1 if the view must be updated, 0 if there is no new snapshot, or -errno. */
static int poll_snapshot(struct rsp_top_session *s)
{
	uint64_t now_ns = rsp_when_now_ns(), since_ns = s->snapshot_ns;
	int r;

	if (!since_ns || now_ns - since_ns > INTERVAL_NS_MAX)
		since_ns = now_ns - 1000000000ULL;
	s->notice[0] = '\0';
	r = take_snapshot(s, since_ns);
	if (may_pass(s, r)) {
		snprintf(s->notice, sizeof(s->notice), "not refreshed: %s",
			 rsp_client_error(s->client, r));
		return 0;
	}
	s->how.now_ns = s->since_ns;
	return r < 0 ? r : 1;
}

/* --- life ------------------------------------------------------------------------------------- */

static void read_kallsyms(struct rsp_top_session *s)
{
	_cleanup_close_ int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);

	/*
	 * Most users see no addresses in this file. The names of kernel functions then come from
	 * snapshots.
	 */
	if (fd >= 0)
		(void)rsp_top_reader_kernel(s->reader, fd);
}

static int fail_start(const struct rsp_top_session *s, int r)
{
	return rsp_fail(r, "cannot follow events: %s", rsp_top_session_error(s, r));
}

/* Asks the recorder whether this user may follow all processes. */
static int begin(struct rsp_top_session *s)
{
	_cleanup_close_ int fd = -1;
	bool missed;
	int r = request_recent(s, &fd, &missed);

	s->follows = r == 0;
	if (r == 0)
		return RSP_EXIT_OK;
	if (r != -EACCES && r != -EREMOTEIO)
		return fail_start(s, r);
	/*
	 * A snapshot contains only those threads of other users that are part of a chain, with
	 * incomplete records.
	 */
	s->how.own_only = true;
	if (rsp_target_cnt(s->opt) <= 1)
		return RSP_EXIT_OK;
	return rsp_target_fail();
}

static int check_target(const struct rsp_options *opt, bool follows)
{
	if (!follows || !rsp_target_is_resolved(opt))
		return RSP_EXIT_OK;
	rsp_fail(0, "top chooses processes by --pid or --comm; its key u shows units");
	return RSP_EXIT_USAGE;
}

static int prepare(struct rsp_top_session *s)
{
	struct rsp_live_view *view = calloc(1, sizeof(*view));
	int r = view ? rsp_top_reader_start(&s->reader) : -ENOMEM;

	s->view = view;
	if (r < 0)
		return rsp_fail(r, "cannot start a process that reads records: %m");
	read_kallsyms(s);
	r = s->follows ? read_state(s) : 0;
	/* Makes the first view, so that the first interval begins now. */
	if (r == 0 && s->follows)
		r = follow(s);
	if (r == 0)
		r = rsp_top_reader_look(s->reader, &s->how, s->view);
	if (r == 0)
		r = request_status(s, false);
	if (r < 0)
		return fail_start(s, r);
	s->began_ns = rsp_when_now_ns();
	s->began_cpu_ns = s->last_cpu_ns = cpu_ns(s);
	return RSP_EXIT_OK;
}

int rsp_top_session_start(const struct rsp_options *opt, struct rsp_top_session **ret)
{
	struct rsp_top_session *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return rsp_fail(-ENOMEM, "cannot follow events: %m");
	s->opt = opt;
	s->how = (struct rsp_live_how){.pid = (__u32)opt->pid, .row_max = RSP_LIVE_ROWS};
	if (opt->comm)
		snprintf(s->how.comm, sizeof(s->how.comm), "%s", opt->comm);
	r = rsp_service_connect(opt, &s->client);
	if (!r)
		r = begin(s);
	if (!r)
		r = check_target(opt, s->follows);
	if (!r)
		r = prepare(s);
	if (r) {
		rsp_top_session_free(s);
		return r;
	}
	*ret = s;
	return RSP_EXIT_OK;
}

struct rsp_top_session *rsp_top_session_free(struct rsp_top_session *s)
{
	if (!s)
		return NULL;
	rsp_top_reader_free(s->reader);
	rsp_client_free(s->watcher);
	rsp_client_free(s->client);
	free(s->view);
	free(s);
	return NULL;
}

/* ---------------------------------------------------------------------------------------------- */

int rsp_top_session_refresh(struct rsp_top_session *s, bool keep)
{
	bool is_new = !keep;
	int r = 0;

	if (s->follows) {
		r = follow(s);
	} else if (!keep) {
		r = poll_snapshot(s);
		is_new = r > 0;
	}
	if (r >= 0 && is_new)
		r = rsp_top_reader_look(s->reader, &s->how, s->view);
	return r < 0 ? r : count_cost(s);
}

const char *rsp_top_session_error(const struct rsp_top_session *s, int error)
{
	switch (error) {
	case -EPIPE:
	case -ETIME:
		return "the process that reads records has ended or does not answer";
	default:
		return s->client ? rsp_client_error(s->client, error) : strerror(-error);
	}
}

struct rsp_live_how *rsp_top_session_how(struct rsp_top_session *s)
{
	return &s->how;
}

const struct rsp_live_view *rsp_top_session_view(const struct rsp_top_session *s)
{
	return s->view;
}

void rsp_top_session_watch(struct rsp_top_session *s, bool watches)
{
	int r;

	s->notice[0] = '\0';
	s->watcher = rsp_client_free(s->watcher);
	if (!watches)
		return;
	r = rsp_client_connect(s->opt->socket, &s->watcher);
	if (r == 0)
		r = rsp_service_watch(s->watcher, RSP_FOR_MAX_NS);
	if (r == 0) {
		s->watch_end_ns = rsp_when_now_ns() + RSP_FOR_MAX_NS;
		return;
	}
	snprintf(s->notice, sizeof(s->notice), "the recorder keeps its budget: %s",
		 s->watcher ? rsp_client_error(s->watcher, r) : strerror(-r));
	s->watcher = rsp_client_free(s->watcher);
}

bool rsp_top_session_watches(const struct rsp_top_session *s)
{
	return s->watcher && rsp_when_now_ns() < s->watch_end_ns;
}

void rsp_top_session_reset(struct rsp_top_session *s)
{
	(void)rsp_top_reader_reset(s->reader);
}

const char *rsp_top_session_cost(const struct rsp_top_session *s)
{
	return s->cost;
}

const char *rsp_top_session_notice(const struct rsp_top_session *s)
{
	if (!s->notice[0] && s->pauses && s->follows)
		return "the recorder pauses to stay within its budget; press b to ignore the budget";
	return s->notice;
}
