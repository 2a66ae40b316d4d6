/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug files from the servers of $DEBUGINFOD_URLS, by a process of its own: it speaks with
 * servers, and root's has no rights while it does.
 */
#ifndef RSP_CLI_DOWNLOADER_H
#define RSP_CLI_DOWNLOADER_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_downloader;

/* Starts the process. 0 or -errno. */
int rsp_downloader_new(struct rsp_downloader **ret);
struct rsp_downloader *rsp_downloader_free(struct rsp_downloader *d);

/*
 * What the servers have for a build-id, which proves nothing of it: a file descriptor (the caller
 * closes it) or -errno. Waits as long as $DEBUGINFOD_TIMEOUT says.
 */
int rsp_downloader_open(struct rsp_downloader *d, const __u8 *build_id, size_t len);

#endif
