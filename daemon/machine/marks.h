/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes MARK records of events on the machine (breaches, changes of units, texts of users), and
 * limits their rate for each source. Excess marks of users are refused. Excess marks of other
 * sources are dropped and counted, and a mark with their number precedes the next mark of that
 * source.
 */
#ifndef RSP_DAEMON_MARKS_H
#define RSP_DAEMON_MARKS_H

#include <stdbool.h>
#include <stddef.h>

#include "rsp/event.h"

enum rsp_mark_source {
	RSP_MARKS_OF_USERS,
	RSP_MARKS_OF_SLOS,
	RSP_MARKS_OF_UNITS,
	RSP_MARK_SOURCE_CNT,
};

typedef void (*rsp_marks_sink)(const void *record, size_t len, void *userdata);

struct rsp_marks {
	rsp_marks_sink sink;
	void *userdata;
	struct rsp_marks_bucket {
		__u64 empty_ns; /* time since which the bucket's tokens have accumulated */
		__u32 dropped_cnt;
		__u64 dropped_ns; /* time of the first mark in dropped_cnt */
	} buckets[RSP_MARK_SOURCE_CNT];
};

/* Returns whether text has 1 to RSP_MARK_TEXT_MAX - 1 bytes and is clean (rsp_text_is_clean()). */
bool rsp_mark_text_is_valid(const char *text);

/* Cleans the text, and cuts it off if it is too long. Returns 0; -EBUSY: too many marks. */
int rsp_marks_put(struct rsp_marks *m, enum rsp_mark_source source, const struct rsp_ev_mark *mark,
		  const char *text, __u64 now_ns);

#endif
