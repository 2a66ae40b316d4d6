/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug files from the servers of $DEBUGINFOD_URLS, by libdebuginfod where that is installed: it
 * brings an HTTP client along, which nobody needs who asks no server.
 */
#ifndef RSP_LIB_DEBUGINFOD_H
#define RSP_LIB_DEBUGINFOD_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_debuginfod;

/* NULL: it is not installed, or names no server to ask. */
struct rsp_debuginfod *rsp_debuginfod_new(void);
struct rsp_debuginfod *rsp_debuginfod_free(struct rsp_debuginfod *d);

/* A file descriptor (the caller closes it) or -errno. Waits as long as $DEBUGINFOD_TIMEOUT has it.
 */
int rsp_debuginfod_open(struct rsp_debuginfod *d, const __u8 *build_id, size_t len);

#endif
