/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the files in directories of debug files that the user named. Opens files, but does not read
 * them: debugfiles.h finds which binary a file belongs to, perhaps in another process.
 */
#ifndef RSP_LIB_DEBUGDIRS_H
#define RSP_LIB_DEBUGDIRS_H

#include <stddef.h>

#include "lib/files/files.h"

struct rsp_debugdirs;

/*
 * dirs must outlive *ret. Each directory may be laid out by build-id, as /usr/lib/debug is, or
 * contain files with any names, including unstripped binaries. 0, -ENOMEM; -errno: one of them
 * cannot be read.
 */
int rsp_debugdirs_new(const char *const *dirs, size_t cnt, struct rsp_debugdirs **ret);
struct rsp_debugdirs *rsp_debugdirs_free(struct rsp_debugdirs *d);

/*
 * For LISTED, LAID_OUT and DWZ_THERE: returns a regular file, open for reading (the caller closes
 * it), or -errno; -ENODATA: there is no nth place.
 */
int rsp_debugdirs_open(const struct rsp_debugdirs *d, const struct rsp_file_request *file);

#endif
