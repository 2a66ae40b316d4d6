/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts the recorder's status to the JSON of io.rsp.Recorder.GetStatus. */
#ifndef RSP_DAEMON_STATUS_JSON_H
#define RSP_DAEMON_STATUS_JSON_H

#include <stddef.h>

#include "daemon/api/status.h"

struct json_object;

/* Returns NULL if memory runs out. */
struct json_object *rsp_status_to_json(const struct rsp_status *status);

/* Returns [{"name", "chosen", "why", "ok"}, …], or NULL if memory runs out. */
struct json_object *rsp_abilities_to_json(const struct rsp_ability *abilities, size_t cnt);

#endif
