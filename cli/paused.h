/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats the pause in a recorder's status as text. */
#ifndef RSP_CLI_PAUSED_H
#define RSP_CLI_PAUSED_H

#include <stdbool.h>
#include <stddef.h>

struct json_object;

#define RSP_PAUSED_TEXT_MAX 512

bool rsp_paused_is(struct json_object *status);
/*
 * Returns buf, of RSP_PAUSED_TEXT_MAX bytes, or NULL if recording is not paused. The text is not
 * trusted.
 */
const char *rsp_paused_text(struct json_object *status, char *buf);

#endif
