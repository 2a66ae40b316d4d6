/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs rspctl on the remote host of `rspctl -H`. The command line arrives as one word of
 * hexadecimal digits, because every shell passes such a word on unchanged.
 */
#ifndef RSP_CLI_FORWARDED_H
#define RSP_CLI_FORWARDED_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/rspctl.h"

#define RSP_FORWARDED	    "--forwarded="
#define RSP_FORWARDED_FILES "--forwarded-files=" /* output is sent in frames (frames.h) */

/* The caller frees the string. Returns NULL if out of memory. */
char *rsp_forwarded_encode(int argc, char *const argv[]);
/*
 * If argv is a forwarded command line, replaces argv by the decoded words, which stay allocated
 * until rspctl exits. Sets *ret_files if the output must be sent as frames. Returns 1 if argv is a
 * forwarded command line, 0 if not, -EINVAL if the digits are damaged, or -ENOMEM.
 */
int rsp_forwarded_decode(int *argc, char ***argv, bool *ret_files);

/*
 * Runs a verb, and sends its standard output and the files that it saves in frames. Returns the
 * exit status of the verb.
 */
int rsp_forwarded_run(int (*verb)(const struct rsp_options *opt), const struct rsp_options *opt);

/*
 * Returns whether the verb must send the file of that name with rsp_forwarded_save() instead of
 * saving it on this host.
 */
bool rsp_forwarded_takes(const char *path);
/* Sends a file as frames. Returns 0 or -errno. */
int rsp_forwarded_save(int fd, const char *path);

#endif
