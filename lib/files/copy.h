/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that stay what they are, whoever stands behind the ones that they were copied from. */
#ifndef RSP_LIB_FILES_COPY_H
#define RSP_LIB_FILES_COPY_H

#include <sys/types.h>

/* A memfd with what is in fd, a regular file. -EFBIG: more than max bytes; -errno. */
int rsp_file_copy(int fd, off_t max);

/*
 * To look at a file, to read it and even to close it can wait for ever if its file system is a
 * process (FUSE), another machine, or an overlay above such a one (local.h): then *fd becomes a
 * copy, and the original is closed. 0 or -errno as above.
 */
int rsp_file_detach(int *fd);

#endif
