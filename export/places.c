/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See places.h. */
#include "export/places.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "export/clickhouse.h"
#include "export/log.h"
#include "export/otlp-sink.h"
#include "export/s3-sink.h"
#include "export/stored-snapshots.h"
#include "lib/files/program.h"
#include "lib/files/regular.h"
#include "lib/http/http.h"

struct rsp_place_parts {
	struct rsp_clickhouse_config clickhouse;
	struct rsp_clickhouse_state clickhouse_state;
	struct rsp_otlp_config otlp;
	struct rsp_otlp_progress otlp_progress;
	struct rsp_s3_config s3;
	const char *store;
	char *spans_program; /* path of rsp-spans; NULL: send no spans */
};

/* --- sinks ------------------------------------------------------------------------------------ */

static void make_clickhouse(const struct rsp_sink_settings *s, bool is_readable,
			    struct rsp_place_parts *parts, struct rsp_place *place)
{
	parts->clickhouse = (struct rsp_clickhouse_config){
		.url = s->url,
		.database = s->database,
		.user = s->user,
		.password = s->secret,
		.is_readable = is_readable,
		.state = &parts->clickhouse_state,
	};
	/* A dry run gets no answers, so the sink must not ask whether rows are in a table. */
	parts->clickhouse_state.is_certain = is_readable;
	place->config = &parts->clickhouse;
	place->ops = &rsp_sink_clickhouse;
}

/*
 * Listing the directory in each attempt to send is fast enough: a store has few files, and an
 * attempt opens only one snapshot.
 */
static int open_snapshot(void *userdata, const char *id)
{
	const struct rsp_place_parts *parts = userdata;
	struct rsp_stored_list list;
	int r = rsp_stored_files(parts->store, &list);

	if (r < 0)
		return r;
	r = -ENOENT;
	for (size_t i = 0; r == -ENOENT && i < list.cnt; i++) {
		char path[4096];

		if (strcmp(list.v[i].name.id, id) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", parts->store, list.v[i].file);
		r = rsp_regular_open(path);
	}
	rsp_stored_files_done(&list);
	return r;
}

static int make_otlp(const struct rsp_places_options *opt, struct rsp_place_parts *parts,
		     struct rsp_place *place)
{
	const struct rsp_sink_settings *s = &opt->config->sinks[RSP_SINK_OTLP];
	int r = opt->config->spans ? rsp_program_find("rsp-spans", &parts->spans_program) : 0;

	if (r < 0)
		rsp_export_log(LOG_ERR, "cannot find rsp-spans, which Spans= needs: %s",
			       strerror(-r));
	parts->otlp = (struct rsp_otlp_config){.url = s->url,
					       .token = s->secret,
					       .spans_program = parts->spans_program,
					       .open_snapshot = open_snapshot,
					       .stop = opt->stop,
					       .userdata = parts,
					       .progress = &parts->otlp_progress};
	place->config = &parts->otlp;
	place->ops = &rsp_sink_otlp;
	return r;
}

static void make_s3(const struct rsp_sink_settings *s, struct rsp_place_parts *parts,
		    struct rsp_place *place)
{
	parts->s3 = (struct rsp_s3_config){
		.store = {.url = s->url,
			  .bucket = s->bucket,
			  .region = s->region,
			  .key_id = s->user,
			  .secret = s->secret},
		.open_snapshot = open_snapshot,
		.userdata = parts,
	};
	place->config = &parts->s3;
	place->ops = &rsp_sink_s3;
}

/* --- places ----------------------------------------------------------------------------------- */

static int open_spool(const struct rsp_places_options *opt, struct rsp_place *place)
{
	char dir[RSP_EXPORT_STRING_BYTES + 16];
	size_t len;
	int r;

	if (!opt->dry_run && mkdir(opt->config->spool, 0700) < 0 && errno != EEXIST) {
		rsp_export_log(LOG_ERR, "cannot create the spool %s: %s", opt->config->spool,
			       strerror(errno));
		return -errno;
	}
	snprintf(dir, sizeof(dir), "%s/%s", opt->config->spool, place->section);
	for (len = strlen(opt->config->spool); dir[len]; len++)
		dir[len] = (char)tolower((unsigned char)dir[len]);
	r = opt->dry_run ? rsp_spool_peek(dir, &place->spool) : rsp_spool_open(dir, &place->spool);
	if (r == -EBUSY)
		rsp_export_log(LOG_ERR, "another rsp-export uses the spool %s", dir);
	else if (r == -EBADMSG)
		rsp_export_log(LOG_ERR,
			       "the file %s/state is damaged: remove the directory, and what waits "
			       "in it is lost",
			       dir);
	else if (r < 0)
		rsp_export_log(LOG_ERR, "cannot open the spool %s: %s", dir, strerror(-r));
	return r;
}

static int add_place(const struct rsp_places_options *opt, enum rsp_sink_kind kind,
		     struct rsp_places *places)
{
	const struct rsp_sink_settings *s = &opt->config->sinks[kind];
	struct rsp_place *place = &places->v[places->cnt];
	struct rsp_http_config http = {
		.ca_file = *s->ca_file ? s->ca_file : NULL,
		.stop = opt->stop,
		.dry_run = opt->dry_run,
	};
	int r = 0;

	*place = (struct rsp_place){.kind = kind, .section = rsp_sink_section(kind)};
	if (kind == RSP_SINK_CLICKHOUSE)
		make_clickhouse(s, opt->dry_run, places->parts, place);
	else if (kind == RSP_SINK_OTLP)
		r = make_otlp(opt, places->parts, place);
	else
		make_s3(s, places->parts, place);
	places->cnt++;
	if (r < 0)
		return r;
	r = rsp_http_new(&http, &place->http);
	if (r < 0) {
		rsp_export_log(LOG_ERR, "out of memory");
		return r;
	}
	return open_spool(opt, place);
}

int rsp_places_new(const struct rsp_places_options *opt, struct rsp_places *ret)
{
	struct rsp_places places = {.parts = calloc(1, sizeof(*places.parts))};
	int r = places.parts ? 0 : -ENOMEM;

	if (r == 0)
		places.parts->store = opt->store;
	for (int i = 0; r == 0 && i < RSP_SINK_CNT; i++)
		if (*opt->config->sinks[i].url)
			r = add_place(opt, (enum rsp_sink_kind)i, &places);
	if (r < 0) {
		rsp_places_done(&places);
		return r;
	}
	*ret = places;
	return 0;
}

void rsp_places_done(struct rsp_places *places)
{
	for (size_t i = 0; i < places->cnt; i++) {
		rsp_http_free(places->v[i].http);
		rsp_spool_free(places->v[i].spool);
	}
	if (places->parts)
		free(places->parts->spans_program);
	free(places->parts);
	*places = (struct rsp_places){0};
}
