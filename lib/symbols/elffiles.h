/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file a process had mapped, found again on this machine and proved to be the same one. Opens
 * regular files only, whatever the path leads to by now, and follows no link out of a process's
 * root.
 */
#ifndef RSP_LIB_ELFFILES_H
#define RSP_LIB_ELFFILES_H

#include <stdbool.h>

#include "rsp/event.h"

/*
 * A readable file descriptor (the caller closes it), or -errno: -ESTALE if what is there now is
 * another file or the record does not say which it was, -EACCES, -ENOENT, … of the last place
 * tried. elsewhere: the record may be of another machine, so device and inode prove nothing. A file
 * system of an ill-meaning user (FUSE) can make this wait: not for a recorder.
 */
int rsp_elffiles_open(const struct rsp_ev_binary *binary, bool elsewhere);

/*
 * The regular file at path beneath root ("/proc/PID/root", "/"), or -errno; -ESTALE: it is no
 * regular file.
 */
int rsp_elffiles_open_in(const char *root, const char *path);
/* The same, wherever links lead to: of a path that the user has given. */
int rsp_elffiles_open_path(const char *path);

/* Whether the file in fd has that build-id. */
bool rsp_elffiles_is(int fd, const __u8 *build_id, size_t len);

#endif
