/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl delete ID: removes one snapshot from the store. If the user may read but not write the
 * store, the verb asks the recorder to delete the snapshot.
 */
#include <errno.h>
#include <json-c/json.h>
#include <unistd.h>

#include "cli/service.h"
#include "cli/stored.h"
#include "lib/base/cleanup.h"

#define DELETE_TIMEOUT_MS 10000

static int request_deletion(const struct rsp_options *opt)
{
	struct json_object *parameters = json_object_new_object(), *reply;
	struct rsp_client *client;
	int r = rsp_service_connect(opt, &client);

	if (r) {
		json_object_put(parameters);
		return r;
	}
	json_object_object_add(parameters, "id", json_object_new_string(opt->args[0]));
	r = rsp_client_call(client, "io.rsp.Recorder.Delete", parameters, DELETE_TIMEOUT_MS, &reply,
			    NULL);
	if (r == 0)
		json_object_put(reply);
	else
		r = rsp_fail(r, "cannot delete snapshot %s: %s", opt->args[0],
			     rsp_client_error(client, r));
	rsp_client_free(client);
	return r;
}

int rsp_verb_delete(const struct rsp_options *opt)
{
	_cleanup_free_ char *path = NULL;
	int r;

	r = rsp_stored_find(opt, opt->args[0], false, &path);
	if (r)
		return r;
	if (unlink(path) == 0)
		return RSP_EXIT_OK;
	return errno == EACCES || errno == EPERM ? request_deletion(opt)
						 : rsp_fail(-errno, "cannot delete %s: %m", path);
}
