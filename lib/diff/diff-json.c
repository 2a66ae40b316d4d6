/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a comparison as JSON. docs/diff.md documents each field. */
#include <errno.h>
#include <math.h>

#include "lib/base/json.h"
#include "lib/diff/diff-parts.h"

#define DIFF_VERSION 1

/* Returns a number with six digits, which is more than the precision of rates and p-values. */
static struct json_object *number_of(double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.6g", value);
	return json_object_new_double_s(value, text);
}

static int add_double(struct json_object *o, const char *key, double value)
{
	return rsp_json_add(o, key, number_of(value));
}

static struct json_object *value_of(const struct rsp_diff_row *row, double value)
{
	return row->is_rate ? number_of(value) : json_object_new_int64(llround(value));
}

static int add_value(struct json_object *o, const char *key, const struct rsp_diff_row *row,
		     double value)
{
	return rsp_json_add(o, key, value_of(row, value));
}

struct filling {
	const struct rsp_diff *d;
	const struct rsp_diff_row *row;
};

static struct json_object *values_of(const struct filling *x)
{
	struct json_object *array = json_object_new_array();

	for (size_t u = 0; array && u < x->d->unit_cnt; u++)
		if (rsp_json_append(array, value_of(x->row, x->row->values[u])) < 0) {
			json_object_put(array);
			return NULL;
		}
	return array;
}

static int fill_row(struct json_object *o, const void *from)
{
	const struct filling *x = from;
	const struct rsp_diff_row *row = x->row;
	int r = rsp_json_add_string(o, "name", row->name);

	r |= rsp_json_add_string(o, "unit", row->is_rate ? "per_second" : "ns");
	if (row->category >= 0)
		r |= rsp_json_add_string(o, "category",
					 rsp_category_key((enum rsp_category)row->category));
	r |= add_value(o, "before", row, row->mean[0]);
	r |= add_value(o, "after", row, row->mean[1]);
	r |= add_value(o, "change", row, rsp_diff_growth(row));
	if (row->is_tested) {
		r |= add_value(o, "margin", row, row->margin);
		r |= add_double(o, "p", row->p);
	}
	r |= rsp_json_add_bool(o, "significant", row->is_significant);
	r |= rsp_json_add_bool(o, "machine", row->is_machine);
	r |= rsp_json_add(o, "values", values_of(x));
	return r;
}

static struct json_object *table_object(const struct rsp_diff *d, enum rsp_diff_table table)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; array && i < d->rows.cnt; i++) {
		struct filling x = {d, &d->rows.v[i]};

		if (x.row->table != table)
			continue;
		if (rsp_json_append(array, rsp_json_object_of(fill_row, &x)) < 0) {
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

static int fill_recording(struct json_object *o, const void *from)
{
	const struct rsp_diff_recording *recording = from;
	int r = rsp_json_add_string(o, "name", recording->name);

	r |= rsp_json_add_string(o, "side", recording->side ? "after" : "before");
	r |= rsp_json_add_string(o, "comm", recording->comm);
	r |= rsp_json_add_number(o, "pid", recording->pid);
	r |= rsp_json_add_bool(o, "descendants", recording->has_descendants);
	r |= rsp_json_add_number(o, "clock_ns", recording->clock_ns);
	r |= rsp_json_add_number(o, "span_ns", recording->span_ns);
	r |= rsp_json_add_number(o, "requests", recording->request_cnt);
	r |= rsp_json_add_number(o, "lost", recording->lost_cnt);
	r |= rsp_json_add_number(o, "paused_ns", recording->paused_ns);
	r |= rsp_json_add_bool(o, "lossy", recording->is_lossy);
	return r;
}

static struct json_object *test_object(const struct rsp_diff *d)
{
	struct json_object *o = json_object_new_object();
	int r = o ? 0 : -ENOMEM;

	if (r < 0)
		return NULL;
	r |= rsp_json_add_string(o, "name", "Westfall-Young maxT permutation test");
	r |= rsp_json_add_string(o, "units", d->block_cnt == 1 ? "recordings" : "parts");
	r |= rsp_json_add_number(o, "parts_of_each", d->block_cnt);
	r |= rsp_json_add_number(o, "divisions", d->ways);
	r |= rsp_json_add_bool(o, "all_divisions", d->all_ways);
	r |= rsp_json_add_number(o, "figures", d->rows.cnt);
	r |= add_double(o, "alpha", RSP_PERMUTE_ALPHA);
	if (r == 0)
		return o;
	json_object_put(o);
	return NULL;
}

static int fill_first(struct json_object *o, const struct rsp_diff *d)
{
	struct filling x = {d, rsp_diff_first(d)};
	int r;

	if (!x.row)
		return 0;
	r = rsp_json_add(o, "first", rsp_json_object_of(fill_row, &x));
	return r | rsp_json_add_string(o, "first_table", rsp_diff_table_key(x.row->table));
}

static int fill_machine(struct json_object *o, const struct rsp_diff *d)
{
	struct filling x = {d, rsp_diff_machine(d)};

	return x.row ? rsp_json_add(o, "machine", rsp_json_object_of(fill_row, &x)) : 0;
}

static int fill(struct json_object *o, const void *from)
{
	const struct rsp_diff *d = from;
	_cleanup_free_ char *answer = rsp_diff_answer(d), *method = rsp_diff_method(d);
	int r = answer && method ? 0 : -ENOMEM;

	if (r < 0)
		return r;
	r |= rsp_json_add_number(o, "diff_version", DIFF_VERSION);
	r |= rsp_json_add_string(o, "answer", answer);
	r |= rsp_json_add_bool(o, "differs", rsp_diff_first(d) != NULL);
	r |= fill_first(o, d);
	r |= fill_machine(o, d);
	r |= rsp_json_add_string(o, "basis", rsp_diff_basis_key(d->basis));
	r |= rsp_json_add(o, "recordings",
			  RSP_JSON_ARRAY_OF(fill_recording, d->recordings, d->added_cnt));
	r |= rsp_json_add(o, "test", test_object(d));
	for (int table = 0; table < RSP_DIFF_TABLE_CNT; table++)
		r |= rsp_json_add(o, rsp_diff_table_key((enum rsp_diff_table)table),
				  table_object(d, (enum rsp_diff_table)table));
	return r | rsp_json_add_string(o, "method", method);
}

int rsp_diff_json(const struct rsp_diff *d, FILE *out)
{
	struct json_object *o = rsp_json_object_of(fill, d);
	const char *text;

	if (!o)
		return -ENOMEM;
	text = json_object_to_json_string_ext(o, d->opt.pretty ? JSON_C_TO_STRING_PRETTY |
									 JSON_C_TO_STRING_SPACED
							       : JSON_C_TO_STRING_PLAIN);
	if (text)
		fprintf(out, "%s\n", text);
	json_object_put(o);
	return text ? 0 : -ENOMEM;
}
