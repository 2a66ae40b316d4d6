/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See diff.h. Divides recordings into units, and adds the figures of each unit. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/diff/diff-parts.h"

/*
 * Wanted number of blocks of all recordings together, and limits for the number of blocks of one
 * recording.
 */
#define BLOCKS_WANTED 24
#define BLOCKS_MIN    4
#define BLOCKS_MAX    12

static size_t blocks_of_each(const size_t cnt[static 2])
{
	size_t blocks = BLOCKS_WANTED / (cnt[0] + cnt[1]), most;

	if (cnt[0] > 1 && cnt[1] > 1 && rsp_permute_ways(cnt[0], cnt[1]) >= RSP_PERMUTE_WAYS_MIN)
		return 1;
	blocks = blocks < BLOCKS_MIN ? BLOCKS_MIN : blocks > BLOCKS_MAX ? BLOCKS_MAX : blocks;
	most = RSP_PERMUTE_UNITS_MAX / (cnt[0] + cnt[1]);
	return blocks < most ? blocks : most;
}

int rsp_diff_new(const struct rsp_diff_options *opt, const size_t recording_cnt[static 2],
		 struct rsp_diff **ret)
{
	struct rsp_diff *d;

	for (int side = 0; side < 2; side++)
		if (recording_cnt[side] < 1 || recording_cnt[side] > RSP_DIFF_RECORDINGS_MAX)
			return -E2BIG;
	d = calloc(1, sizeof(*d));
	if (!d)
		return -ENOMEM;
	d->opt = *opt;
	memcpy(d->recording_cnt, recording_cnt, sizeof(d->recording_cnt));
	d->block_cnt = blocks_of_each(recording_cnt);
	d->unit_room = d->block_cnt * (recording_cnt[0] + recording_cnt[1]);
	*ret = d;
	return 0;
}

void rsp_diff_row_done(struct rsp_diff_row *row)
{
	free(row->name);
	free(row->values);
}

struct rsp_diff *rsp_diff_free(struct rsp_diff *d)
{
	if (!d)
		return NULL;
	for (size_t i = 0; i < d->rows.cnt; i++)
		rsp_diff_row_done(&d->rows.v[i]);
	free(d->rows.v);
	rsp_diff_merge_done(&d->merge);
	rsp_diff_pools_done(d);
	rsp_intern_done(&d->keys);
	free(d);
	return NULL;
}

/* --- figures ---------------------------------------------------------------------------------- */

static int find_row(struct rsp_diff *d, const struct rsp_diff_figure *figure,
		    struct rsp_diff_row **ret)
{
	_cleanup_free_ char *key = NULL;
	struct rsp_diff_row *row;
	uint32_t id;
	int len = asprintf(&key, "%c%s", 'a' + (int)figure->table, figure->key);

	if (len < 0) {
		key = NULL;
		return -ENOMEM;
	}
	if (rsp_intern_put(&d->keys, key, (size_t)len, &id) < 0)
		return -ENOMEM;
	if (id == d->rows.cnt) {
		row = rsp_array_add(&d->rows);
		if (!row)
			return -ENOMEM;
		row->table = figure->table;
		row->category = figure->category;
		row->is_rate = figure->is_rate;
		row->is_latency = figure->is_latency;
		row->rank = figure->rank;
		row->is_machine = figure->is_machine;
		row->pool = figure->pool;
		row->is_unknown = figure->is_unknown;
		row->values = calloc(d->unit_room, sizeof(*row->values));
	}
	*ret = &d->rows.v[id];
	return (*ret)->values ? 0 : -ENOMEM;
}

int rsp_diff_put(struct rsp_diff *d, const struct rsp_diff_figure *figure)
{
	struct rsp_diff_row *row;
	double *value;
	int r = find_row(d, figure, &row);

	if (r < 0)
		return r;
	value = &row->values[d->unit_cnt];
	row->value_cnt += *value == 0 && figure->value > 0;
	*value += figure->value;
	if (row->name && figure->value <= row->name_weight)
		return 0;
	free(row->name);
	row->name = strdup(figure->name);
	row->name_weight = figure->value;
	return row->name ? 0 : -ENOMEM;
}

/* --- recordings ------------------------------------------------------------------------------- */

static int add_block(struct rsp_diff *d, struct rsp_model *m, struct rsp_diff_recording *recording)
{
	struct rsp_diff_unit *unit = &d->units[d->unit_cnt];
	struct rsp_diff_recording part = *recording;
	int r;

	part.clock_ns = part.request_cnt = part.lost_cnt = 0;
	r = rsp_diff_measure(d, m, &part);
	/* If a block does not contain the process, all figures of the block are 0. */
	if (r < 0 && (r != -ESRCH || d->block_cnt == 1))
		return r;
	unit->recording = (__u32)d->added_cnt;
	unit->clock_ns = part.clock_ns;
	unit->span_ns = m->until_ns - m->since_ns;
	unit->scale = 1;
	recording->clock_ns += part.clock_ns;
	recording->request_cnt += part.request_cnt;
	recording->lost_cnt += part.lost_cnt;
	if (r == 0)
		memcpy(recording->comm, part.comm, sizeof(part.comm));
	d->unit_cnt++;
	return r;
}

