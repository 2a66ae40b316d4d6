/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads some of the records of a snapshot file: the records of some kinds, or the newest records.
 *
 * Old records are evicted as from the window (window.c). In the file, records of different CPUs are
 * not in order of time. So the border between evicted and kept records is a point in time. Evicted
 * records go into the carry (carry.h).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/snapshot/carry.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/snapshot-format.h"

/* --- records of some kinds ------------------------------------------------------------------- */

static bool is_one_of(uint32_t kinds, const struct rsp_ev_hdr *rec)
{
	return rec->kind < RSP_EV_KIND_MAX && kinds & 1U << rec->kind;
}

/* Readers ignore all records of a section after a bad record, so these records are dropped. */
static size_t keep_kinds(const struct rsp_meta *meta, void *records, size_t len, void *userdata)
{
	const uint32_t *kinds = userdata;
	const struct rsp_ev_hdr *rec;
	size_t off = 0, kept = 0;

	(void)meta;
	while (rsp_record_next(records, len, &off, &rec) > 0) {
		size_t size = rec->size;

		if (!is_one_of(*kinds, rec))
			continue;
		memmove((char *)records + kept, rec, size);
		kept += size;
	}
	return kept;
}

int rsp_snapshot_open_kinds_fd(int fd, uint32_t kinds, struct rsp_snapshot **ret)
{
	return rsp_snapshot_open_filtered_fd(fd, keep_kinds, &kinds, ret);
}

/* --- the newest records ---------------------------------------------------------------------- */

/*
 * Kinds of records that are always kept. Records of later sections may refer to STACK, OBJECT,
 * SOCKET and BINARY records. There are few records of the other kinds, and reports need them.
 */
#define KEPT_KINDS                                                                                 \
	(1U << RSP_EV_STACK | 1U << RSP_EV_OBJECT | 1U << RSP_EV_SOCKET | 1U << RSP_EV_BINARY |    \
	 1U << RSP_EV_LOST | 1U << RSP_EV_SHED | 1U << RSP_EV_MARK | 1U << RSP_EV_COUNTERS |       \
	 1U << RSP_EV_CONTAINER)

/* Records up to TAIL_NS after the span are kept, since they may end waits of the span. */
#define TAIL_NS 1000000000ULL

struct recent {
	int error; /* 0 or -ENOMEM; once set, it stays */
	struct rsp_carry *carry;
	uint64_t excess_bytes; /* number of bytes that are still to be evicted, in whole sections */
	uint64_t start_ns;     /* records older than this are evicted */
	uint64_t left_out_cnt;
	char *evicted; /* evicted records of the current section */
	size_t evicted_len, evicted_cap;
};

static bool has_long_tail(const struct rsp_meta *meta)
{
	return meta->until_ns && meta->events_until_ns > meta->until_ns + TAIL_NS;
}

static uint64_t newest_ns(const void *records, size_t len)
{
	const struct rsp_ev_hdr *rec;
	uint64_t newest = 0;
	size_t off = 0;

	while (rsp_record_next(records, len, &off, &rec) > 0)
		if (!is_one_of(KEPT_KINDS, rec) && rec->ts_ns > newest)
			newest = rec->ts_ns;
	return newest;
}

/* If the whole section is to be evicted, moves start_ns past its newest record. */
static void advance(struct recent *recent, const struct rsp_meta *meta, const void *records,
		    size_t len)
{
	uint64_t newest;

	if (recent->excess_bytes == 0)
		return;
	newest = newest_ns(records, len);
	if (len > recent->excess_bytes || (has_long_tail(meta) && newest >= meta->since_ns)) {
		recent->excess_bytes = 0;
		return;
	}
	recent->excess_bytes -= len;
	if (newest >= recent->start_ns)
		recent->start_ns = newest + 1;
}

static int reserve_evicted(struct recent *recent, size_t len)
{
	char *p;

	if (len <= recent->evicted_cap)
		return 0;
	p = realloc(recent->evicted, len);
	if (!p)
		return -ENOMEM;
	recent->evicted = p;
	recent->evicted_cap = len;
	return 0;
}

