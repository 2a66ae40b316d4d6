/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds saved snapshots for verbs. Unlike rsp_store_*, these functions report errors to the user
 * and return an enum rsp_exit.
 */
#ifndef RSP_CLI_STORED_H
#define RSP_CLI_STORED_H

#include "cli/rspctl.h"
#include "cli/store.h"

/* Lists all snapshots. An empty store is an error. */
int rsp_stored_list(const struct rsp_options *opt, struct rsp_store_list *ret);
/*
 * Finds the path of a snapshot by its ID or, if may_be_file, by its file. The caller frees
 * *ret_path.
 */
int rsp_stored_find(const struct rsp_options *opt, const char *name, bool may_be_file,
		    char **ret_path);
/* Finds the newest undamaged snapshot in the store. The caller frees *ret_path. */
int rsp_stored_newest(const struct rsp_options *opt, char **ret_path);
/*
 * Finds the snapshot that the first argument names, or else the newest one. The caller frees
 * *ret_path.
 */
int rsp_stored_choose(const struct rsp_options *opt, char **ret_path);
/*
 * Returns a short argument with which a user can name the file at path: the beginning of its ID,
 * written to buf, if the file is in the default store; otherwise path.
 */
#define RSP_STORED_ID_COLS 12 /* the first 12 of 32 digits distinguish a few thousand snapshots */
const char *rsp_stored_name(const char *path, char buf[static RSP_STORED_ID_COLS + 1]);
/*
 * Returns text like "SLO checkout: a request took 312 ms, …", "" if a user took the snapshot, or
 * NULL if the reason is unknown. The caller frees the text.
 */
char *rsp_stored_trigger(const struct rsp_stored *stored);
/* Returns text to print after the size of the file: " (damaged)", " (truncated)" or "". */
const char *rsp_stored_state(const struct rsp_stored *stored);
struct json_object;
/* Returns the object that `list` and `info` print as JSON. */
struct json_object *rsp_stored_to_json(const struct rsp_stored *stored);
int rsp_stored_open(const char *path, int *ret_fd);
/*
 * Explains the snapshot in the file at path. name: the argument with which the user can name the
 * file.
 */
int rsp_stored_report(const struct rsp_options *opt, const char *path, const char *name);

#endif
