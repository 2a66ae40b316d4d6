/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See recent.h. */
#include "cli/recent.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/options-parts.h"
#include "cli/service.h"
#include "cli/target.h"
#include "cli/when.h"

/*
 * The recorder must also record the aftermath, the time after the span: if a thread still waits at
 * the end of the span, the thread that ends this wait later explains it. Most waits end within a
 * tenth of a second, a delay that users do not notice.
 */
#define AFTERMATH_NS 100000000ULL

static int choose_span(const struct rsp_options *opt, struct rsp_snapshot_params *params)
{
	uint64_t now_ns = rsp_when_now_ns();

	params->until_ns = opt->until_ns ? opt->until_ns : now_ns + opt->after_ns;
	if (opt->since_ns)
		params->since_ns = opt->since_ns;
	else
		params->since_ns = now_ns > opt->last_ns ? now_ns - opt->last_ns : 0;
	if (params->since_ns >= params->until_ns)
		return rsp_misuse("the span ends before it begins");
	if (params->until_ns > now_ns && params->until_ns - now_ns > RSP_FOR_MAX_NS)
		return rsp_misuse("the span ends more than ten minutes from now");
	return RSP_EXIT_OK;
}

/* Does not wait if the span ends in the future, because then the recorder waits. */
static void await_aftermath(uint64_t until_ns)
{
	uint64_t now_ns = rsp_when_now_ns(), rest_ns = until_ns + AFTERMATH_NS - now_ns;

	if (until_ns <= now_ns && now_ns - until_ns < AFTERMATH_NS)
		nanosleep(&(struct timespec){.tv_nsec = (long)rest_ns}, NULL);
}

/* Writes the chosen process to buf, like "process 12" or "unit nginx.service". Returns buf. */
static const char *name_target(const struct rsp_options *opt, char *buf, size_t len)
{
	if (opt->pid)
		snprintf(buf, len, "process %d", (int)opt->pid);
	else if (opt->port)
		snprintf(buf, len, "process that sends from port %u", opt->port);
	else if (opt->unit)
		snprintf(buf, len, "unit %s", opt->unit);
	else if (opt->cgroup)
		snprintf(buf, len, "cgroup %s", opt->cgroup);
	else if (opt->container)
		snprintf(buf, len, "process in container %s", opt->container);
	else if (opt->comm)
		snprintf(buf, len, "process called '%s'", opt->comm);
	else
		snprintf(buf, len, "process of user %u", (unsigned int)geteuid());
	return buf;
}

/* Asks the recorder to record the rest of the span without pauses. The recorder may refuse. */
static void watch_ahead(struct rsp_client *client, uint64_t until_ns)
{
	uint64_t now_ns = rsp_when_now_ns();

	if (until_ns > now_ns && until_ns - now_ns <= RSP_FOR_MAX_NS)
		(void)rsp_service_watch(client, until_ns - now_ns);
}

static int fail(int r, const struct rsp_client *client, const struct rsp_options *opt)
{
	char target[600];

	name_target(opt, target, sizeof(target));
	if (r == -ESRCH)
		return rsp_fail(
			r, "the recorder's window contains no %s: it has not run within the window",
			target);
	if (r == -ENOENT)
		return rsp_fail(r, "there is no %s", target);
	if (r == -EACCES)
		return rsp_fail(
			r,
			"no snapshot of %s: it is not yours: only root and members of group "
			"rsp may ask for it: use sudo, or join the group",
			target);
	return rsp_fail(r, "no snapshot of %s: %s", rsp_target_cnt(opt) ? target : "your processes",
			rsp_client_error(client, r));
}

int rsp_recent_take(const struct rsp_options *opt, bool store, struct rsp_fresh *ret)
{
	struct rsp_snapshot_params params = {.pid = opt->pid,
					     .unit = opt->unit,
					     .cgroup = opt->cgroup,
					     .comm = opt->comm,
					     .container = opt->container,
					     .port = opt->port,
					     .own = rsp_target_cnt(opt) == 0,
					     .exit_status = -1,
					     .store = store};
	struct rsp_client *client;
	int r;

	if (rsp_target_cnt(opt) > 1)
		return rsp_target_fail();
	r = choose_span(opt, &params);
	if (!r)
		r = rsp_service_connect(opt, &client);
	if (r)
		return r;
	watch_ahead(client, params.until_ns);
	await_aftermath(params.until_ns);
	r = rsp_fresh_take(client, &params, ret);
	if (r < 0)
		r = fail(r, client, opt);
	rsp_client_free(client);
	return r;
}
