/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores a user's request to pause recording in a file that outlives rspd: DIR/paused. If the file
 * exists but is damaged or empty, recording is still paused, and only the details are unknown.
 */
#ifndef RSP_DAEMON_PAUSE_FILE_H
#define RSP_DAEMON_PAUSE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "rsp/pause.h"

struct rsp_pause {
	uint64_t since_usec;		   /* time of the request, since 1970 */
	uint64_t until_usec;		   /* 0: until a client resumes recording */
	uid_t uid;			   /* user who requested the pause */
	char reason[RSP_PAUSE_REASON_MAX]; /* "": none */
};

bool rsp_pause_reason_is_valid(const char *reason);

/*
 * Reads the file. Returns 0; -ENOENT: recording is not paused; -EPERM: the file belongs to a user
 * who is neither root nor rspd's, or other users may write it; -errno.
 */
int rsp_pause_read(const char *dir, struct rsp_pause *ret);
int rsp_pause_write(const char *dir, const struct rsp_pause *pause);
/* Returns 0, also if there is no file; -errno. */
int rsp_pause_remove(const char *dir);

#endif
