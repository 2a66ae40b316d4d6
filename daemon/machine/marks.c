/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See marks.h. */
#include "daemon/machine/marks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/text.h"

/*
 * When a machine boots, hundreds of units start within seconds. A mark takes some 50 bytes of the
 * window.
 */
static const struct limit {
	__u64 burst;
	__u64 interval_ns; /* the bucket gets a token at this interval */
} limits[RSP_MARK_SOURCE_CNT] = {
	[RSP_MARKS_OF_USERS] = {20, 1000000000},
	[RSP_MARKS_OF_SLOS] = {20, 1000000000},
	[RSP_MARKS_OF_UNITS] = {100, 200000000},
};

bool rsp_mark_text_is_valid(const char *text)
{
	size_t len = strlen(text);

	return len > 0 && len < RSP_MARK_TEXT_MAX && rsp_text_is_clean(text);
}

static bool take(struct rsp_marks_bucket *bucket, const struct limit *limit, __u64 now_ns)
{
	__u64 full_ns = limit->burst * limit->interval_ns;

	if (now_ns > bucket->empty_ns + full_ns)
		bucket->empty_ns = now_ns - full_ns;
	if (bucket->empty_ns + limit->interval_ns > now_ns)
		return false;
	bucket->empty_ns += limit->interval_ns;
	return true;
}

static void put(const struct rsp_marks *m, struct rsp_ev_mark *mark)
{
	mark->hdr.kind = RSP_EV_MARK;
	mark->hdr.size = sizeof(*mark);
	m->sink(mark, sizeof(*mark), m->userdata);
}

static void put_dropped(const struct rsp_marks *m, struct rsp_marks_bucket *bucket, __u64 now_ns)
{
	struct rsp_ev_mark mark = {.hdr = {.ts_ns = now_ns, .flags = RSP_MARK_DROPPED},
				   .from_ns = bucket->dropped_ns,
				   .cnt = bucket->dropped_cnt};

	put(m, &mark);
	bucket->dropped_cnt = 0;
}

int rsp_marks_put(struct rsp_marks *m, enum rsp_mark_source source, const struct rsp_ev_mark *mark,
		  const char *text, __u64 now_ns)
{
	struct rsp_marks_bucket *bucket = &m->buckets[source];
	struct rsp_ev_mark rec = *mark;

	if (!take(bucket, &limits[source], now_ns)) {
		if (source == RSP_MARKS_OF_USERS)
			return -EBUSY;
		if (!bucket->dropped_cnt++)
			bucket->dropped_ns = now_ns;
		return -EBUSY;
	}
	if (bucket->dropped_cnt)
		put_dropped(m, bucket, now_ns);
	memset(rec.text, 0, sizeof(rec.text));
	snprintf(rec.text, sizeof(rec.text), "%s", text);
	rsp_text_clean(rec.text);
	put(m, &rec);
	return 0;
}
