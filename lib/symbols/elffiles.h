/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the file that a process had mapped, and proves that it is the same file. The opener
 * (files.h) need not be able to verify that.
 */
#ifndef RSP_LIB_ELFFILES_H
#define RSP_LIB_ELFFILES_H

#include <stdbool.h>

#include "lib/files/files.h"
#include "rsp/event.h"

/*
 * Returns a readable file descriptor (the caller closes it), or -errno: -ESTALE if the file is
 * another one now, or the record does not identify it; -EACCES, -ENOENT, … of the last place tried.
 * elsewhere: the record may be from another machine, so device and inode prove nothing.
 */
int rsp_elffiles_open(const struct rsp_files *files, const struct rsp_ev_binary *binary,
		      bool elsewhere);

/* Returns whether the file in fd has that build-id. */
bool rsp_elffiles_is(int fd, const __u8 *build_id, size_t len);

#endif
