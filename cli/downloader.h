/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Downloads debug files from the servers of $DEBUGINFOD_URLS. A separate process talks to the
 * servers. If root runs rspctl, this process has no privileges.
 */
#ifndef RSP_CLI_DOWNLOADER_H
#define RSP_CLI_DOWNLOADER_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_downloader;

int rsp_downloader_new(struct rsp_downloader **ret);
struct rsp_downloader *rsp_downloader_free(struct rsp_downloader *d);

/*
 * Downloads the file for a build-id. Does not check the build-id in the file. Returns a file
 * descriptor, which the caller closes, or -errno.
 */
int rsp_downloader_open(struct rsp_downloader *d, const __u8 *build_id, size_t len);

#endif
