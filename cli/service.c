/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See service.h. */
#include "cli/service.h"

#include <errno.h>
#include <json-c/json.h>

#define STATUS_TIMEOUT_MS 10000

/* rspd attaches its BPF programs in milliseconds, or in up to a second on a busy machine. */
#define WATCH_TIMEOUT_MS 30000

int rsp_service_connect(const struct rsp_options *opt, struct rsp_client **ret)
{
	int r;

	r = rsp_client_connect(opt->socket, ret);
	if (r == 0)
		return RSP_EXIT_OK;
	if (r == -ENOENT || r == -ECONNREFUSED) {
		rsp_fail(r,
			 "no recorder is running at %s: start it with 'systemctl start rspd', or "
			 "record one command with 'rspctl run -- CMD'",
			 opt->socket);
		return RSP_EXIT_NO_DAEMON;
	}
	if (r == -EACCES || r == -EPERM)
		return rsp_fail(r, "cannot ask the recorder at %s: %m: be root or in its group",
				opt->socket);
	return rsp_fail(r, "cannot ask the recorder at %s: %m", opt->socket);
}

int rsp_service_watch(struct rsp_client *client, uint64_t limit_ns)
{
	struct json_object *parameters = json_object_new_object(), *reply;
	int r;

	json_object_object_add(parameters, "limit_ns", json_object_new_int64((int64_t)limit_ns));
	r = rsp_client_call(client, "io.rsp.Recorder.Watch", parameters, WATCH_TIMEOUT_MS, &reply,
			    NULL);
	if (r == 0)
		json_object_put(reply);
	return r;
}

int rsp_service_status(const struct rsp_options *opt, struct json_object **ret)
{
	struct rsp_client *client;
	int r;

	r = rsp_service_connect(opt, &client);
	if (r)
		return r;
	r = rsp_client_call(client, "io.rsp.Recorder.GetStatus", json_object_new_object(),
			    STATUS_TIMEOUT_MS, ret, NULL);
	if (r < 0)
		r = rsp_fail(r, "cannot ask the recorder at %s: %s", opt->socket,
			     rsp_client_error(client, r));
	rsp_client_free(client);
	return r;
}
