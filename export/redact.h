/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Removes data from texts that must not leave the host: paths, arguments of programs, network
 * addresses. docs/fleet.md, "What leaves the host", defines them. Works on the sentences and frames
 * of RSP, whose own words do not look like such data. If the end of a path is in doubt, removes
 * more.
 */
#ifndef RSP_EXPORT_REDACT_H
#define RSP_EXPORT_REDACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;

enum rsp_redact_how {
	RSP_REDACT_KEEP,
	RSP_REDACT_HASH, /* "[path 3f2a…]": equal paths of a fleet remain equal */
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

/* Redacts a sentence. *ret: free(). 0 or -ENOMEM. */
int rsp_redact_text(const struct rsp_redaction *r, const char *text, char **ret);
/* The same for frames as in folded stacks: separated by ';', with '_' instead of spaces. */
int rsp_redact_folded(const struct rsp_redaction *r, const char *folded, char **ret);

/*
 * Redacts all texts of a summary (docs/json-summary.md) in place, unless all rules are
 * RSP_REDACT_KEEP. Chains get other ids, and chains of a unit that become equal are merged. 0;
 * -ENOMEM; -EBADMSG: it is not a summary. After an error the summary must not be used.
 */
int rsp_redact_summary(const struct rsp_redaction *r, struct json_object *summary);

#endif
