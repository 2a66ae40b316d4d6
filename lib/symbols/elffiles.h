/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the file that a process had mapped, and proves that it is still the same file. The caller's
 * struct rsp_files (lib/files/files.h) opens the file, but need not check that.
 */
#ifndef RSP_LIB_ELFFILES_H
#define RSP_LIB_ELFFILES_H

#include <stdbool.h>

#include "lib/files/files.h"
#include "rsp/event.h"

/*
 * Returns a readable file descriptor, which the caller closes. On failure, returns the error of the
 * last attempt: -ESTALE if the file is another one, or if the record does not identify it; or an
 * error of opening it, such as -EACCES or -ENOENT. elsewhere: the record may be from another
 * machine, so device and inode prove nothing.
 */
int rsp_elffiles_open(const struct rsp_files *files, const struct rsp_ev_binary *binary,
		      bool elsewhere);

/* Returns whether the file in fd has this build-id. */
bool rsp_elffiles_is(int fd, const __u8 *build_id, size_t len);

#endif
