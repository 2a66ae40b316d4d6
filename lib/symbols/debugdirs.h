/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens files in the directories of debug files that the user named. debugfiles.h, which may run in
 * another process, finds the binary to which a file belongs.
 */
#ifndef RSP_LIB_DEBUGDIRS_H
#define RSP_LIB_DEBUGDIRS_H

#include <stddef.h>

#include "lib/files/files.h"

struct rsp_debugdirs;

/*
 * Lists the files in the directories. dirs must outlive *ret. Returns 0, -ENOMEM, or -errno if a
 * directory cannot be read.
 */
int rsp_debugdirs_new(const char *const *dirs, size_t cnt, struct rsp_debugdirs **ret);
struct rsp_debugdirs *rsp_debugdirs_free(struct rsp_debugdirs *d);

/*
 * Opens the regular file that a request of kind LISTED, LAID_OUT or DWZ_THERE names. Returns a
 * descriptor for reading, which the caller closes; -ENODATA if file->nth is too large; -errno.
 */
int rsp_debugdirs_open(const struct rsp_debugdirs *d, const struct rsp_file_request *file);

#endif
