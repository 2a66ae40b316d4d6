/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a summary as JSON of limited size. The busiest units come first. Sentences and chains with
 * the most time get the remaining space.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/json.h"
#include "lib/report/report-container.h"
#include "lib/summary/summary-parts.h"
#include "rsp/summary.h"

#define UNITS_MAX  50
#define CHAINS_MAX 10 /* of a unit */

/*
 * The memory that json-c needs for a summary. The writer checks first whether this much memory is
 * available, because json-c crashes if memory runs out.
 */
#define JSON_ROOM (32 * RSP_SUMMARY_BYTES_MAX)

#define FLAGS (JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)

size_t rsp_summary_cost(const char *text, size_t len)
{
	size_t cost = len;

	for (size_t i = 0; i < len; i++)
		cost += text[i] == '"' || text[i] == '\\';
	return cost;
}

static size_t cost_of(struct json_object *o)
{
	size_t len;
	const char *text = json_object_to_json_string_length(o, FLAGS, &len);

	return text ? rsp_summary_cost(text, len) + 1 : SIZE_MAX / 2;
}

/* --- units without chains --------------------------------------------------------------------- */

static int fill_categories(struct json_object *o, const void *from)
{
	const struct rsp_summary_unit *unit = from;
	int r = 0;

	for (unsigned int cat = 0; cat < RSP_CAT_MAX; cat++)
		r |= rsp_json_add_number(o, rsp_category_key(cat), unit->cat_ns[cat]);
	return r;
}

static int fill_requests(struct json_object *o, const void *from)
{
	const struct rsp_summary_requests *row = from;
	int r = rsp_json_add_string(o, "comm", row->comm);

	r |= rsp_json_add_number(o, "port", row->port);
	r |= rsp_json_add_number(o, "answered", row->answered);
	r |= rsp_json_add_number(o, "pending", row->pending);
	r |= rsp_json_add_number(o, "p50_ns", row->p50_ns);
	r |= rsp_json_add_number(o, "p90_ns", row->p90_ns);
	r |= rsp_json_add_number(o, "p99_ns", row->p99_ns);
	r |= rsp_json_add_number(o, "max_ns", row->max_ns);
	return r |
	       rsp_json_add_string(o, "slowest_text", row->slowest_text ? row->slowest_text : "");
}

struct described {
	const struct rsp_summary *s;
	const struct rsp_summary_unit *unit;
};

static int fill_unit(struct json_object *o, const void *from)
{
	const struct described *d = from;
	const struct rsp_summary_unit *unit = d->unit;
	int r = rsp_json_add_string(o, "unit", rsp_summary_text(d->s, unit->name));

	r |= rsp_json_add_string(o, "cgroup", rsp_summary_text(d->s, unit->cgroup));
	r |= rsp_json_add_container(o, rsp_summary_text(d->s, unit->container));
	r |= rsp_json_add_number(o, "threads", unit->thread_cnt);
	r |= rsp_json_add_number(o, "total_ns", unit->total_ns);
	r |= rsp_json_add(o, "categories", rsp_json_object_of(fill_categories, unit));
	r |= rsp_json_add_string(o, "cause", "");
	r |= rsp_json_add(o, "requests",
			  RSP_JSON_ARRAY_OF(fill_requests, unit->requests.v, unit->requests.cnt));
	return r | rsp_json_add(o, "chains", json_object_new_array());
}

/* --- chains and sentences --------------------------------------------------------------------- */

/*
 * Returns a hash of a text (FNV-1a), with which a database can store a text only once. Equal hashes
 * do not prove that two texts are equal.
 */
static __u64 hash_of(const char *text)
{
	__u64 hash = 0xcbf29ce484222325ULL;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ULL;
	return hash;
}

struct folded {
	const struct rsp_summary_chain *chain;
	const char *text;
};

