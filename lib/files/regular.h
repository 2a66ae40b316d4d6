/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens regular files at untrusted paths for reading, even if the paths change at the same time.
 * Never opens a device or pipe, and follows no link out of a root.
 */
#ifndef RSP_LIB_REGULAR_H
#define RSP_LIB_REGULAR_H

/*
 * Returns a descriptor of the regular file at path within root ("/proc/PID/root"), -ESTALE if the
 * file is not a regular file, or -errno.
 */
int rsp_regular_open_in(const char *root, const char *path);
/* Like rsp_regular_open_in(), but the file must not be a symbolic link. */
int rsp_regular_open_no_link_in(const char *root, const char *path);
/*
 * Opens a path that the user gave, and follows all links. Returns the same errors as
 * rsp_regular_open_in().
 */
int rsp_regular_open(const char *path);
/*
 * Opens the file of an O_PATH descriptor for reading. Returns the same errors as
 * rsp_regular_open_in().
 */
int rsp_regular_reopen(int path_fd);

#endif
