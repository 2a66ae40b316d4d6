/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl fleet top: shows the units of the fleet by time, and the chains that block them. */
#include <errno.h>
#include <string.h>

#include "cli/output.h"
#include "fleet/report.h"
#include "fleet/span.h"
#include "lib/report/report-words.h"

#define CHAINS_PER_UNIT	  3
/* JSON output contains the chains of all units. */
#define UNITS_WITH_CHAINS 5

struct top {
	struct rsp_fleet_filter filter;
	struct rsp_fleet_slices sum;
	struct rsp_fleet_result units, chains, texts;
};

static void top_done(struct top *t)
{
	rsp_fleet_result_done(&t->units);
	rsp_fleet_result_done(&t->chains);
	rsp_fleet_result_done(&t->texts);
}

/* --- asking ----------------------------------------------------------------------------------- */

static int query_units(struct rsp_fleet *fleet, struct top *t)
{
	struct rsp_fleet_query q;

	if (rsp_fleet_query_begin(&q, fleet))
		rsp_fleet_put_top(q.out, &t->filter, fleet->opt.limit);
	return rsp_fleet_query_end(&q, RSP_FLEET_TOP_COLUMNS, &t->units);
}

static int query_chains(struct rsp_fleet *fleet, struct top *t)
{
	struct rsp_fleet_query q;
	const char **names = calloc(t->units.row_cnt + 1, sizeof(*names));
	struct rsp_fleet_filter f = t->filter;

	if (!names)
		return rsp_fail(-ENOMEM, "cannot make a query: %m");
	for (size_t i = 0; i < t->units.row_cnt; i++) {
		struct rsp_fleet_unit u;

		rsp_fleet_get_unit(&t->units, (long)i, &u);
		names[i] = u.name;
	}
	f.units = names;
	f.unit_cnt = t->units.row_cnt;
	if (rsp_fleet_query_begin(&q, fleet))
		rsp_fleet_put_chains(q.out, &f, CHAINS_PER_UNIT);
	free(names);
	return rsp_fleet_query_end(&q, RSP_FLEET_CHAIN_COLUMNS, &t->chains);
}

static int query_texts(struct rsp_fleet *fleet, struct top *t)
{
	uint64_t *ids = calloc(t->chains.row_cnt + 1, sizeof(*ids));
	int r;

	if (!ids)
		return rsp_fail(-ENOMEM, "cannot make a query: %m");
	for (size_t i = 0; i < t->chains.row_cnt; i++) {
		struct rsp_fleet_chain c;

		rsp_fleet_get_chain(&t->chains, (long)i, &c);
		ids[i] = c.id;
	}
	r = rsp_fleet_texts(fleet, ids, t->chains.row_cnt, &t->texts);
	free(ids);
	return r;
}

static int ask(struct rsp_fleet *fleet, struct top *t)
{
	int r = rsp_fleet_filter(fleet, &t->filter);

	if (!r)
		r = rsp_fleet_totals(fleet, &t->filter, &t->sum);
	if (!r)
		r = query_units(fleet, t);
	if (!r && !t->units.row_cnt)
		return rsp_fail(-ENOENT, "no host has a unit '%s' in this span",
				fleet->opt.unit ? fleet->opt.unit : "");
	if (!r)
		r = query_chains(fleet, t);
	if (!r)
		r = query_texts(fleet, t);
	return r;
}

/* --- the answer ------------------------------------------------------------------------------- */

