/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl resume: ends a pause of the recorder, see rspctl pause. */
#include <json-c/json.h>

#include "cli/service.h"

/* On a busy machine, rspd needs up to some seconds to attach its BPF programs. */
#define RESUME_TIMEOUT_MS 30000

int rsp_verb_resume(const struct rsp_options *opt)
{
	struct json_object *reply;
	struct rsp_client *client;
	int r = rsp_service_connect(opt, &client);

	if (r)
		return r;
	r = rsp_client_call(client, "io.rsp.Recorder.Resume", json_object_new_object(),
			    RESUME_TIMEOUT_MS, &reply, NULL);
	if (r == 0)
		json_object_put(reply);
	else
		r = rsp_fail(r, "cannot resume recording: %s", rsp_client_error(client, r));
	rsp_client_free(client);
	return r;
}
