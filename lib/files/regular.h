/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens regular files at untrusted paths for reading, even if the paths change at the same time.
 * Never opens a device or pipe.
 */
#ifndef RSP_LIB_REGULAR_H
#define RSP_LIB_REGULAR_H

/*
 * path is within root, such as "/proc/PID/root". Returns a descriptor; -ESTALE: not a regular file;
 * -errno.
 */
int rsp_regular_open_in(const char *root, const char *path);
/* Like rsp_regular_open_in(), but the file must not be a symbolic link. */
int rsp_regular_open_no_link_in(const char *root, const char *path);
/*
 * Opens a path that the user gave, and follows all links. Returns the same values as
 * rsp_regular_open_in().
 */
int rsp_regular_open(const char *path);
/*
 * Opens the file of an O_PATH descriptor for reading. Returns the same values as
 * rsp_regular_open_in().
 */
int rsp_regular_reopen(int path_fd);

#endif
