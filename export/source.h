/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetches summaries from the recorder's socket. The recorder numbers its summaries from 1 on, and
 * makes a new boot ID at each start (not the kernel's boot ID).
 */
#ifndef RSP_EXPORT_SOURCE_H
#define RSP_EXPORT_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "export/spool.h"

struct json_object;
struct rsp_client;

#define RSP_SOURCE_WHY_BYTES	  256
/* A message of the recorder has the same limit. */
#define RSP_SOURCE_PAGE_BYTES_MAX (64 << 10)

/* If a reply contains more entries, they are fetched with the next page. */
#define RSP_SOURCE_ENTRIES_MAX 64

struct rsp_source_entry {
	uint64_t number;
	struct json_object *summary; /* has "number", too */
	size_t bytes;		     /* length of the summary's text */
};

struct rsp_source_page {
	char boot[RSP_SPOOL_BOOT_BYTES];
	/* summaries after the cursor that the recorder has already dropped */
	uint64_t missed;
	uint64_t damaged_cnt; /* entries that are not summaries */
	/* number of the last entry, including damaged entries; 0: the page is empty */
	uint64_t last;
	struct rsp_source_entry *v;
	size_t cnt, cap;
};

/*
 * Fetches the summaries after the cursor, as many as fit into one message. Returns 0, or -errno
 * with the reason in why. -ENOENT and -ECONNREFUSED mean that no recorder is running.
 */
int rsp_source_fetch(const char *socket, const struct rsp_spool_cursor *cursor,
		     struct rsp_source_page *ret, char why[static RSP_SOURCE_WHY_BYTES]);
void rsp_source_page_done(struct rsp_source_page *page);

/* Returns true if the recorder's status does not contain this information. */
bool rsp_source_makes_summaries(const char *socket);

/*
 * Parses a reply of the method Summaries, which is untrusted. after: the number of the last summary
 * to skip. Returns 0, -EBADMSG or -ENOMEM.
 */
int rsp_source_parse(struct json_object *reply, uint64_t after, struct rsp_source_page *ret);

#endif
