/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens regular files at untrusted paths for reading, even if the paths change meanwhile: opens no
 * device or pipe, and follows no link out of a root.
 */
#ifndef RSP_LIB_REGULAR_H
#define RSP_LIB_REGULAR_H

/*
 * Returns the regular file at path beneath root ("/proc/PID/root"), or -errno; -ESTALE: it is not a
 * regular file.
 */
int rsp_regular_open_in(const char *root, const char *path);
/* The same, but the file must not be a symbolic link. */
int rsp_regular_open_no_link_in(const char *root, const char *path);
/* The same, but follows all links: for a path from the user. */
int rsp_regular_open(const char *path);
/* The same for the file of an O_PATH descriptor. */
int rsp_regular_reopen(int path_fd);

#endif
