/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happens on the machine -> MARK records, within bounds: of each source so many a second.
 * Marks of users that come too fast are refused; others are counted, and the next mark that may be
 * recorded is preceded by one that contains their number.
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
		__u64 empty_ns; /* when it would have been empty */
		__u32 dropped_cnt;
		__u64 dropped_ns; /* time of the first of these */
	} buckets[RSP_MARK_SOURCE_CNT];
};

/* Whether it can be the text of a mark: 1 to RSP_MARK_TEXT_MAX - 1 bytes of visible UTF-8. */
bool rsp_mark_text_is_valid(const char *text);

/*
 * Records a mark with the time, type, text and further fields of *mark; text is cleaned, and cut if
 * need be. 0; -EBUSY: too many.
 */
int rsp_marks_put(struct rsp_marks *m, enum rsp_mark_source source, const struct rsp_ev_mark *mark,
		  const char *text, __u64 now_ns);

#endif
