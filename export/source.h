/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetches summaries from the recorder's socket. A recorder numbers its summaries from 1 on, and has
 * another boot after each start.
 */
#ifndef RSP_EXPORT_SOURCE_H
#define RSP_EXPORT_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "export/spool.h"

struct json_object;
struct rsp_client;

#define RSP_SOURCE_WHY_BYTES	  256
/* Limit of the texts in a page: a message of the recorder contains at most as much. */
#define RSP_SOURCE_PAGE_BYTES_MAX (64 << 10)

/*
 * Limit of the entries in a page. If a reply contains more, the rest is fetched with the next page.
 */
#define RSP_SOURCE_ENTRIES_MAX 64

struct rsp_source_entry {
	uint64_t number;
	struct json_object *summary; /* has "number", too */
	size_t bytes;		     /* length of its text */
};

struct rsp_source_page {
	char boot[RSP_SPOOL_BOOT_BYTES];
	uint64_t missed;      /* number of summaries after the cursor that the recorder has
			       * dropped */
	uint64_t damaged_cnt; /* entries that are not summaries */
	uint64_t last;	      /* number of the last entry, damaged or not; 0: the page is empty */
	struct rsp_source_entry *v;
	size_t cnt, cap;
};

/*
 * Fetches the next summaries after the cursor, as many as fit into a message. 0; -errno with the
 * reason in why: -ENOENT, -ECONNREFUSED: no recorder is running.
 */
int rsp_source_fetch(const char *socket, const struct rsp_spool_cursor *cursor,
		     struct rsp_source_page *ret, char why[static RSP_SOURCE_WHY_BYTES]);
void rsp_source_page_done(struct rsp_source_page *page);

/*
 * Returns whether the recorder is configured to make summaries. If the reply does not contain this,
 * returns true.
 */
bool rsp_source_makes_summaries(const char *socket);

/* Parses a reply of method Summaries: untrusted. 0; -EBADMSG; -ENOMEM. */
int rsp_source_parse(struct json_object *reply, uint64_t after, struct rsp_source_page *ret);

#endif
