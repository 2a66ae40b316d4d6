/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See paused.h. */
#include "cli/paused.h"

#include <pwd.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/output.h"
#include "cli/reply.h"

static const char *name_user(uid_t uid, char *buf, size_t len)
{
	const struct passwd *user = getpwuid(uid);

	if (user)
		snprintf(buf, len, "%s", user->pw_name);
	else
		snprintf(buf, len, "user %u", (unsigned int)uid);
	return buf;
}

static const char *name_time(unsigned long long usec, char *buf)
{
	return rsp_output_time(usec < INT64_MAX / 1000 ? (int64_t)usec * 1000 : INT64_MAX, buf);
}

bool rsp_paused_is(struct json_object *status)
{
	return rsp_reply_object(status, "paused");
}

const char *rsp_paused_text(struct json_object *status, char *buf)
{
	struct json_object *pause = rsp_reply_object(status, "paused");
	unsigned long long until = rsp_reply_number(pause, "until_usec");
	const char *reason = rsp_reply_text(pause, "reason");
	char user[128], from[RSP_OUTPUT_TIME_MAX], to[RSP_OUTPUT_TIME_MAX];

	if (!pause)
		return NULL;
	snprintf(buf, RSP_PAUSED_TEXT_MAX, "recording is paused since %s by %s%s%s%s%s",
		 name_time(rsp_reply_number(pause, "since_usec"), from),
		 name_user((uid_t)rsp_reply_number(pause, "uid"), user, sizeof(user)),
		 until ? " until " : "", until ? name_time(until, to) : "", *reason ? ": " : "",
		 reason);
	return buf;
}