static int fill_chain(struct json_object *o, const void *from)
{
	const struct folded *f = from;
	char id[17];
	int r = rsp_json_add_number(o, "ns", f->chain->ns);

	snprintf(id, sizeof(id), "%016llx", hash_of(f->text));
	r |= rsp_json_add_number(o, "count", f->chain->count);
	r |= rsp_json_add_string(o, "category", rsp_category_key(f->chain->category));
	r |= rsp_json_add_string(o, "id", id);
	return r | rsp_json_add_string(o, "folded", f->text);
}

/*
 * A sentence or a chain of a unit, which is written only if there is space. chain NULL: the
 * sentence about the cause of the unit.
 */
struct extra {
	__u64 ns;
	size_t unit;
	const struct rsp_summary_chain *chain;
};

struct extras {
	struct extra *v;
	size_t cnt, cap;
};

static void extras_done(struct extras *e)
{
	free(e->v);
}

static int compare_extras(const void *pa, const void *pb)
{
	const struct extra *a = pa, *b = pb;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return a->chain < b->chain ? -1 : a->chain > b->chain;
}

static int compare_chains(const void *pa, const void *pb)
{
	const struct rsp_summary_chain *a = pa, *b = pb;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return a->folded < b->folded ? -1 : a->folded > b->folded;
}

static int list_extras(struct rsp_summary *s, size_t i, struct extras *ret)
{
	struct rsp_summary_unit *unit = &s->units.v[i];
	struct extra *slot;

	if (unit->chains.cnt)
		qsort(unit->chains.v, unit->chains.cnt, sizeof(*unit->chains.v), compare_chains);
	for (size_t j = 0; j < unit->chains.cnt && j < CHAINS_MAX; j++) {
		slot = rsp_array_add(ret);
		if (!slot)
			return -ENOMEM;
		*slot = (struct extra){unit->chains.v[j].ns, i, &unit->chains.v[j]};
	}
	if (!unit->cause)
		return 0;
	slot = rsp_array_add(ret);
	if (!slot)
		return -ENOMEM;
	*slot = (struct extra){unit->cause_ns, i, NULL};
	return 0;
}

/* Takes ownership of the chain. */
static int add_chain(struct json_object *unit, struct json_object *chain, size_t *room)
{
	size_t cost = chain ? cost_of(chain) : 0;
	struct json_object *chains = NULL;

	if (!chain)
		return -ENOMEM;
	if (cost > *room) {
		json_object_put(chain);
		return 0;
	}
	*room -= cost;
	json_object_object_get_ex(unit, "chains", &chains);
	return rsp_json_append(chains, chain);
}

static int add_cause(struct json_object *unit, const char *cause, size_t *room)
{
	size_t cost = rsp_summary_cost(cause, strlen(cause));

	if (cost > *room)
		return 0;
	*room -= cost;
	return rsp_json_add_string(unit, "cause", cause);
}

static int add_extras(struct rsp_summary *s, struct json_object *units, size_t room)
{
	_cleanup_(extras_done) struct extras extras = {0};
	int r = 0;

	for (size_t i = 0; i < json_object_array_length(units) && r == 0; i++)
		r = list_extras(s, i, &extras);
	if (r == 0 && extras.cnt)
		qsort(extras.v, extras.cnt, sizeof(*extras.v), compare_extras);
	for (size_t i = 0; i < extras.cnt && r == 0; i++) {
		const struct extra *x = &extras.v[i];
		struct json_object *unit = json_object_array_get_idx(units, x->unit);
		struct folded folded = {x->chain, NULL};

		if (!x->chain) {
			r = add_cause(unit, s->units.v[x->unit].cause, &room);
			continue;
		}
		folded.text = rsp_summary_text(s, x->chain->folded);
		r = add_chain(unit, rsp_json_object_of(fill_chain, &folded), &room);
	}
	return r;
}

/* --- all together ----------------------------------------------------------------------------- */

