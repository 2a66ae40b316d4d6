/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads export.conf(5) and its drop-ins, and the secrets that systemd passes as credentials. Unlike
 * rspd, which goes on without a wrong line, rsp-export refuses a configuration with any problem:
 * otherwise a misspelled key could cause more data to be sent than intended.
 */
#ifndef RSP_EXPORT_CONFIG_H
#define RSP_EXPORT_CONFIG_H

#include "lib/config/config-file.h"
#include "export/redact.h"

enum rsp_sink_kind { RSP_SINK_CLICKHOUSE, RSP_SINK_OTLP, RSP_SINK_S3, RSP_SINK_CNT };

#define RSP_EXPORT_STRING_BYTES 512

/* A section that names a server. Strings are "" if not set. */
struct rsp_sink_settings {
	char url[RSP_EXPORT_STRING_BYTES]; /* "": the section does not exist */
	char ca_file[RSP_EXPORT_STRING_BYTES];
	char user[RSP_EXPORT_STRING_BYTES]; /* ClickHouse: the user; S3: the ID of the key */
	char database[RSP_EXPORT_STRING_BYTES];
	char bucket[RSP_EXPORT_STRING_BYTES], region[RSP_EXPORT_STRING_BYTES];
	char prefix[RSP_EXPORT_STRING_BYTES];
	char secret[RSP_EXPORT_STRING_BYTES]; /* the credential */
};

struct rsp_export_config {
	char units[4096]; /* globs, separated by spaces; those after '!' exclude units */
	char spool[RSP_EXPORT_STRING_BYTES];
	uint64_t interval_ns;
	uint64_t max_use_bytes;	  /* directory of the spool */
	uint64_t max_daily_bytes; /* UINT64_MAX: no limit */
	bool unredacted;	  /* recordings are sent to S3 although [Redact] has effect */
	bool spans;		  /* control paths of breaches are sent to OTLP */
	struct rsp_redaction redaction;
	struct rsp_sink_settings sinks[RSP_SINK_CNT];
};

/* "ClickHouse", "OTLP", "S3": the name of the section. */
const char *rsp_sink_section(enum rsp_sink_kind kind);

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
