/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The saved snapshot a user means. Like rsp_store_*, but failures are told to the user, and each
 * function returns an enum rsp_exit.
 */
#ifndef RSP_CLI_STORED_H
#define RSP_CLI_STORED_H

#include "cli/rspctl.h"
#include "cli/store.h"

/* All snapshots; none is a failure. */
int rsp_stored_list(const struct rsp_options *opt, struct rsp_store_list *ret);
/* The path that an ID or, if may_be_file, a file's name means. The caller's (free). */
int rsp_stored_find(const struct rsp_options *opt, const char *name, bool may_be_file,
		    char **ret_path);
/* "SLO checkout: a request took 312 ms, …", "" if somebody asked; NULL: unknown. free() */
char *rsp_stored_why(const struct rsp_stored *stored);
/* " (damaged)", " (truncated)" or "": stands behind the size of the file. */
const char *rsp_stored_state(const struct rsp_stored *stored);
struct json_object;
/* What `list` and `info` say of it as JSON. */
struct json_object *rsp_stored_to_json(const struct rsp_stored *stored);
int rsp_stored_open(const char *path, int *ret_fd);
/* Explains the snapshot in the file at path. name: by what the user may ask for it again. */
int rsp_stored_report(const struct rsp_options *opt, const char *path, const char *name);

#endif
