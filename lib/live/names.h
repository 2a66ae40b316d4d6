/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of frames for lib/live, asked for again and again: each binary is opened once, and its
 * symbols stay in memory. Inlined functions are not told apart (that takes DWARF, and seconds). May
 * be anyone's files, so it belongs into the sandbox.
 */
#ifndef RSP_LIB_LIVE_NAMES_H
#define RSP_LIB_LIVE_NAMES_H

#include "lib/files/files.h"
#include "lib/snapshot/snapshot.h"
#include "live.h"

struct rsp_live_names;

/* files opens binaries, and outlives it. 0 or -ENOMEM. */
int rsp_live_names_new(const struct rsp_files *files, struct rsp_live_names **ret);
struct rsp_live_names *rsp_live_names_free(struct rsp_live_names *names);

/* The text of /proc/kallsyms. 0; -ENODATA: it has no addresses; -E2BIG; -ENOMEM. */
int rsp_live_names_kernel(struct rsp_live_names *names, const char *text, size_t len);
/* Takes the names that a snapshot has, for frames that nothing else names. 0 or -ENOMEM. */
int rsp_live_names_learn(struct rsp_live_names *names, const struct rsp_snapshot *snap);

/* Valid as long as names. */
struct rsp_live_namer rsp_live_names_namer(struct rsp_live_names *names);

#endif
