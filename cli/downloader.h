/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Downloads debug files from the servers of $DEBUGINFOD_URLS. A separate process does this; if root
 * runs rspctl, it has no privileges while it talks to servers.
 */
#ifndef RSP_CLI_DOWNLOADER_H
#define RSP_CLI_DOWNLOADER_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_downloader;

/* Starts the process. Returns 0 or -errno. */
int rsp_downloader_new(struct rsp_downloader **ret);
struct rsp_downloader *rsp_downloader_free(struct rsp_downloader *d);

/*
 * Downloads the file for a build-id. The file's actual build-id is not checked. Returns a file
 * descriptor, which the caller closes, or -errno. Waits at most $DEBUGINFOD_TIMEOUT.
 */
int rsp_downloader_open(struct rsp_downloader *d, const __u8 *build_id, size_t len);

#endif
