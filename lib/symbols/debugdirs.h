/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directories of debug files that the user named -> the files in them. Opens files and reads none:
 * which binary a file belongs to is for debugfiles.h to find out, in another process perhaps.
 */
#ifndef RSP_LIB_DEBUGDIRS_H
#define RSP_LIB_DEBUGDIRS_H

#include <stddef.h>

#include "lib/files/files.h"

struct rsp_debugdirs;

/*
 * dirs outlive it. Each may be laid out by build-id, as /usr/lib/debug is, or hold files of any
 * name, unstripped binaries among them. 0, -ENOMEM; -errno: one of them cannot be read.
 */
int rsp_debugdirs_new(const char *const *dirs, size_t cnt, struct rsp_debugdirs **ret);
struct rsp_debugdirs *rsp_debugdirs_free(struct rsp_debugdirs *d);

/*
 * LISTED, LAID_OUT and DWZ_THERE: a regular file, open for reading (the caller closes it), or
 * -errno; -ENODATA: there is no nth place.
 */
int rsp_debugdirs_open(const struct rsp_debugdirs *d, const struct rsp_file_wish *wish);

#endif
