/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves a file on this host or, if this host runs a verb for `rspctl -H`, on the calling host. */
#ifndef RSP_CLI_SAVE_H
#define RSP_CLI_SAVE_H

/*
 * Returns whether a file can probably be saved as path: 0, or -errno if the file cannot be written,
 * or if its directory is missing. Called before long work, so that this work is not in vain.
 */
int rsp_save_check(const char *path);
/* Saves the content of fd as path, completely or not at all. Returns 0 or -errno. */
int rsp_save(int fd, const char *path);

#endif
