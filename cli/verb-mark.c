/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl mark TEXT: adds a mark with this text to the recording, at the present time. */
#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "cli/output.h"
#include "cli/service.h"
#include "lib/base/json.h"
#include "lib/base/text.h"
#include "rsp/event.h"

#define MARK_TIMEOUT_MS 10000

static int fill_parameters(struct json_object *o, const void *text)
{
	return rsp_json_add(o, "text", json_object_new_string(text));
}

static int fail_mark(const struct rsp_client *client, int r)
{
	if (r == -EBUSY)
		return rsp_fail(r, "cannot mark this moment: there were too many marks in the last "
				   "seconds");
	return rsp_fail(r, "cannot mark this moment: %s", rsp_client_error(client, r));
}

int rsp_verb_mark(const struct rsp_options *opt)
{
	size_t len = strlen(opt->args[0]);
	struct json_object *reply;
	struct rsp_client *client;
	int r;

	if (len == 0 || len >= RSP_MARK_TEXT_MAX || !rsp_text_is_clean(opt->args[0]))
		return rsp_fail(-EINVAL,
				"the text of a mark must have 1 to %d bytes of UTF-8, without "
				"control characters",
				RSP_MARK_TEXT_MAX - 1);
	r = rsp_service_connect(opt, &client);
	if (r)
		return r;
	r = rsp_client_call(client, "io.rsp.Recorder.Mark",
			    rsp_json_object_of(fill_parameters, opt->args[0]), MARK_TIMEOUT_MS,
			    &reply, NULL);
	if (r == 0)
		json_object_put(reply);
	else
		r = fail_mark(client, r);
	rsp_client_free(client);
	return r;
}
