/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl pause [REASON]: makes the service detach its BPF programs, until rspctl resume or for a
 * given time.
 */
#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "cli/reply.h"
#include "cli/service.h"
#include "lib/base/json.h"
#include "lib/base/text.h"
#include "rsp/pause.h"

/* Storing the request on a slow disk may take long. */
#define PAUSE_TIMEOUT_MS 30000

static int fill_parameters(struct json_object *o, const void *from)
{
	const struct rsp_options *opt = from;
	int r = 0;

	if (opt->arg_cnt)
		r |= rsp_json_add_string(o, "reason", opt->args[0]);
	if (opt->for_ns)
		r |= rsp_json_add_number(o, "for_ns", opt->for_ns);
	return r;
}

int rsp_verb_pause(const struct rsp_options *opt)
{
	struct json_object *reply;
	struct rsp_client *client;
	int r;

	if (opt->arg_cnt &&
	    (strlen(opt->args[0]) >= RSP_PAUSE_REASON_MAX || !rsp_text_is_clean(opt->args[0])))
		return rsp_fail(-EINVAL,
				"the reason must have at most %d bytes of UTF-8, without control "
				"characters",
				RSP_PAUSE_REASON_MAX - 1);
	r = rsp_service_connect(opt, &client);
	if (r)
		return r;
	r = rsp_client_call(client, "io.rsp.Recorder.Pause",
			    rsp_json_object_of(fill_parameters, opt), PAUSE_TIMEOUT_MS, &reply,
			    NULL);
	if (r < 0) {
		r = rsp_fail(r, "cannot pause recording: %s", rsp_client_error(client, r));
	} else {
		if (*rsp_reply_text(reply, "unkept"))
			rsp_warn(
				"recording is paused, but only until rspd ends: the request cannot "
				"be stored: %s",
				rsp_reply_text(reply, "unkept"));
		json_object_put(reply);
	}
	rsp_client_free(client);
	return r;
}