static __u64 recorded_ns(const struct rsp_model *m)
{
	__u64 oldest_ns = m->trace->snap->meta.window_oldest_ns;
	__u64 from_ns = oldest_ns > m->since_ns ? oldest_ns : m->since_ns;

	if (from_ns >= m->until_ns)
		return 0;
	return m->until_ns - from_ns - rsp_gap_within(&m->pauses, from_ns, m->until_ns);
}

static int fill_head(struct json_object *o, const void *from)
{
	const struct rsp_summary *s = from;
	const struct rsp_model *m = s->model;
	const struct rsp_meta *meta = &s->snap->meta;
	int r = rsp_json_add_number(o, "version", 1);

	r |= rsp_json_add_number(o, "since_ns", m->since_ns);
	r |= rsp_json_add_number(o, "until_ns", m->until_ns);
	r |= rsp_json_add_number(o, "realtime_ns", m->until_ns + (__u64)meta->realtime_offset_ns);
	r |= rsp_json_add_number(o, "recorded_ns", recorded_ns(m));
	r |= rsp_json_add_number(o, "lost", rsp_trace_lost(s->trace, m->since_ns, m->until_ns));
	r |= rsp_json_add_number(o, "cpus", meta->cpu_cnt);
	return r | rsp_json_add_number(o, "cpu_ns", s->opt->cpu_ns);
}

static int compare_units(const void *pa, const void *pb)
{
	const struct rsp_summary_unit *a = pa, *b = pb;
	__u64 a_ns = rsp_summary_busy_ns(a), b_ns = rsp_summary_busy_ns(b);

	if (a_ns != b_ns)
		return a_ns > b_ns ? -1 : 1;
	return a->cgroup < b->cgroup ? -1 : a->cgroup > b->cgroup;
}

static int add_units(const struct rsp_summary *s, struct json_object *units, size_t *room)
{
	for (size_t i = 0; i < s->units.cnt && i < UNITS_MAX; i++) {
		struct described d = {s, &s->units.v[i]};
		struct json_object *unit = rsp_json_object_of(fill_unit, &d);
		size_t cost = unit ? cost_of(unit) : 0;

		if (!unit)
			return -ENOMEM;
		if (cost > *room) {
			json_object_put(unit);
			return 0;
		}
		*room -= cost;
		if (rsp_json_append(units, unit) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* Maximum number of digits of the number of units that are left out. */
#define LEFT_OUT_DIGITS 20

static int fill(struct rsp_summary *s, struct json_object *o, size_t bytes_max)
{
	struct json_object *units = json_object_new_array();
	size_t cost, room;
	int r = rsp_json_add(o, "units", units);

	if (r < 0)
		return r;
	cost = cost_of(o) + strlen(",\"left_out\":") + LEFT_OUT_DIGITS + 2;
	if (cost > bytes_max)
		return -E2BIG;
	room = bytes_max - cost;
	r = add_units(s, units, &room);
	if (r == 0)
		r = rsp_json_add_number(o, "left_out",
					s->units.cnt - json_object_array_length(units));
	return r == 0 ? add_extras(s, units, room) : r;
}

int rsp_summary_write(struct rsp_summary *s, char **ret, size_t *ret_len)
{
	_cleanup_json_ struct json_object *o = NULL;
	size_t bytes_max = s->opt->bytes_max ? s->opt->bytes_max : RSP_SUMMARY_BYTES_MAX, len;
	const char *text;
	int r;

	if (!rsp_json_has_room(JSON_ROOM))
		return -ENOMEM;
	if (s->units.cnt)
		qsort(s->units.v, s->units.cnt, sizeof(*s->units.v), compare_units);
	o = rsp_json_object_of(fill_head, s);
	r = o ? fill(s, o, bytes_max) : -ENOMEM;
	if (r < 0)
		return r;
	text = json_object_to_json_string_length(o, FLAGS, &len);
	*ret = text ? strdup(text) : NULL;
	*ret_len = len;
	return *ret ? 0 : -ENOMEM;
}
