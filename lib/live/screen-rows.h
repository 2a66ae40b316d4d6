/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a panel, which screen-rows.c makes for screen.c. */
#ifndef RSP_LIB_LIVE_SCREEN_ROWS_H
#define RSP_LIB_LIVE_SCREEN_ROWS_H

#include "lib/live/screen.h"

#define RSP_ROW_BYTES 1024

struct rsp_rows {
	struct rsp_row {
		char text[RSP_ROW_BYTES];
		__u32 tgid;
	} * v;
	size_t cnt, cap;
};

void rsp_rows_header(enum rsp_panel panel, const struct rsp_screen_how *how, char *buf,
		     size_t size);
/* Makes the rows of a panel, sorted and filtered. Returns 0 or -ENOMEM. */
int rsp_rows_make(const struct rsp_live_view *view, const struct rsp_screen_how *how,
		  enum rsp_panel panel, struct rsp_rows *ret);
void rsp_rows_done(struct rsp_rows *rows);

#endif