static void put_answer(const struct top *t, char *buf, size_t len)
{
	char name[RSP_FORMAT_NAME_BYTES(64)], hosts[RSP_FLEET_COUNT_MAX], time[RSP_FORMAT_MAX];
	char share[RSP_FORMAT_MAX], wait[RSP_FORMAT_MAX], running[RSP_FORMAT_MAX];
	struct rsp_fleet_unit first, all;
	enum rsp_category main;
	uint64_t running_ns;

	rsp_fleet_get_unit(&t->units, 0, &first);
	rsp_fleet_get_unit(&t->units, -1, &all);
	main = rsp_fleet_main_wait(&first);
	running_ns = rsp_fleet_running_ns(&first);
	rsp_fleet_unit_name(first.name, name);
	rsp_fleet_count(first.host_cnt, "host", hosts, sizeof(hosts));
	rsp_format_ns(first.busy_ns, time, sizeof(time));
	rsp_format_share(first.busy_ns, all.busy_ns, share, sizeof(share));
	rsp_format_share(first.cat_ns[main], first.busy_ns, wait, sizeof(wait));
	rsp_format_share(running_ns, first.busy_ns, running, sizeof(running));
	if (running_ns >= first.cat_ns[main])
		snprintf(
			buf, len,
			"%s on %s took most time, %s (%s of that of all units): it was computing for %s "
			"of it",
			name, hosts, time, share, running);
	else
		snprintf(buf, len,
			 "%s on %s took most time, %s (%s of that of all units): it was %s for %s "
			 "of it",
			 name, hosts, time, share, rsp_category_words((int)main)->activity, wait);
}

static void add_unit(struct rsp_table *table, const struct top *t, long row)
{
	char name[RSP_FORMAT_NAME_BYTES(64)], a[RSP_FORMAT_MAX], b[RSP_FORMAT_MAX];
	struct rsp_fleet_unit u, all;
	enum rsp_category main;
	uint64_t running_ns;

	rsp_fleet_get_unit(&t->units, row, &u);
	rsp_fleet_get_unit(&t->units, -1, &all);
	running_ns = rsp_fleet_running_ns(&u);
	main = rsp_fleet_main_wait(&u);
	rsp_table_add(table, "%s", rsp_fleet_unit_name(u.name, name));
	rsp_table_add(table, "%llu", (unsigned long long)u.host_cnt);
	rsp_table_add(table, "%s", rsp_format_ns(u.busy_ns, a, sizeof(a)));
	rsp_table_add(table, "%s", rsp_format_share(u.busy_ns, all.busy_ns, a, sizeof(a)));
	rsp_table_add(table, "%s", rsp_format_ns(running_ns, a, sizeof(a)));
	rsp_table_add(
		table, "%s",
		rsp_format_ns(u.busy_ns > running_ns ? u.busy_ns - running_ns : 0, a, sizeof(a)));
	if (u.cat_ns[main])
		rsp_table_add(table, "%s %s %s", rsp_format_ns(u.cat_ns[main], a, sizeof(a)),
			      rsp_format_share(u.cat_ns[main], u.busy_ns, b, sizeof(b)),
			      rsp_category_words((int)main)->activity);
	else
		rsp_table_add(table, "-");
}

static void print_chains(const struct top *t)
{
	char name[RSP_FORMAT_NAME_BYTES(64)], time[RSP_FORMAT_MAX], hosts[RSP_FLEET_COUNT_MAX];
	char text[4 * RSP_FLEET_CHAIN_COLS];

	for (size_t i = 0; i < t->units.row_cnt && i < UNITS_WITH_CHAINS; i++) {
		struct rsp_fleet_unit u;
		bool has_head = false;

		rsp_fleet_get_unit(&t->units, (long)i, &u);
		for (size_t j = 0; j < t->chains.row_cnt; j++) {
			struct rsp_fleet_chain c;

			rsp_fleet_get_chain(&t->chains, (long)j, &c);
			if (strcmp(c.unit, u.name) != 0)
				continue;
			if (!has_head)
				printf("\n%s is blocked by\n", rsp_fleet_unit_name(u.name, name));
			has_head = true;
			printf("  %s on %s, %s\n      %s\n",
			       rsp_format_ns(c.ns, time, sizeof(time)),
			       rsp_fleet_count(c.host_cnt, "host", hosts, sizeof(hosts)),
			       rsp_fleet_activity(c.category),
			       rsp_fleet_short_chain(rsp_fleet_find_text(&t->texts, c.id), text,
						     RSP_FLEET_CHAIN_COLS));
		}
	}
}

