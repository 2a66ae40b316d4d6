/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies files to memory, so that their content cannot change later. */
#ifndef RSP_LIB_FILES_COPY_H
#define RSP_LIB_FILES_COPY_H

#include <sys/types.h>

/*
 * Returns a memfd with the content of fd, a regular file; -EFBIG: the file is larger than max
 * bytes; -errno.
 */
int rsp_file_copy(int fd, off_t max);

/*
 * Makes sure that the use of *fd cannot block forever. On some file systems, even stat() and
 * close() may block: those that a process (FUSE) or another machine implements, and overlays on
 * them (local.h). If *fd is on such a file system, replaces *fd by a copy. Returns 0 or the errors
 * of rsp_file_copy().
 */
int rsp_file_detach(int *fd);

#endif
