/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl on the other side of `rspctl -H`: its command line comes as one word of hexadecimal
 * digits, which means the same to every shell.
 */
#ifndef RSP_CLI_FORWARDED_H
#define RSP_CLI_FORWARDED_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/rspctl.h"

#define RSP_FORWARDED	    "--forwarded="
#define RSP_FORWARDED_FILES "--forwarded-files=" /* the same, and output comes in frames */

/* Puts the digits of argv into a string (free); NULL: no memory. */
char *rsp_forwarded_encode(int argc, char *const argv[]);
/*
 * If argv is a forwarded command line, replaces it by the words in it, which are never freed, and
 * sets *ret_files. Returns 1 if it is one, 0 if not, -EINVAL if it is damaged, -ENOMEM.
 */
int rsp_forwarded_decode(int *argc, char ***argv, bool *ret_files);

/*
 * Runs a verb whose output comes in frames: its standard output, and the files that it saves.
 * Returns its exit status.
 */
int rsp_forwarded_run(int (*verb)(const struct rsp_options *opt), const struct rsp_options *opt);

/* Returns whether rsp_forwarded_save() sends a file of that name, instead of saving it here. */
bool rsp_forwarded_takes(const char *path);
int rsp_forwarded_save(int fd, const char *path); /* 0 or -errno */

#endif
