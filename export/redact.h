/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Removes data that must not leave the host from texts: paths, arguments of programs, and network
 * addresses, as defined in docs/fleet.md, "What leaves the host". The functions work only on RSP's
 * own sentences and frames. If the end of a path is unclear, they rather remove too much.
 */
#ifndef RSP_EXPORT_REDACT_H
#define RSP_EXPORT_REDACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;

enum rsp_redact_how {
	RSP_REDACT_KEEP,
	/* "[path 3f2a…]": equal paths give equal hashes */
	RSP_REDACT_HASH,
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

/* The caller frees *ret. Returns 0 or -ENOMEM. */
int rsp_redact_text(const struct rsp_redaction *r, const char *text, char **ret);
/*
 * The frames of a folded stack are separated by ';' and contain '_' instead of spaces. The caller
 * frees *ret. Returns 0 or -ENOMEM.
 */
int rsp_redact_folded(const struct rsp_redaction *r, const char *folded, char **ret);

/*
 * Redacts all texts of a summary (docs/json-summary.md) in place. Chains get new IDs. Chains of a
 * unit that have become equal are merged. Returns 0, -ENOMEM, or -EBADMSG if it is not a summary.
 * After an error, the caller must not use the summary.
 */
int rsp_redact_summary(const struct rsp_redaction *r, struct json_object *summary);

#endif
