/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds names of frames, for lib/live. Does not read DWARF, because this takes seconds. Binaries
 * are not trusted, so this code runs in the sandbox.
 */
#ifndef RSP_LIB_LIVE_NAMES_H
#define RSP_LIB_LIVE_NAMES_H

#include "lib/files/files.h"
#include "lib/live/live.h"
#include "lib/snapshot/snapshot.h"

struct rsp_live_names;

/*
 * Makes an empty table of names. files: opens the binaries, and must outlive *ret. Returns 0 or
 * -errno.
 */
int rsp_live_names_new(const struct rsp_files *files, struct rsp_live_names **ret);

/*
 * Adds the names of the kernel from the text of /proc/kallsyms. Returns 0, -ENODATA if the text
 * contains no addresses, -E2BIG or -ENOMEM.
 */
int rsp_live_names_kernel(struct rsp_live_names *names, const char *text, size_t len);
/* Adds names from a snapshot, for frames without another name. Returns 0 or -ENOMEM. */
int rsp_live_names_learn(struct rsp_live_names *names, const struct rsp_snapshot *snap);

/* Returns a namer for lib/live, which is valid as long as names. */
struct rsp_live_namer rsp_live_names_namer(struct rsp_live_names *names);

#endif
