/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file a process had mapped, found again and proved to be the same one. Whoever opens it
 * (files.h) need not be able to tell.
 */
#ifndef RSP_LIB_ELFFILES_H
#define RSP_LIB_ELFFILES_H

#include <stdbool.h>

#include "lib/files/files.h"
#include "rsp/event.h"

/*
 * A readable file descriptor (the caller closes it), or -errno: -ESTALE if what is there now is
 * another file or the record does not say which it was, -EACCES, -ENOENT, … of the last place
 * tried. elsewhere: the record may be of another machine, so device and inode prove nothing.
 */
int rsp_elffiles_open(const struct rsp_files *files, const struct rsp_ev_binary *binary,
		      bool elsewhere);

/* Whether the file in fd has that build-id. */
bool rsp_elffiles_is(int fd, const __u8 *build_id, size_t len);

#endif
