/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the stored snapshots that a place has not received yet. See collector.h. */
#include "export/collector-parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/log.h"
#include "export/s3-sink.h"
#include "export/stored-snapshots.h"
#include "lib/base/cleanup.h"

static bool is_new(const struct rsp_collector *c, const char *id)
{
	for (size_t i = 0; i < c->place_cnt; i++)
		if (!rsp_spool_has_snapshot(c->places[i].spool, id))
			return true;
	return false;
}

struct described {
	struct rsp_stored_info info;
	char *headline;
	char key[RSP_S3_KEY_BYTES]; /* key in the object store; "": not sent there */
	struct rsp_export_snapshot snapshot;
};

static void described_done(struct described *d)
{
	rsp_stored_info_done(&d->info);
	free(d->headline);
}

static int describe(struct rsp_collector *c, const struct rsp_stored_file *file,
		    struct described *ret)
{
	struct rsp_stored_info *info = &ret->info;
	int r = rsp_stored_describe(c->store, file->file, info);

	if (r < 0)
		return r;
	r = rsp_redact_text(&c->config->redaction, info->headline, &ret->headline);
	if (r < 0)
		return r;
	ret->snapshot = (struct rsp_export_snapshot){
		.id = file->name.id,
		.unit = info->unit,
		.cgroup = info->cgroup,
		.container = info->container,
		.comm = info->comm,
		.slo = info->meta.trigger.slo,
		.headline = ret->headline,
		.pid = info->meta.target_pid,
		.value_ns = info->meta.trigger.value_ns,
		.threshold_ns = info->meta.trigger.threshold_ns,
		.since_ns = info->since_realtime_ns,
		.until_ns = info->until_realtime_ns,
		.bytes = info->bytes,
		.key = ret->key,
	};
	snprintf(c->host.boot, sizeof(c->host.boot), "%.32s", info->meta.boot_id);
	if (*c->config->sinks[RSP_SINK_S3].url)
		r = rsp_s3_key(c->config->sinks[RSP_SINK_S3].prefix, &c->host, &ret->snapshot,
			       ret->key);
	return r;
}

static int deliver(struct rsp_collector *c, const char *id, const struct described *d,
		   bool selected)
{
	struct rsp_batch batch = {
		.host = &c->host, .snapshots = &d->snapshot, .snapshot_cnt = selected ? 1 : 0};
	struct rsp_spool_content content = {.id = id};
	int first_error = 0;

	for (size_t i = 0; i < c->place_cnt; i++) {
		struct rsp_place *place = &c->places[i];
		bool sends_file = place->kind == RSP_SINK_S3 && selected;
		int r;

		if (rsp_spool_has_snapshot(place->spool, id))
			continue;
		r = rsp_collector_deliver(c, place, &batch, &content,
					  sends_file ? d->snapshot.bytes : 0);
		first_error = first_error ?: r;
	}
	return first_error;
}

/* A damaged file is skipped, but noted like a sent one, so that it is read only once. */
static int take_file(struct rsp_collector *c, const struct rsp_stored_file *file)
{
	_cleanup_(described_done) struct described d = {0};
	int r = describe(c, file, &d);

	if (r < 0 && r != -EBADMSG)
		return r == -ENOENT ? 0 : r;
	return deliver(c, file->name.id, &d, r == 0 && rsp_export_selects(c->config, d.info.unit));
}

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct rsp_stored_file *)a)->name.id,
		      ((const struct rsp_stored_file *)b)->name.id);
}

static bool exists(const char *id, void *userdata)
{
	const struct rsp_stored_list *list = userdata;
	struct rsp_stored_file key = {0};

	snprintf(key.name.id, sizeof(key.name.id), "%s", id);
	return bsearch(&key, list->v, list->cnt, sizeof(*list->v), by_id);
}

void rsp_collect_snapshots(struct rsp_collector *c)
{
	_cleanup_(rsp_stored_files_done) struct rsp_stored_list list = {0};
	int r = rsp_stored_files(c->store, &list);

	if (r < 0 && !c->logged_store)
		rsp_export_log(LOG_WARNING, "cannot read the snapshots in %s: %s", c->store,
			       strerror(-r));
	c->logged_store = r < 0;
	if (r < 0 || list.cnt == 0)
		return;
	qsort(list.v, list.cnt, sizeof(*list.v), by_id);
	for (size_t i = 0; r == 0 && i < list.cnt; i++)
		if (is_new(c, list.v[i].name.id))
			r = take_file(c, &list.v[i]);
	for (size_t i = 0; i < c->place_cnt; i++)
		rsp_spool_forget(c->places[i].spool, exists, &list);
}
