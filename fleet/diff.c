/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl fleet diff --before T --after T: shows the units and chains of the fleet that changed. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "fleet/report.h"
#include "fleet/span.h"
#include "lib/fleet/changes.h"

/* Maximum number of rows to fetch. The largest changes come first. */
#define FETCH_MAX 1000

struct comparison {
	struct rsp_fleet_filter before, after;
	struct rsp_fleet_result units, chains, texts;
	uint64_t quantity_cnt, host_cnt;
};

static void comparison_done(struct comparison *c)
{
	rsp_fleet_result_done(&c->units);
	rsp_fleet_result_done(&c->chains);
	rsp_fleet_result_done(&c->texts);
}

/* --- asking ----------------------------------------------------------------------------------- */

static int query_table(struct rsp_fleet *fleet, const struct comparison *c, enum rsp_fleet_table t,
		       struct rsp_fleet_result *ret)
{
	struct rsp_fleet_query q;

	if (rsp_fleet_query_begin(&q, fleet))
		rsp_fleet_put_changes(q.out, t, &c->before, &c->after, FETCH_MAX);
	return rsp_fleet_query_end(&q, RSP_FLEET_CHANGE_COLUMNS, ret);
}

static int query_texts(struct rsp_fleet *fleet, struct comparison *c)
{
	uint64_t *ids = calloc(c->chains.row_cnt + 1, sizeof(*ids));
	int r;

	if (!ids)
		return rsp_fail(-ENOMEM, "cannot make a query: %m");
	for (size_t i = 0; i < c->chains.row_cnt; i++) {
		struct rsp_fleet_change x;

		rsp_fleet_get_change(&c->chains, (long)i, 1, &x);
		ids[i] = x.chain_id;
	}
	r = rsp_fleet_texts(fleet, ids, c->chains.row_cnt, &c->texts);
	free(ids);
	return r;
}

static int ask(struct rsp_fleet *fleet, struct comparison *c)
{
	struct rsp_fleet_span before, after;
	struct rsp_fleet_slices sum;
	int r = rsp_fleet_spans_around(&fleet->opt, &before, &after);

	if (!r)
		r = rsp_fleet_filter_span(fleet, &before, &c->before);
	if (!r)
		r = rsp_fleet_filter_span(fleet, &after, &c->after);
	if (!r)
		r = rsp_fleet_totals(fleet, &c->before, &sum);
	if (!r)
		r = rsp_fleet_totals(fleet, &c->after, &sum);
	if (!r)
		r = query_table(fleet, c, RSP_FLEET_UNITS, &c->units);
	if (!r)
		r = query_table(fleet, c, RSP_FLEET_CHAINS, &c->chains);
	if (!r)
		r = query_texts(fleet, c);
	c->quantity_cnt = rsp_fleet_quantity_cnt(&c->units) + rsp_fleet_quantity_cnt(&c->chains);
	c->host_cnt = rsp_fleet_changed_host_cnt(&c->units);
	return r;
}

/* --- the answer ------------------------------------------------------------------------------- */

/*
 * If unit is not NULL, considers only rows of this unit. If growth is true, considers only growth.
 */
static bool first_of(const struct comparison *c, const struct rsp_fleet_result *r, const char *unit,
		     bool growth, struct rsp_fleet_change *ret)
{
	for (size_t i = 0; i < r->row_cnt; i++) {
		rsp_fleet_get_change(r, (long)i, c->quantity_cnt, ret);
		if (ret->is_significant && (!growth || ret->after > ret->before) &&
		    (!unit || !strcmp(unit, ret->unit)))
			return true;
	}
	return false;
}

/*
 * Returns the number of hosts that must change in the same direction, so that the change is
 * significant.
 */
static uint64_t hosts_needed(uint64_t quantity_cnt)
{
	uint64_t n = 1;

	while (rsp_fleet_sign_test(n, 0) * (double)quantity_cnt >= RSP_FLEET_CHANGE_P)
		n++;
	return n;
}