static int print_text(const struct top *t)
{
	static const char *const head[] = {"UNIT",   "HOSTS",		"TIME", "SHARE", "COMPUTED",
					   "WAITED", "MOST OF THE WAIT"};
	_cleanup_(rsp_table_done) struct rsp_table table = {0};
	char answer[512];
	int r;

	put_answer(t, answer, sizeof(answer));
	printf("%s.\n", answer);
	rsp_fleet_print_span(&t->filter.span, &t->sum);
	putchar('\n');
	rsp_table_init(&table, sizeof(head) / sizeof(head[0]));
	for (size_t i = 0; i < table.column_cnt; i++)
		rsp_table_add(&table, "%s", head[i]);
	for (size_t i = 0; i < t->units.row_cnt; i++)
		add_unit(&table, t, (long)i);
	r = rsp_table_print(&table);
	if (r)
		return r;
	print_chains(t);
	return rsp_output_flush();
}

/* --- JSON ------------------------------------------------------------------------------------- */

static struct json_object *chain_json(const struct rsp_fleet_chain *c, const char *folded)
{
	struct json_object *o = json_object_new_object();
	char id[20];
	int r = o ? 0 : -ENOMEM;

	snprintf(id, sizeof(id), "%016llx", (unsigned long long)c->id);
	if (!r)
		r = rsp_json_add_string(o, "id", id) |
		    rsp_json_add_string(o, "category", c->category) |
		    rsp_json_add_number(o, "hosts", c->host_cnt) |
		    rsp_json_add_number(o, "ns", c->ns) | rsp_json_add_number(o, "count", c->cnt) |
		    rsp_json_add_string(o, "folded", folded);
	if (r) {
		json_object_put(o);
		return NULL;
	}
	return o;
}

static struct json_object *unit_json(const struct top *t, const struct rsp_fleet_unit *u)
{
	struct json_object *o = json_object_new_object(), *cats = json_object_new_object(),
			   *chains = json_object_new_array();
	int r = o && cats && chains ? 0 : -ENOMEM;

	for (int i = 0; !r && i < RSP_CAT_MAX; i++)
		r = rsp_json_add_number(cats, rsp_category_key((enum rsp_category)i), u->cat_ns[i]);
	for (size_t i = 0; !r && i < t->chains.row_cnt; i++) {
		struct rsp_fleet_chain c;

		rsp_fleet_get_chain(&t->chains, (long)i, &c);
		if (!strcmp(c.unit, u->name))
			r = rsp_json_append(chains,
					    chain_json(&c, rsp_fleet_find_text(&t->texts, c.id)));
	}
	if (!r)
		r = rsp_json_add_string(o, "unit", u->name) |
		    rsp_json_add_number(o, "hosts", u->host_cnt) |
		    rsp_json_add_number(o, "busy_ns", u->busy_ns) |
		    rsp_json_add(o, "categories", rsp_take_ptr(cats)) |
		    rsp_json_add(o, "chains", rsp_take_ptr(chains));
	json_object_put(cats);
	json_object_put(chains);
	if (r) {
		json_object_put(o);
		return NULL;
	}
	return o;
}

static int print_json(const struct top *t, enum rsp_json_mode mode)
{
	struct json_object *o, *units = json_object_new_array();
	char answer[512];
	int r;

	put_answer(t, answer, sizeof(answer));
	o = rsp_fleet_json(answer, &t->filter.span);
	r = o && units ? 0 : -ENOMEM;
	for (size_t i = 0; !r && i < t->units.row_cnt; i++) {
		struct rsp_fleet_unit u;

		rsp_fleet_get_unit(&t->units, (long)i, &u);
		r = rsp_json_append(units, unit_json(t, &u));
	}
	if (!r)
		r = rsp_json_add_number(o, "hosts", t->sum.host_cnt) |
		    rsp_json_add_number(o, "recorded_ns", t->sum.recorded_ns) |
		    rsp_json_add_number(o, "lost", t->sum.lost) |
		    rsp_json_add(o, "units", rsp_take_ptr(units));
	json_object_put(units);
	if (r) {
		json_object_put(o);
		return rsp_fail(-ENOMEM, "cannot make JSON: %m");
	}
	return rsp_output_json(o, mode);
}

int rsp_fleet_top(struct rsp_fleet *fleet)
{
	_cleanup_(top_done) struct top t = {0};
	int r = ask(fleet, &t);

	if (r)
		return r;
	return fleet->opt.json ? print_json(&t, fleet->opt.json) : print_text(&t);
}
