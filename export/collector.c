/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See collector.h. */
#include "export/collector.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/collector-parts.h"
#include "export/log.h"
#include "export/source.h"
#include "lib/base/array.h"

/* The parsed text takes about ten times as much memory as the recorder's text. */
#define BATCH_BYTES_MAX	  (192 << 10)
#define BATCH_ENTRIES_MAX RSP_SOURCE_ENTRIES_MAX

/* Summaries that become one batch, all from the same start of the recorder. */
struct gathered {
	struct rsp_source_entry v[BATCH_ENTRIES_MAX];
	size_t cnt, bytes;
	char boot[RSP_SPOOL_BOOT_BYTES];
	uint64_t last; /* number of the last summary that was fetched; 0: none */
};

static void gathered_clear(struct gathered *g)
{
	for (size_t i = 0; i < g->cnt; i++)
		json_object_put(g->v[i].summary);
	g->cnt = 0;
	g->bytes = 0;
	g->last = 0;
}

/* --- messages --------------------------------------------------------------------------------- */

static void log_source(struct rsp_collector *c, int error, const char *why)
{
	if (error < 0 && c->logged_source_error != error)
		rsp_export_log(LOG_WARNING, "cannot read summaries: %s", why);
	else if (error == 0 && c->logged_source_error)
		rsp_export_log(LOG_NOTICE, "the recorder answers again");
	c->logged_source_error = error;
}

static void log_page(struct rsp_collector *c, const struct rsp_source_page *page)
{
	if (page->missed > 0)
		rsp_export_log(LOG_WARNING,
			       "%" PRIu64 " summaries are lost: the recorder keeps only the last",
			       page->missed);
	if (page->damaged_cnt > 0 && !c->logged_damaged) {
		c->logged_damaged = true;
		rsp_export_log(LOG_WARNING,
			       "%" PRIu64 " summaries of the recorder are damaged and left out",
			       page->damaged_cnt);
	}
}

static void log_no_summaries(struct rsp_collector *c)
{
	if (!c->logged_none && !rsp_source_makes_summaries(c->socket))
		rsp_export_log(LOG_NOTICE,
			       "the recorder makes no summaries: set Every= in [Summary] of "
			       "rspd.conf(5)");
	c->logged_none = true;
}

/* --- selecting and redacting ---------------------------------------------------------------- */

static const char *unit_of(struct json_object *unit)
{
	struct json_object *name;

	if (!json_object_object_get_ex(unit, "unit", &name))
		return "";
	return json_object_get_string(name) ?: "";
}

static void select_units(const struct rsp_collector *c, struct json_object *summary)
{
	struct json_object *units;
	size_t i = 0;

	json_object_object_get_ex(summary, "units", &units);
	while (i < json_object_array_length(units)) {
		if (rsp_export_selects(c->config, unit_of(json_object_array_get_idx(units, i))))
			i++;
		else
			json_object_array_del_idx(units, i, 1);
	}
}

/*
 * The caller has ensured enough room in g. Skips summaries that cannot be redacted, and counts them
 * as damaged.
 */
static void gather(struct rsp_collector *c, struct rsp_source_page *page, struct gathered *g)
{
	for (size_t i = 0; i < page->cnt; i++) {
		struct rsp_source_entry *entry = &page->v[i];

		select_units(c, entry->summary);
		if (rsp_redact_summary(&c->config->redaction, entry->summary) < 0) {
			page->damaged_cnt++;
			continue;
		}
		g->v[g->cnt++] = *entry;
		g->bytes += entry->bytes;
		entry->summary = NULL;
	}
	strcpy(g->boot, page->boot);
	g->last = page->last;
}

/* --- batches ---------------------------------------------------------------------------------- */

/*
 * Returns the number of the last summary of this start of the recorder (boot) that the place has
 * received; 0: none.
 */
static uint64_t read_until(const struct rsp_place *place, const char *boot)
{
	const struct rsp_spool_cursor *cursor = rsp_spool_cursor(place->spool);

	return strcmp(cursor->boot, boot) == 0 ? cursor->number : 0;
}

static int deliver_to(struct rsp_collector *c, struct rsp_place *place, const struct gathered *g)
{
	uint64_t after = read_until(place, g->boot);
	struct json_object *summaries[BATCH_ENTRIES_MAX];
	struct rsp_batch batch = {.host = &c->host, .summaries = summaries};
	struct rsp_spool_content content = {.boot = g->boot, .first = after + 1, .last = g->last};

	if (g->last <= after)
		return 0;
	for (size_t i = 0; i < g->cnt; i++)
		if (g->v[i].number > after)
			summaries[batch.summary_cnt++] = g->v[i].summary;
	return rsp_collector_deliver(c, place, &batch, &content, 0);
}

/* Clears g. Returns 0 or the first error. */
static int deliver(struct rsp_collector *c, struct gathered *g)
{
	int first_error = 0;

	strcpy(c->host.boot, g->boot);
	for (size_t i = 0; g->last > 0 && i < c->place_cnt; i++) {
		int r = deliver_to(c, &c->places[i], g);

		first_error = first_error ?: r;
	}
	gathered_clear(g);
	return first_error;
}

/* The reading continues at the cursor of the place that has received the fewest summaries. */
static struct rsp_spool_cursor find_cursor(const struct rsp_collector *c)
{
	struct rsp_spool_cursor cursor = *rsp_spool_cursor(c->places[0].spool);

	for (size_t i = 1; i < c->place_cnt; i++) {
		uint64_t number = read_until(&c->places[i], cursor.boot);

		if (number < cursor.number)
			cursor.number = number;
	}
	return cursor;
}

static int fetch(struct rsp_collector *c, const struct rsp_spool_cursor *cursor,
		 struct rsp_source_page *ret)
{
	char why[RSP_SOURCE_WHY_BYTES];
	int r = rsp_source_fetch(c->socket, cursor, ret, why);

	log_source(c, r, why);
	return r;
}

/*
 * Reads pages until a page is empty or an error occurs. The loop ends, because the recorder needs
 * seconds to make a summary.
 */
static void collect_summaries(struct rsp_collector *c, struct gathered *g)
{
	struct rsp_spool_cursor cursor = find_cursor(c);
	bool more = true;
	int r = 0;

	while (r == 0 && more) {
		struct rsp_source_page page = {0};

		if (fetch(c, &cursor, &page) < 0)
			break;
		more = page.last > 0;
		if (!more && !*cursor.boot)
			log_no_summaries(c);
		if (g->last > 0 && (!more || strcmp(page.boot, g->boot) != 0 ||
				    g->bytes + RSP_SOURCE_PAGE_BYTES_MAX > BATCH_BYTES_MAX ||
				    g->cnt + page.cnt > BATCH_ENTRIES_MAX))
			r = deliver(c, g);
		if (more) {
			gather(c, &page, g);
			strcpy(cursor.boot, page.boot);
			cursor.number = page.last;
		}
		log_page(c, &page);
		rsp_source_page_done(&page);
	}
	/* The recorder may have failed after some pages. These pages are still delivered. */
	if (r == 0)
		deliver(c, g);
	gathered_clear(g);
}

void rsp_collect(struct rsp_collector *c)
{
	struct gathered *g = calloc(1, sizeof(*g));

	if (!g)
		return;
	collect_summaries(c, g);
	free(g);
	rsp_collect_snapshots(c);
	for (size_t i = 0; i < c->place_cnt; i++)
		rsp_collector_end_round(&c->places[i]);
}
