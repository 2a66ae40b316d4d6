/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads export.conf(5) and its drop-ins, and the secrets that systemd passes as credentials. rspd
 * ignores a wrong line, but rsp-export refuses a configuration with any problem. Otherwise, a
 * misspelled key could cause rsp-export to send more data than intended.
 */
#ifndef RSP_EXPORT_CONFIG_H
#define RSP_EXPORT_CONFIG_H

#include "export/export-keys.h"
#include "lib/config/config-file.h"

/* The sources of the configuration. */
struct rsp_export_sources {
	const char *file;	     /* NULL: rsp/export.conf and drop-ins in dirs */
	const char *const *dirs;     /* NULL-terminated, see rsp_config_files_read() */
	const char *credentials_dir; /* NULL: there are none */
};

/*
 * Returns 0 and *ret, which the caller frees; or -EINVAL if there were problems, or another -errno.
 * Reports every problem to problem(). A configuration without a server is a problem, too.
 */
int rsp_export_config_load(const struct rsp_export_sources *sources, rsp_config_problem_fn problem,
			   void *userdata, struct rsp_export_config **ret);

/* Returns whether the setting Units= selects the unit. unit is "" for a cgroup without a unit. */
bool rsp_export_selects(const struct rsp_export_config *c, const char *unit);

#endif
