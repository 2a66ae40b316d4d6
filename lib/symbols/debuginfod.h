/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Downloads debug files from the servers of $DEBUGINFOD_URLS with libdebuginfod, if it is
 * installed. The library is optional, because it depends on an HTTP client, which is useless
 * without servers.
 */
#ifndef RSP_LIB_DEBUGINFOD_H
#define RSP_LIB_DEBUGINFOD_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_debuginfod;

/* NULL: libdebuginfod is not installed, or no server is configured. */
struct rsp_debuginfod *rsp_debuginfod_new(void);
struct rsp_debuginfod *rsp_debuginfod_free(struct rsp_debuginfod *d);

/* Returns a file descriptor (the caller closes it) or -errno. Waits as long as $DEBUGINFOD_TIMEOUT
 * says. */
int rsp_debuginfod_open(struct rsp_debuginfod *d, const __u8 *build_id, size_t len);

#endif
