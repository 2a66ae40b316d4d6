/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the parts of the screen: the rows of a panel. */
#ifndef RSP_LIB_LIVE_SCREEN_ROWS_H
#define RSP_LIB_LIVE_SCREEN_ROWS_H

#include "screen.h"

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
/* Sorted and filtered. 0 or -ENOMEM. */
int rsp_rows_make(const struct rsp_live_view *view, const struct rsp_screen_how *how,
		  enum rsp_panel panel, struct rsp_rows *ret);
void rsp_rows_done(struct rsp_rows *rows);

#endif
