/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connects to the recorder that runs as a service. */
#ifndef RSP_CLI_SERVICE_H
#define RSP_CLI_SERVICE_H

#include "cli/rspctl.h"
#include "lib/client/client.h"

/* Functions that return an enum rsp_exit report errors. */
int rsp_service_connect(const struct rsp_options *opt, struct rsp_client **ret);
/* Gets the reply to GetStatus. The caller frees *ret with json_object_put(). */
int rsp_service_status(const struct rsp_options *opt, struct json_object **ret);

/*
 * Asks the recorder to record without pauses until the client is freed, but for at most limit_ns,
 * even if this exceeds its budget. Returns 0 or -errno: -EACCES if the user may not ask this,
 * -EBUSY if too many clients have asked this.
 */
int rsp_service_watch(struct rsp_client *client, uint64_t limit_ns);

#endif
