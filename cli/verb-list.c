/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl list: lists the snapshots in the store, oldest first. */
#include <json-c/json.h>

#include "cli/output.h"
#include "cli/pager.h"
#include "cli/paused.h"
#include "cli/stored.h"
#include "lib/base/cleanup.h"
#include "lib/client/client.h"

static int list_json(const struct rsp_store_list *list, enum rsp_json_mode mode)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < list->cnt; i++)
		json_object_array_add(array, rsp_stored_to_json(&list->v[i]));
	return rsp_output_json(array, mode);
}

static void add_row(struct rsp_table *t, const struct rsp_stored *stored)
{
	const struct rsp_meta *meta = &stored->meta;
	char time[RSP_OUTPUT_TIME_MAX], span[RSP_FORMAT_MAX], size[RSP_FORMAT_MAX];

	rsp_table_add(t, "%s", rsp_output_short_time(stored->taken_ns, time));
	rsp_table_add(t, "%.*s", RSP_STORED_ID_COLS, meta->id);
	if (meta->target_pid)
		rsp_table_add(t, "%u", meta->target_pid);
	else
		rsp_table_add(t, "-");
	if (stored->damaged) {
		rsp_table_add(t, "-");
	} else {
		rsp_table_add(t, "%s",
			      rsp_format_ns(meta->until_ns - meta->since_ns, span, sizeof(span)));
	}
	rsp_table_add(t, "%s", rsp_format_bytes(stored->bytes, size, sizeof(size)));
	rsp_table_add(t, "%s", meta->trigger.slo[0] ? meta->trigger.slo : "-");
	rsp_table_add(t, "%s%s",
		      meta->command[0]	     ? meta->command
		      : meta->target_comm[0] ? meta->target_comm
					     : "-",
		      rsp_stored_state(stored));
}

static int list_table(const struct rsp_store_list *list, const struct rsp_options *opt)
{
	static const char *const head[] = {"TIME", "ID",      "PID",	"SPAN",
					   "SIZE", "TRIGGER", "COMMAND"};
	_cleanup_(rsp_table_done) struct rsp_table t;

	rsp_table_init(&t, sizeof(head) / sizeof(head[0]));
	for (size_t i = 0; opt->legend && i < t.column_cnt; i++)
		rsp_table_add(&t, "%s", head[i]);
	for (size_t i = 0; i < list->cnt; i++)
		add_row(&t, &list->v[i]);
	rsp_pager_begin(opt);
	return rsp_pager_end(rsp_table_print(&t));
}

/* The timeout is short, because the list itself does not need the recorder. */
#define STATUS_TIMEOUT_MS 500

static void note_pause(const struct rsp_options *opt)
{
	struct json_object *status;
	char text[RSP_PAUSED_TEXT_MAX];
	struct rsp_client *client;

	if (rsp_client_connect(opt->socket, &client) < 0)
		return;
	if (rsp_client_call(client, "io.rsp.Recorder.GetStatus", json_object_new_object(),
			    STATUS_TIMEOUT_MS, &status, NULL) == 0) {
		if (rsp_paused_text(status, text))
			rsp_warn("note: %s", text);
		json_object_put(status);
	}
	rsp_client_free(client);
}

int rsp_verb_list(const struct rsp_options *opt)
{
	_cleanup_(rsp_store_list_done) struct rsp_store_list list = {0};
	int r;

	note_pause(opt);
	r = rsp_stored_list(opt, &list);
	if (r)
		return r;
	if (opt->json != RSP_JSON_OFF)
		return list_json(&list, opt->json);
	return list_table(&list, opt);
}
