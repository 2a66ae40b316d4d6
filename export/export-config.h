/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads export.conf(5) and its drop-ins, and the secrets that systemd passes as credentials. Unlike
 * rspd, which goes on without a wrong line, rsp-export refuses a configuration with any problem:
 * otherwise a misspelled key could cause more data to be sent than intended.
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
 * Returns 0 and *ret, which the caller frees, or -EINVAL or -errno. All problems are reported. It
 * is also a problem if no section names a server.
 */
int rsp_export_config_load(const struct rsp_export_sources *sources, rsp_config_problem_fn problem,
			   void *userdata, struct rsp_export_config **ret);

/* Returns whether units selects the unit ("": a cgroup without a unit). */
bool rsp_export_selects(const struct rsp_export_config *c, const char *unit);

#endif