static char *amount(double ns_per_s, char *buf, size_t len)
{
	return rsp_format_ns((__u64)(fabs(ns_per_s) + 0.5), buf, len);
}

static char *relative(const struct rsp_fleet_change *x, char *buf, size_t len)
{
	if (x->before >= 1)
		snprintf(buf, len, "%+.0f %%", 100 * (x->after - x->before) / x->before);
	else
		snprintf(buf, len, "new");
	return buf;
}

static char *probability(double p, char *buf, size_t len)
{
	if (p < 0.001)
		snprintf(buf, len, "<0.001");
	else
		snprintf(buf, len, "%.3f", p);
	return buf;
}

/* Returns the length of the sentence, which may exceed len. */
static size_t put_change(const struct rsp_fleet_change *x, char *buf, size_t len)
{
	char unit[RSP_FORMAT_NAME_BYTES(64)], by[RSP_FORMAT_MAX], share[RSP_FORMAT_MAX];

	return (size_t)snprintf(
		buf, len, "%s took %s %s per second and host after than before (%s)",
		rsp_fleet_unit_name(x->unit, unit), amount(x->after - x->before, by, sizeof(by)),
		x->after > x->before ? "more" : "less", relative(x, share, sizeof(share)));
}

/*
 * Writes a sentence about the unit that grew most or, if no unit grew, that changed most. Returns
 * the length, which may exceed len.
 */
static size_t put_largest(const struct comparison *c, char *buf, size_t len)
{
	struct rsp_fleet_change x;
	size_t row = 0, n;

	for (size_t i = 0; i < c->units.row_cnt; i++) {
		rsp_fleet_get_change(&c->units, (long)i, c->quantity_cnt, &x);
		if (x.after > x.before) {
			row = i;
			break;
		}
	}
	rsp_fleet_get_change(&c->units, (long)row, c->quantity_cnt, &x);
	n = put_change(&x, buf, len);
	if (x.most_share > 0.5 && n < len)
		n += (size_t)snprintf(buf + n, len - n, ", %.0f %% of it on %s", 100 * x.most_share,
				      x.most_host);
	return n;
}

static void put_none(const struct comparison *c, char *buf, size_t len)
{
	char hosts[RSP_FLEET_COUNT_MAX];
	uint64_t needed = hosts_needed(c->quantity_cnt);
	size_t n;

	rsp_fleet_count(c->host_cnt, "host", hosts, sizeof(hosts));
	if (!c->host_cnt) {
		snprintf(buf, len,
			 "No host recorded in both spans, so there is nothing to compare");
		return;
	}
	n = put_largest(c, buf, len);
	if (n >= len)
		return;
	if (c->host_cnt < needed)
		snprintf(
			buf + n, len - n,
			"; this may be chance: a test of %llu units and chains needs at least %llu "
			"hosts, and %llu recorded in both spans",
			(unsigned long long)c->quantity_cnt, (unsigned long long)needed,
			(unsigned long long)c->host_cnt);
	else
		snprintf(buf + n, len - n,
			 "; this may be chance: no unit or chain changed significantly on %s",
			 hosts);
}

static void put_answer(const struct comparison *c, char *buf, size_t len)
{
	char p[RSP_FORMAT_MAX], chain[RSP_FORMAT_MAX], hosts[RSP_FLEET_COUNT_MAX];
	struct rsp_fleet_change x, y;
	size_t n;

	if (!first_of(c, &c->units, NULL, true, &x) && !first_of(c, &c->units, NULL, false, &x) &&
	    !first_of(c, &c->chains, NULL, false, &x)) {
		put_none(c, buf, len);
		return;
	}
	n = put_change(&x, buf, len);
	if (n < len)
		n += (size_t)snprintf(
			buf + n, len - n, ", on %llu of %s (p %s%s)",
			(unsigned long long)(x.after > x.before ? x.grown_cnt : x.shrunk_cnt),
			rsp_fleet_count(x.host_cnt, "host", hosts, sizeof(hosts)),
			x.p < 0.001 ? "" : "= ", probability(x.p, p, sizeof(p)));
	if (!x.chain_id && n < len && first_of(c, &c->chains, x.unit, x.after > x.before, &y))
		snprintf(buf + n, len - n, ", %s of it %s",
			 amount(y.after - y.before, chain, sizeof(chain)),
			 rsp_fleet_activity(y.category));
}

