/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts the recorder's status to the JSON of io.rsp.Recorder.GetStatus. */
#ifndef RSP_DAEMON_STATUS_JSON_H
#define RSP_DAEMON_STATUS_JSON_H

#include <stddef.h>

#include "daemon/api/api.h"
#include "daemon/config/config.h"

struct json_object;

/* Returns the reply's parameters; NULL: no memory. */
struct json_object *rsp_status_to_json(const struct rsp_status *status);

/* Returns [{"name", "chosen", "why", "ok"}, …]; NULL: no memory. */
struct json_object *rsp_abilities_to_json(const struct rsp_ability *abilities, size_t cnt);

/*
 * Writes whose latencies count, as in the configuration: "Unit=x Port=80", cut to len; "":
 * everyone's.
 */
char *rsp_slo_subject(const struct rsp_slo_config *slo, char *buf, size_t len);

#endif
