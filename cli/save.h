/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves a file on this host or, if this host runs a verb for `rspctl -H`, on the calling host. */
#ifndef RSP_CLI_SAVE_H
#define RSP_CLI_SAVE_H

/* Saves the content of fd as path, completely or not at all. Returns 0 or -errno. */
int rsp_save(int fd, const char *path);

#endif
