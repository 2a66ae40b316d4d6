/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See serve.h. Names in snapshots are not trusted: they are cleaned and escaped. */
#include <string.h>

#include "cli/output.h"
#include "cli/serve-processes.h"
#include "cli/serve.h"
#include "cli/stored.h"
#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/base/text.h"

static void put_clean(const char *text, FILE *out)
{
	char buf[RSP_FORMAT_NAME_BYTES(120)];

	rsp_text_put_markup(out, rsp_format_name(text, 120, buf, sizeof(buf)));
}

/* with: the table lists the snapshots with which one snapshot can be compared. */
static void put_row(const struct rsp_stored *stored, bool with, FILE *out)
{
	const struct rsp_meta *meta = &stored->meta;
	char time[RSP_OUTPUT_TIME_MAX], span[RSP_FORMAT_MAX], size[RSP_FORMAT_MAX];

	fprintf(out, "<tr><td>%s<td>", rsp_output_time(stored->taken_ns, time));
	if (stored->damaged)
		fprintf(out, "%.12s", meta->id);
	else
		fprintf(out, "<a href=\"%s/\">%.12s</a>", meta->id, meta->id);
	fprintf(out, "<td class=\"n\">%u<td class=\"n\">%s<td class=\"n\">%s%s<td>",
		meta->target_pid,
		stored->damaged
			? "-"
			: rsp_format_ns(meta->until_ns - meta->since_ns, span, sizeof(span)),
		rsp_format_bytes(stored->bytes, size, sizeof(size)), rsp_stored_state(stored));
	put_clean(meta->trigger.slo, out);
	fputs("<td>", out);
	put_clean(meta->command, out);
	if (!with && !stored->damaged)
		fprintf(out, "<td><a href=\"%s/with/\">compare with …</a>", meta->id);
	fputs("\n", out);
}

/* The lists leave out snapshots with other IDs, because IDs become parts of URLs. */
static bool is_id(const char *id)
{
	size_t len = strspn(id, "0123456789abcdef");

	return len && len <= RSP_SERVE_ID_MAX && !id[len];
}

/* id: the snapshot to leave out, or NULL. */
static void put_list(const struct rsp_store_list *list, const char *id, FILE *out)
{
	fputs("<table><tr><th>time<th>ID<th>PID<th>span<th>size<th>limit<th>command\n", out);
	for (size_t i = list->cnt; i-- > 0;)
		if (is_id(list->v[i].meta.id) &&
		    (!id || strncmp(list->v[i].meta.id, id, strlen(id)) != 0))
			put_row(&list->v[i], id, out);
	fputs("</table></body></html>\n", out);
}

void rsp_serve_put_index(const struct rsp_store_list *list, FILE *out)
{
	rsp_serve_put_head("Snapshots", out);
	put_list(list, NULL, out);
}

void rsp_serve_put_others(const struct rsp_store_list *list, const char *id, FILE *out)
{
	char title[80];

	snprintf(title, sizeof(title), "Compare snapshot %.12s with", id);
	rsp_serve_put_head(title, out);
	fprintf(out,
		"<p><a href=\"../../\">all snapshots</a></p>\n"
		"<p>%.12s is the earlier recording. Choose the later one.</p>\n",
		id);
	put_list(list, id, out);
}

void rsp_serve_put_only(const char *path, FILE *out)
{
	rsp_serve_put_head("Snapshots", out);
	fputs("<p><a href=\"" RSP_SERVE_ONLY_ID "/\">", out);
	put_clean(path, out);
	fputs("</a></p></body></html>\n", out);
}

void rsp_serve_put_message(const char *text, FILE *out)
{
	rsp_serve_put_head("rspctl serve", out);
	fputs("<p>", out);
	rsp_text_put_markup(out, text);
	fputs("</p></body></html>\n", out);
}
