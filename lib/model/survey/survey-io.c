/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns disk requests into a row for each file, disk, program and operation. If a request has no
 * file, the system call of the wait that it ended determines the file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/model/survey/survey-parts.h"

/* From include/linux/blk_types.h in the kernel; unchanged since 4.10. */
enum {
	REQ_OP_READ = 0,
	REQ_OP_WRITE = 1,
	REQ_OP_FLUSH = 2,
	REQ_OP_DISCARD = 3,
	REQ_OP_MASK = 0xff,
};

struct wait_facts {
	/* the result of rsp_ops_file(); 0: unknown, or no thread waited */
	__u64 file;
	__u64 waited_ns, target_ns;
	__u32 waiter_tid; /* 0: no thread waited */
};

struct key {
	__u32 file, disk, comm, op, is_metadata;
};

struct io {
	const struct rsp_survey_scope *scope;
	struct rsp_survey *survey;
	struct wait_facts *wait_facts; /* one for each request */
	struct rsp_intern keys;
};

static void name_after_call(const struct rsp_model *m, const struct rsp_disk_wait *wait,
			    const struct rsp_ev_switch *out, struct wait_facts *wait_facts)
{
	const struct rsp_request *requests[RSP_IN_FLIGHT_MAX];
	size_t cnt = rsp_ops_in_flight(&m->ops, wait, requests, RSP_IN_FLIGHT_MAX);

	for (size_t i = 0; i < cnt; i++)
		wait_facts[requests[i] - m->ops.requests.v].file = rsp_ops_file(m->trace,
										requests[i], out);
}

static int on_wait(void *table, const struct rsp_survey_wait *w)
{
	struct io *io = table;
	const struct rsp_model *m = io->scope->model;
	const struct rsp_disk_wait *wait;
	struct wait_facts *wait_facts;

	if (w->span->cause != RSP_CAUSE_DISK || (!w->target_ns && !io->scope->with_machine))
		return 0;
	wait = &m->ops.disk_waits.v[w->span->cause_id];
	wait_facts = &io->wait_facts[wait->request];
	/*
	 * The end of a request may give work to an idle worker. Such a worker did not wait for the
	 * disk.
	 */
	wait_facts->waited_ns += rsp_span_waits_for_work(w->span) ? 0 : w->ns;
	wait_facts->target_ns += w->target_ns;
	wait_facts->waiter_tid = m->threads.v[w->thread].tid;
	if (w->span->out)
		name_after_call(m, wait, w->span->out, io->wait_facts);
	return 0;
}

static const char *op_name(const struct rsp_request *req)
{
	switch (req->op_flags & REQ_OP_MASK) {
	case REQ_OP_READ:
		return "read";
	case REQ_OP_WRITE:
		return req->bytes ? "write" : "flush"; /* an empty request has only flags */
	case REQ_OP_FLUSH:
		return "flush";
	case REQ_OP_DISCARD:
		return "discard";
	}
	return "other";
}

struct times {
	__u64 from_ns, issue_ns, done_ns;
};

/* A request without an end lasts until the end of the recording. */
static struct times times_of(const struct rsp_request *req)
{
	__u64 done_ns = req->done_ns ? req->done_ns : UINT64_MAX;
	__u64 issue_ns = req->issue_ns ? req->issue_ns : done_ns;
	__u64 from_ns = req->insert_ns ? req->insert_ns : issue_ns;

	/*
	 * If the issue was not recorded, but the end was, the whole time counts as time of the
	 * device.
	 */
	if (!req->issue_ns && req->done_ns)
		issue_ns = from_ns;
	return (struct times){from_ns, issue_ns, done_ns};
}

static struct key key_of(const struct rsp_survey_scope *s, const struct rsp_request *req,
			 const struct wait_facts *wait_facts, __u64 ts_ns)
{
	struct rsp_names *n = s->names;
	struct key key = {
		.file = rsp_names_object(n, wait_facts->file
						    ? wait_facts->file
						    : rsp_ops_file(s->model->trace, req, NULL)),
		.disk = rsp_names_device(n, req->dev),
		.op = rsp_names_add(n, op_name(req)),
		.is_metadata = req->is_metadata,
	};

	key.is_metadata &= !key.file;
	/* If the issuer is unknown, the waiting thread names the row. */
	if (req->issuer != RSP_NO_THREAD)
		key.comm = rsp_names_thread(n, &s->model->threads.v[req->issuer], ts_ns);
	else if (wait_facts->waiter_tid)
		key.comm = rsp_names_tid(n, wait_facts->waiter_tid, ts_ns);
	return key;
}

