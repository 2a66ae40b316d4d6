/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that read a member of a reply. If the member is missing or has another type, they
 * return 0, "" or NULL.
 */
#ifndef RSP_CLI_REPLY_H
#define RSP_CLI_REPLY_H

#include <stdbool.h>
#include <stddef.h>

struct json_object;

struct json_object *rsp_reply_member(struct json_object *o, const char *key);
struct json_object *rsp_reply_object(struct json_object *o, const char *key);
unsigned long long rsp_reply_number(struct json_object *o, const char *key);
bool rsp_reply_bool(struct json_object *o, const char *key);
const char *rsp_reply_text(struct json_object *o, const char *key);
size_t rsp_reply_cnt(struct json_object *o, const char *key);
struct json_object *rsp_reply_at(struct json_object *o, const char *key, size_t i);

#endif
