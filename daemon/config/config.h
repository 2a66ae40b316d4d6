/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads rspd.conf and its drop-ins into a struct rsp_config (values.h), as systemd does
 * (rspd.conf(5)).
 */
#ifndef RSP_DAEMON_CONFIG_H
#define RSP_DAEMON_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "daemon/config/values.h"
#include "lib/config/config-file.h"

/*
 * Reads "rsp/rspd.conf" in the first of dirs that has it, then the drop-ins "rsp/rspd.conf.d" of
 * all dirs in order of their names. dirs is NULL-terminated, most important first. If there is no
 * file, uses the defaults. Drops incomplete SLOs. Returns 0, with the number of reported problems
 * in *ret_problem_cnt; -errno: an existing file cannot be read, or memory runs out.
 */
int rsp_config_load(const char *const *dirs, rsp_config_problem_fn problem, void *userdata,
		    struct rsp_config **ret, unsigned int *ret_problem_cnt);
/* Like rsp_config_load(), but reads only the file at path, which must exist. */
int rsp_config_load_file(const char *path, rsp_config_problem_fn problem, void *userdata,
			 struct rsp_config **ret, unsigned int *ret_problem_cnt);
struct rsp_config *rsp_config_free(struct rsp_config *c);

struct rsp_config *rsp_config_new(void);
/*
 * For command-line options. Returns 0; -ENOENT: there is no such key; -EINVAL: the value is
 * invalid, and nothing has changed.
 */
int rsp_config_set(struct rsp_config *c, const char *section, const char *key, const char *value);
/* Describes the key's values, like "a size from 1M to 64G, as 64M". */
const char *rsp_config_wanted(const char *section, const char *key);

/* Calls differs for each changed setting that takes effect only after a restart. */
void rsp_config_needs_restart(const struct rsp_config *now, const struct rsp_config *next,
			      void (*differs)(const char *key));
/* Copies the settings that take effect only after a restart from *now to *next. */
void rsp_config_keep_until_restart(const struct rsp_config *now, struct rsp_config *next);

#endif