static struct rsp_io_row *row_of(struct io *io, const struct key *key)
{
	const struct rsp_survey_scope *s = io->scope;
	struct rsp_survey *ret = io->survey;
	struct rsp_io_row *row;
	uint32_t i;

	if (rsp_intern_put(&io->keys, key, sizeof(*key), &i) < 0)
		return NULL;
	if (i < ret->io.cnt)
		return &ret->io.v[i];
	row = rsp_array_add(&ret->io);
	if (!row)
		return NULL;
	row->file = rsp_survey_text(s, key->file);
	row->disk = rsp_survey_text(s, key->disk);
	row->comm = rsp_survey_text(s, key->comm);
	row->op = rsp_survey_text(s, key->op);
	row->is_metadata = key->is_metadata;
	return row;
}

static int add_request(struct io *io, const struct rsp_request *req,
		       const struct wait_facts *wait_facts)
{
	const struct rsp_survey_scope *s = io->scope;
	struct times at = times_of(req);
	__u64 active_ns = rsp_survey_clip(s, at.issue_ns, at.done_ns);
	__u64 queued_ns = rsp_survey_clip(s, at.from_ns, at.issue_ns);
	struct rsp_io_row *row;
	struct key key;

	if (!wait_facts->target_ns && !s->with_machine)
		return 0;
	if (!active_ns && !queued_ns && !wait_facts->waited_ns && !wait_facts->target_ns &&
	    !rsp_survey_within(s, at.done_ns))
		return 0;
	key = key_of(s, req, wait_facts, at.from_ns);
	row = row_of(io, &key);
	if (!row)
		return -ENOMEM;
	row->request_cnt++;
	row->bytes += req->bytes;
	row->active_ns += active_ns;
	row->queued_ns += queued_ns;
	if (row->longest_ns < active_ns + queued_ns)
		row->longest_ns = active_ns + queued_ns;
	row->waited_ns += wait_facts->waited_ns;
	row->target_ns += wait_facts->target_ns;
	return 0;
}

static int compare(const void *pa, const void *pb)
{
	const struct rsp_io_row *a = pa, *b = pb;
	int r = rsp_survey_more(a->target_ns, b->target_ns);

	if (!r)
		r = rsp_survey_more(a->waited_ns, b->waited_ns);
	if (!r)
		r = rsp_survey_more(a->active_ns + a->queued_ns, b->active_ns + b->queued_ns);
	if (!r)
		r = strcmp(a->file, b->file);
	if (!r)
		r = strcmp(a->disk, b->disk);
	if (!r)
		r = strcmp(a->comm, b->comm);
	if (!r)
		r = strcmp(a->op, b->op);
	return r ? r : a->is_metadata - b->is_metadata;
}

static void *begin(const struct rsp_survey_scope *s, struct rsp_survey *ret)
{
	struct io *io = calloc(1, sizeof(*io));

	if (!io)
		return NULL;
	io->scope = s;
	io->survey = ret;
	io->wait_facts = calloc(s->model->ops.requests.cnt + 1, sizeof(*io->wait_facts));
	if (io->wait_facts)
		return io;
	free(io);
	return NULL;
}

static int end(void *table)
{
	struct io *io = table;
	const struct rsp_ops *ops = &io->scope->model->ops;
	struct rsp_survey *survey = io->survey;
	int r = 0;

	for (size_t i = 0; i < ops->requests.cnt && r == 0; i++)
		r = add_request(io, &ops->requests.v[i], &io->wait_facts[i]);
	rsp_intern_done(&io->keys);
	free(io->wait_facts);
	free(io);
	if (survey->io.cnt)
		qsort(survey->io.v, survey->io.cnt, sizeof(*survey->io.v), compare);
	return r;
}

const struct rsp_survey_table rsp_survey_io = {
	.begin = begin,
	.on_wait = on_wait,
	.end = end,
};