/*
 * Keeps the newest records of a section, and all records of KEPT_KINDS. Passes other old records to
 * the carry. If the snapshot continues long after the span, drops other records from more than
 * TAIL_NS after the span.
 */
static size_t keep_recent(const struct rsp_meta *meta, void *records, size_t len, void *userdata)
{
	uint64_t end_ns = has_long_tail(meta) ? meta->until_ns + TAIL_NS : UINT64_MAX;
	struct recent *recent = userdata;
	const struct rsp_ev_hdr *rec;
	size_t off = 0, kept = 0;

	advance(recent, meta, records, len);
	if (recent->error == 0)
		recent->error = reserve_evicted(recent, len);
	if (recent->error < 0)
		return 0;
	recent->evicted_len = 0;
	while (rsp_record_next(records, len, &off, &rec) > 0) {
		bool is_old = rec->ts_ns < recent->start_ns;
		char *to = (char *)records + kept;
		size_t size = rec->size;

		if (is_one_of(KEPT_KINDS, rec) || (!is_old && rec->ts_ns <= end_ns)) {
			memmove(to, rec, size);
			kept += size;
			continue;
		}
		recent->left_out_cnt++;
		if (!is_old)
			continue;
		memcpy(recent->evicted + recent->evicted_len, rec, size);
		recent->evicted_len += size;
	}
	if (recent->evicted_len)
		rsp_carry_fold(recent->carry, recent->evicted, recent->evicted_len);
	return kept;
}

static int add_state(const void *records, size_t len, void *userdata)
{
	struct rsp_snapshot *snap = userdata;
	struct rsp_section *sections = reallocarray(snap->sections, snap->section_cnt + 1,
						    sizeof(*sections));
	void *copy = malloc(len);

	if (sections)
		snap->sections = sections;
	if (!sections || !copy) {
		free(copy);
		return -ENOMEM;
	}
	memcpy(copy, records, len);
	sections[snap->section_cnt++] = (struct rsp_section){RSP_SEC_EVENTS, copy, len};
	return 0;
}

static uint64_t seen_since(const struct rsp_meta *meta)
{
	return meta->since_ns > meta->window_oldest_ns ? meta->since_ns : meta->window_oldest_ns;
}

/* Makes the snapshot begin at start_ns, and adds the state at this time. */
static int begin_later(struct recent *recent, struct rsp_snapshot *snap)
{
	if (recent->error < 0)
		return recent->error;
	snap->left_out_cnt = recent->left_out_cnt;
	if (recent->start_ns <= snap->meta.window_oldest_ns)
		return 0;
	if (snap->meta.since_ns < recent->start_ns) {
		snap->left_out_ns = recent->start_ns - seen_since(&snap->meta);
		snap->meta.since_ns = recent->start_ns;
	}
	snap->meta.window_oldest_ns = recent->start_ns;
	rsp_carry_drop_older(recent->carry, recent->start_ns);
	return rsp_carry_foreach(recent->carry, add_state, snap);
}

static void done(struct recent *recent)
{
	rsp_carry_free(recent->carry);
	free(recent->evicted);
}

int rsp_snapshot_open_recent_fd(int fd, uint64_t events_bytes_max, struct rsp_snapshot **ret)
{
	uint64_t bytes = rsp_snapshot_events_bytes(fd);
	_cleanup_(done) struct recent recent = {0};
	struct rsp_snapshot *snap;
	int r;

	if (bytes <= events_bytes_max)
		return rsp_snapshot_open_fd(fd, ret);
	recent.excess_bytes = bytes - events_bytes_max;
	r = rsp_carry_new(&recent.carry);
	if (r == 0)
		r = rsp_snapshot_open_filtered_fd(fd, keep_recent, &recent, &snap);
	if (r < 0)
		return r;
	r = begin_later(&recent, snap);
	if (r < 0) {
		rsp_snapshot_free(snap);
		return r;
	}
	*ret = snap;
	return 0;
}
