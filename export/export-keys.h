/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of export.conf(5). Defaults and ranges are only here and in the man page. */
#ifndef RSP_EXPORT_KEYS_H
#define RSP_EXPORT_KEYS_H

#include "export/export-config.h"

extern const struct rsp_export_config rsp_export_defaults;

struct rsp_export_key {
	const char *section, *name;
	int (*parse)(const struct rsp_export_key *key, const char *value, void *field);
	size_t offset, size;
	uint64_t min, max;
	const char *wanted; /* "a size of at least 16M, as 256M" */
};

bool rsp_export_section_exists(const char *section);
const struct rsp_export_key *rsp_export_key_find(const char *section, const char *name);
/* An empty value means the default. 0; -EINVAL: nothing has changed. */
int rsp_export_key_apply(const struct rsp_export_key *key, const char *value,
			 struct rsp_export_config *config);

/*
 * Returns the credential that must be used instead of a key like Password=; NULL: the key is no
 * secret.
 */
const char *rsp_export_secret_key(const char *section, const char *name);
/* Returns the name of the credential with the secret of a sink: "clickhouse-password". */
const char *rsp_export_credential(enum rsp_sink_kind kind);

#endif
