/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the file that a process had mapped, and proves that it is still the same file. */
#ifndef RSP_LIB_ELFFILES_H
#define RSP_LIB_ELFFILES_H

#include <stdbool.h>

#include "lib/files/files.h"
#include "rsp/event.h"

/*
 * Returns a readable file descriptor, which the caller closes. On failure, returns the error of the
 * last attempt; -ESTALE: the file is not proved to be the same. elsewhere: the record may be from
 * another machine, so device and inode prove nothing.
 */
int rsp_elffiles_open(const struct rsp_files *files, const struct rsp_ev_binary *binary,
		      bool elsewhere);

bool rsp_elffiles_is(int fd, const __u8 *build_id, size_t len);

#endif
