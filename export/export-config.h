/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads export.conf(5) with its drop-ins, and the secrets that systemd passes as credentials. If a
 * line is wrong, rsp-export refuses the configuration. Otherwise, a misspelled key could make
 * rsp-export send more data than intended.
 */
#ifndef RSP_EXPORT_CONFIG_H
#define RSP_EXPORT_CONFIG_H

#include "export/export-keys.h"
#include "lib/config/config-file.h"

struct rsp_export_sources {
	/* the configuration file; NULL: rsp/export.conf and drop-ins in dirs */
	const char *file;
	const char *const *dirs; /* NULL-terminated, see rsp_config_files_read() */
	/* NULL: there are no credentials */
	const char *credentials_dir;
};

/*
 * The caller frees *ret. Calls problem() for each problem, such as no configured server. Returns 0;
 * -EINVAL: there were problems; another -errno.
 */
int rsp_export_config_load(const struct rsp_export_sources *sources, rsp_config_problem_fn problem,
			   void *userdata, struct rsp_export_config **ret);

/* Returns whether the setting Units= selects a unit; "" is a cgroup that is not in a unit. */
bool rsp_export_selects(const struct rsp_export_config *c, const char *unit);

#endif
