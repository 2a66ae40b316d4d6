/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies files, so that their content cannot change later. */
#ifndef RSP_LIB_FILES_COPY_H
#define RSP_LIB_FILES_COPY_H

#include <sys/types.h>

/* Returns a memfd with the content of fd, a regular file. -EFBIG: more than max bytes; -errno. */
int rsp_file_copy(int fd, off_t max);

/*
 * Some file systems may block forever in stat(), read() and even close(): those that a process
 * (FUSE) or another machine implements, and overlays on them (local.h). If *fd is on such a file
 * system, *fd becomes a copy, and the original is closed. 0, or the errors of rsp_file_copy().
 */
int rsp_file_detach(int *fd);

#endif
