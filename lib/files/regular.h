/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths that strangers chose -> regular files, open for reading, whatever the paths lead to by now:
 * no device or pipe is opened, and no link is followed out of a root.
 */
#ifndef RSP_LIB_REGULAR_H
#define RSP_LIB_REGULAR_H

/*
 * The regular file at path beneath root ("/proc/PID/root"), or -errno; -ESTALE: it is no regular
 * file.
 */
int rsp_regular_open_in(const char *root, const char *path);
/* The same, but what is there must not be a link. */
int rsp_regular_open_no_link_in(const char *root, const char *path);
/* The same, wherever links lead to: of a path that the user has given. */
int rsp_regular_open(const char *path);
/* The same, of what an O_PATH descriptor stands for. */
int rsp_regular_reopen(int path_fd);

#endif