static void add_change(struct rsp_table *t, const struct rsp_fleet_change *x)
{
	char unit[RSP_FORMAT_NAME_BYTES(64)], a[RSP_FORMAT_MAX];

	rsp_table_add(t, "%s", rsp_fleet_unit_name(x->unit, unit));
	rsp_table_add(t, "%s", amount(x->before, a, sizeof(a)));
	rsp_table_add(t, "%s", amount(x->after, a, sizeof(a)));
	rsp_table_add(t, "%s", relative(x, a, sizeof(a)));
	rsp_table_add(t, "%llu", (unsigned long long)x->host_cnt);
	rsp_table_add(t, "%llu", (unsigned long long)x->grown_cnt);
	rsp_table_add(t, "%llu", (unsigned long long)x->shrunk_cnt);
	rsp_table_add(t, "%s%s", probability(x->p, a, sizeof(a)), x->is_significant ? " *" : "");
	rsp_table_add(t, "%.0f %% %s", 100 * x->most_share, x->most_host);
}

static int print_units(const struct comparison *c, size_t limit)
{
	static const char *const head[] = {"UNIT", "BEFORE", "AFTER", "CHANGE",	      "HOSTS",
					   "MORE", "LESS",   "P",     "MOST OF IT ON"};
	_cleanup_(rsp_table_done) struct rsp_table t = {0};

	rsp_table_init(&t, sizeof(head) / sizeof(head[0]));
	for (size_t i = 0; i < t.column_cnt; i++)
		rsp_table_add(&t, "%s", head[i]);
	for (size_t i = 0; i < c->units.row_cnt && i < limit; i++) {
		struct rsp_fleet_change x;

		rsp_fleet_get_change(&c->units, (long)i, c->quantity_cnt, &x);
		add_change(&t, &x);
	}
	return rsp_table_print(&t);
}

static void print_chains(const struct comparison *c, size_t limit)
{
	char unit[RSP_FORMAT_NAME_BYTES(64)], a[RSP_FORMAT_MAX], b[RSP_FORMAT_MAX],
		by[RSP_FORMAT_MAX], hosts[RSP_FLEET_COUNT_MAX], text[4 * RSP_FLEET_CHAIN_COLS];
	size_t shown = 0;

	for (size_t i = 0; i < c->chains.row_cnt && shown < limit; i++) {
		struct rsp_fleet_change x;

		rsp_fleet_get_change(&c->chains, (long)i, c->quantity_cnt, &x);
		if (!x.is_significant)
			continue;
		if (!shown++)
			puts("\nchains that changed significantly, per second and host");
		printf("  %s to %s (%s), %s on %llu of %s, in %s: %s\n      %s\n",
		       amount(x.before, a, sizeof(a)), amount(x.after, b, sizeof(b)),
		       relative(&x, by, sizeof(by)), x.after > x.before ? "more" : "less",
		       (unsigned long long)(x.after > x.before ? x.grown_cnt : x.shrunk_cnt),
		       rsp_fleet_count(x.host_cnt, "host", hosts, sizeof(hosts)),
		       rsp_fleet_unit_name(x.unit, unit), rsp_fleet_activity(x.category),
		       rsp_fleet_short_chain(rsp_fleet_find_text(&c->texts, x.chain_id), text,
					     RSP_FLEET_CHAIN_COLS));
	}
}

