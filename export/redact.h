/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Removes data from texts that must not leave the host: paths, arguments of programs, network
 * addresses. docs/fleet.md, "What leaves the host", defines them. The functions work on the
 * sentences and frames of RSP, because RSP's own words do not look like such data. If the end of a
 * path is unclear, the functions remove more.
 */
#ifndef RSP_EXPORT_REDACT_H
#define RSP_EXPORT_REDACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;

enum rsp_redact_how {
	RSP_REDACT_KEEP,
	RSP_REDACT_HASH, /* "[path 3f2a…]": equal paths on all hosts stay equal */
	RSP_REDACT_DROP, /* "[path]" */
};

#define RSP_REDACT_KEY_MIN 16
#define RSP_REDACT_KEY_MAX 256

struct rsp_redaction {
	enum rsp_redact_how paths, arguments, addresses;
	uint8_t key[RSP_REDACT_KEY_MAX]; /* for hashes */
	size_t key_len;
};

bool rsp_redact_changes(const struct rsp_redaction *r);

/* Redacts a sentence. The caller frees *ret. Returns 0 or -ENOMEM. */
int rsp_redact_text(const struct rsp_redaction *r, const char *text, char **ret);
/*
 * Redacts the frames of a folded stack: they are separated by ';', with '_' instead of spaces. The
 * caller frees *ret. Returns 0 or -ENOMEM.
 */
int rsp_redact_folded(const struct rsp_redaction *r, const char *folded, char **ret);

/*
 * Redacts all texts of a summary (docs/json-summary.md) in place, unless all rules are
 * RSP_REDACT_KEEP. Chains get new IDs, and chains of a unit that become equal are merged. Returns
 * 0, -ENOMEM, or -EBADMSG if it is not a summary. After an error, the caller must not use the
 * summary.
 */
int rsp_redact_summary(const struct rsp_redaction *r, struct json_object *summary);

#endif
