/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Downloads debug files from the servers of $DEBUGINFOD_URLS with libdebuginfod. The library is
 * optional, because it depends on an HTTP client, which most machines do not need.
 */
#ifndef RSP_LIB_DEBUGINFOD_H
#define RSP_LIB_DEBUGINFOD_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_debuginfod;

/* Returns NULL if libdebuginfod is not installed or cannot be used. */
struct rsp_debuginfod *rsp_debuginfod_new(void);
struct rsp_debuginfod *rsp_debuginfod_free(struct rsp_debuginfod *d);

/* Returns a file descriptor, which the caller closes, or -errno. */
int rsp_debuginfod_open(struct rsp_debuginfod *d, const __u8 *build_id, size_t len);

#endif
