/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file a process had mapped, found again on this machine and proved to be the same one. Opens
 * regular files only, whatever the path leads to by now, and follows no link out of a process's
 * root.
 */
#ifndef RSP_LIB_ELFFILES_H
#define RSP_LIB_ELFFILES_H

#include "rsp/event.h"

/*
 * A readable file descriptor (the caller closes it), or -errno: -ESTALE if what is there now is
 * another file or the record does not say which it was, -EACCES, -ENOENT, … of the last place
 * tried. A file system of an ill-meaning user (FUSE) can make this wait: not for a recorder.
 */
int rsp_elffiles_open(const struct rsp_ev_binary *binary);

#endif
