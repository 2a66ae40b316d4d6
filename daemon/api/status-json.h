/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recorder's status -> JSON as io.rsp.Recorder.GetStatus answers it. */
#ifndef RSP_DAEMON_STATUS_JSON_H
#define RSP_DAEMON_STATUS_JSON_H

#include <stddef.h>

#include "api.h"
#include "daemon/config/config.h"

struct json_object;

/* The reply's parameters. NULL: no memory. */
struct json_object *rsp_status_to_json(const struct rsp_status *status);

/* [{"name", "chosen", "why", "ok"}, …]; NULL: no memory. */
struct json_object *rsp_abilities_to_json(const struct rsp_ability *abilities, size_t cnt);

/* Whose latency: "Unit=x Port=80" as the configuration has it, cut to len; "": anybody's. */
char *rsp_slo_subject(const struct rsp_slo_config *slo, char *buf, size_t len);

#endif