/* Returns 0, or -ERANGE if the span is empty. */
static int choose_part(struct rsp_meta *meta, const struct rsp_diff_input *input)
{
	if (input->until_ns) {
		meta->since_ns = input->since_ns;
		meta->until_ns = input->until_ns;
	}
	return meta->until_ns > meta->since_ns ? 0 : -ERANGE;
}

static int add_blocks(struct rsp_diff *d, struct rsp_model *m, struct rsp_diff_recording *recording)
{
	__u64 since_ns = m->since_ns, ns = m->until_ns - since_ns;
	size_t found_cnt = 0;
	int r = 0;

	for (size_t i = 0; i < d->block_cnt && (r == 0 || r == -ESRCH); i++) {
		__u64 until_ns = i + 1 < d->block_cnt ? since_ns + ns / d->block_cnt * (i + 1)
						      : since_ns + ns;

		rsp_model_choose_span(m, since_ns + ns / d->block_cnt * i, until_ns);
		r = add_block(d, m, recording);
		found_cnt += r == 0;
	}
	return r == -ESRCH && found_cnt ? 0 : r;
}

static int add_profile(struct rsp_diff *d, const struct rsp_model *m,
		       const struct rsp_diff_recording *recording)
{
	struct rsp_profile_options opt = {
		.kind = d->opt.kind,
		.tgid = recording->pid,
		.descendants = recording->has_descendants,
	};
	struct rsp_profile profile;
	int r;

	if (!d->opt.profiles)
		return 0;
	r = rsp_profile_make(m, &opt, &profile);
	if (r < 0)
		return r;
	r = rsp_diff_merge_add(&d->merge, &profile, d->added_cnt);
	rsp_profile_done(&profile);
	return r;
}

static int choose_process(const struct rsp_diff *d, struct rsp_model *m, struct rsp_meta *meta)
{
	__u32 pid = d->opt.pid;
	int r = d->opt.comm ? rsp_diff_find_process(m, d->opt.comm, &pid) : 0;

	if (r == 0 && d->opt.comm && !pid)
		r = -ESRCH;
	if (r == 0 && pid)
		rsp_meta_choose_process(meta, pid);
	/* If the user chose another process, target_tid is 0, and no request is of interest. */
	m->request_tid = meta->target_tid;
	return r;
}

static int add_recording(struct rsp_diff *d, const struct rsp_diff_input *input,
			 struct rsp_model *m)
{
	struct rsp_diff_recording *recording = &d->recordings[d->added_cnt];
	int r = choose_process(d, m, &input->snap->meta);

	if (r < 0)
		return r;
	recording->name = input->name;
	recording->side = input->side;
	recording->pid = input->snap->meta.target_pid;
	recording->is_run = *input->snap->meta.command != '\0';
	/*
	 * If the recording is of a command, the figures of functions include its descendants,
	 * unless the user chose a process.
	 */
	recording->has_descendants = recording->is_run && !d->opt.pid && !d->opt.comm;
	recording->span_ns = m->until_ns - m->since_ns;
	recording->paused_ns = rsp_gap_within(&m->pauses, m->since_ns, m->until_ns);
	recording->requested_ns = rsp_gap_within(&m->requested, m->since_ns, m->until_ns);
	recording->is_lossy = input->snap->truncated || input->trace->bad_cnt > 0;
	r = add_profile(d, m, recording);
	if (r == 0)
		r = add_blocks(d, m, recording);
	recording->is_lossy |= recording->lost_cnt > 0;
	d->added_cnt++;
	return r;
}

int rsp_diff_add(struct rsp_diff *d, const struct rsp_diff_input *input)
{
	struct rsp_model *m;
	int r;

	if (d->unit_cnt + d->block_cnt > d->unit_room)
		return -E2BIG;
	d->has_parts |= input->until_ns != 0;
	r = choose_part(&input->snap->meta, input);
	if (r == 0)
		r = rsp_model_new(input->trace, &m);
	if (r < 0)
		return r;
	r = add_recording(d, input, m);
	rsp_model_free(m);
	return r;
}

bool rsp_diff_is_of_two(const struct rsp_diff *d)
{
	const struct rsp_diff_recording *first = &d->recordings[0];

	for (size_t i = 1; i < d->added_cnt; i++)
		if (d->recordings[i].side != first->side &&
		    strcmp(d->recordings[i].comm, first->comm) != 0)
			return true;
	return false;
}

bool rsp_diff_is_lossy(const struct rsp_diff *d)
{
	for (size_t i = 0; i < d->added_cnt; i++)
		if (d->recordings[i].is_lossy)
			return true;
	return false;
}

int rsp_diff_report(const struct rsp_diff *d, FILE *out)
{
	int r = d->opt.json ? rsp_diff_json(d, out) : rsp_diff_text(d, out);

	if (r == 0 && (fflush(out) != 0 || ferror(out)))
		r = errno ? -errno : -EIO;
	return r;
}