static int print_text(const struct rsp_fleet *fleet, const struct comparison *c)
{
	char answer[1024], before[RSP_FLEET_SPAN_TEXT_MAX], after[RSP_FLEET_SPAN_TEXT_MAX];
	int r;

	put_answer(c, answer, sizeof(answer));
	printf("%s.\n  (before: %s;\n   after: %s)\n\n", answer,
	       rsp_fleet_span_text(&c->before.span, before),
	       rsp_fleet_span_text(&c->after.span, after));
	if (!c->units.row_cnt)
		return rsp_output_flush();
	r = print_units(c, fleet->opt.limit);
	if (r)
		return r;
	printf("\n*: significant: sign test with hosts as samples, corrected for %llu units and "
	       "chains\n",
	       (unsigned long long)c->quantity_cnt);
	print_chains(c, fleet->opt.limit);
	return rsp_output_flush();
}

/* --- JSON ------------------------------------------------------------------------------------- */

static int fill_change(struct json_object *o, const void *from)
{
	const struct rsp_fleet_change *x = from;

	return rsp_json_add_string(o, "unit", x->unit) |
	       rsp_json_add(o, "before_ns", json_object_new_double(x->before)) |
	       rsp_json_add(o, "after_ns", json_object_new_double(x->after)) |
	       rsp_json_add_number(o, "hosts", x->host_cnt) |
	       rsp_json_add_number(o, "more", x->grown_cnt) |
	       rsp_json_add_number(o, "less", x->shrunk_cnt) |
	       rsp_json_add_string(o, "most_host", x->most_host) |
	       rsp_json_add(o, "most_share", json_object_new_double(x->most_share)) |
	       rsp_json_add(o, "p", json_object_new_double(x->p)) |
	       rsp_json_add_bool(o, "significant", x->is_significant);
}

static int add_changes(struct json_object *to, const char *key, const struct comparison *c,
		       const struct rsp_fleet_result *rows, size_t limit)
{
	struct json_object *all = json_object_new_array();
	int r = all ? 0 : -ENOMEM;

	for (size_t i = 0; !r && i < rows->row_cnt && i < limit; i++) {
		struct rsp_fleet_change x;
		struct json_object *o;
		char id[20];

		rsp_fleet_get_change(rows, (long)i, c->quantity_cnt, &x);
		o = rsp_json_object_of(fill_change, &x);
		if (o && x.chain_id) {
			snprintf(id, sizeof(id), "%016llx", (unsigned long long)x.chain_id);
			r = rsp_json_add_string(o, "id", id) |
			    rsp_json_add_string(o, "category", x.category) |
			    rsp_json_add_string(o, "folded",
						rsp_fleet_find_text(&c->texts, x.chain_id));
		}
		r |= rsp_json_append(all, o);
	}
	return r | rsp_json_add(to, key, all);
}

static int print_json(const struct rsp_fleet *fleet, const struct comparison *c)
{
	struct json_object *o;
	char answer[1024];
	int r;

	put_answer(c, answer, sizeof(answer));
	o = rsp_fleet_json(answer, &c->after.span);
	r = o ? 0 : -ENOMEM;
	if (!r)
		r = rsp_json_add_number(o, "before_since", (uint64_t)c->before.span.since) |
		    rsp_json_add_number(o, "before_until", (uint64_t)c->before.span.until) |
		    rsp_json_add_number(o, "hosts", c->host_cnt) |
		    rsp_json_add_number(o, "quantities", c->quantity_cnt) |
		    add_changes(o, "units", c, &c->units, fleet->opt.limit) |
		    add_changes(o, "chains", c, &c->chains, fleet->opt.limit);
	if (r) {
		json_object_put(o);
		return rsp_fail(-ENOMEM, "cannot make JSON: %m");
	}
	return rsp_output_json(o, fleet->opt.json);
}

int rsp_fleet_diff(struct rsp_fleet *fleet)
{
	_cleanup_(comparison_done) struct comparison c = {0};
	int r;

	if (!fleet->opt.before || !fleet->opt.after) {
		rsp_fail(0,
			 "'fleet diff' needs --before=T and --after=T: see 'rspctl fleet --help'");
		return RSP_EXIT_USAGE;
	}
	r = ask(fleet, &c);
	if (r)
		return r;
	return fleet->opt.json ? print_json(fleet, &c) : print_text(fleet, &c);
}
