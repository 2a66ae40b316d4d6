/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves a file, here or, with -H, on the machine of the user. */
#ifndef RSP_CLI_SAVE_H
#define RSP_CLI_SAVE_H

/* Saves the content of the memfd fd as path, completely or not at all. Returns 0 or -errno. */
int rsp_save(int fd, const char *path);

#endif
