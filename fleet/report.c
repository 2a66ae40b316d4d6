/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See report.h. */
#include "fleet/report.h"

#include <errno.h>
#include <string.h>

#include "fleet/span.h"
#include "lib/report/report-words.h"

char *rsp_fleet_count(uint64_t cnt, const char *noun, char *buf, size_t len)
{
	char digits[24], grouped[32];
	int n = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)cnt), at = 0;

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			grouped[at++] = ',';
		grouped[at++] = digits[i];
	}
	grouped[at] = '\0';
	snprintf(buf, len, "%s %s%s", grouped, noun, cnt == 1 ? "" : "s");
	return buf;
}

char *rsp_fleet_unit_name(const char *name, char buf[static RSP_FORMAT_NAME_BYTES(64)])
{
	return rsp_format_name(*name ? name : "(no unit)", RSP_FLEET_UNIT_COLS, buf,
			       RSP_FORMAT_NAME_BYTES(64));
}

const char *rsp_fleet_activity(const char *category)
{
	if (!strcmp(category, "running"))
		return "computing";
	for (int i = 0; i < RSP_CAT_MAX; i++)
		if (!strcmp(rsp_category_key((enum rsp_category)i), category))
			return rsp_category_words(i)->activity;
	return category;
}

int rsp_fleet_texts(struct rsp_fleet *fleet, const uint64_t *ids, size_t cnt,
		    struct rsp_fleet_result *ret)
{
	struct rsp_fleet_query q;

	if (rsp_fleet_query_begin(&q, fleet))
		rsp_fleet_put_texts(q.out, ids, cnt);
	return rsp_fleet_query_end(&q, RSP_FLEET_TEXT_COLUMNS, ret);
}

int rsp_fleet_totals(struct rsp_fleet *fleet, const struct rsp_fleet_filter *f,
		     struct rsp_fleet_slices *ret)
{
	struct rsp_fleet_query q;
	char text[RSP_FLEET_SPAN_TEXT_MAX];
	struct rsp_fleet_result res;
	int r;

	if (rsp_fleet_query_begin(&q, fleet))
		rsp_fleet_put_totals(q.out, f);
	r = rsp_fleet_query_end(&q, RSP_FLEET_SLICES_COLUMNS, &res);
	if (r)
		return r;
	rsp_fleet_get_totals(&res, ret);
	rsp_fleet_result_done(&res);
	if (ret->host_cnt)
		return RSP_EXIT_OK;
	return rsp_fail(-ENODATA,
			"no host%s%s sent a summary from %s: check [Summary] of rspd.conf and "
			"rsp-export there, or ask for an earlier span with --last or --since",
			f->host ? " named " : "", f->host ? f->host : "",
			rsp_fleet_span_text(&f->span, text));
}

void rsp_fleet_print_span(const struct rsp_fleet_span *span, const struct rsp_fleet_slices *sum)
{
	char text[RSP_FLEET_SPAN_TEXT_MAX], hosts[RSP_FLEET_COUNT_MAX], lost[RSP_FLEET_COUNT_MAX];
	char recorded[RSP_FORMAT_MAX];

	printf("  (%s; slices of %s, %s together%s%s%s)\n", rsp_fleet_span_text(span, text),
	       rsp_fleet_count(sum->host_cnt, "host", hosts, sizeof(hosts)),
	       rsp_format_ns(sum->recorded_ns, recorded, sizeof(recorded)), sum->lost ? "; " : "",
	       sum->lost ? rsp_fleet_count(sum->lost, "record", lost, sizeof(lost)) : "",
	       sum->lost ? " lost" : "");
}

struct json_object *rsp_fleet_json(const char *headline, const struct rsp_fleet_span *span)
{
	struct json_object *o = json_object_new_object();
	int r = o ? 0 : -ENOMEM;

	if (!r)
		r |= rsp_json_add_number(o, "version", 1);
	if (!r)
		r |= rsp_json_add_string(o, "headline", headline);
	if (!r)
		r |= rsp_json_add_number(o, "since", (uint64_t)span->since);
	if (!r)
		r |= rsp_json_add_number(o, "until", (uint64_t)span->until);
	if (r < 0) {
		json_object_put(o);
		return NULL;
	}
	return o;
}
