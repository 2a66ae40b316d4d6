/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts a view to lines of text, for a terminal of any size or for a file. */
#ifndef RSP_LIB_LIVE_SCREEN_H
#define RSP_LIB_LIVE_SCREEN_H

#include <stdio.h>

#include "lib/live/screen-rows.h"

enum rsp_screen_ink {
	RSP_INK_PLAIN,
	RSP_INK_TITLE,
	RSP_INK_HEADER,
	RSP_INK_FOCUSED, /* header of the panel in focus, on which keys act */
	RSP_INK_SELECTED,
	RSP_INK_NOTICE,
	RSP_INK_KEYS,
};

#define RSP_SCREEN_COLS_MAX 250

struct rsp_screen_line {
	char text[RSP_SCREEN_COLS_MAX * 4 + 1]; /* clean UTF-8 */
	enum rsp_screen_ink ink;
	__u32 tgid; /* process of the row; 0: none */
};

struct rsp_screen {
	struct rsp_screen_line *v;
	size_t cnt, cap;
	unsigned int selected;
	__u32 selected_tgid; /* process of the selected row; 0: none */
};

/* Makes at most how->rows lines, none of them wider than how->cols. Returns 0 or -ENOMEM. */
int rsp_screen_make(const struct rsp_live_view *view, const struct rsp_screen_how *how,
		    struct rsp_screen *ret);
void rsp_screen_done(struct rsp_screen *screen);

/* Prints all lists to a file, each with at most row_max rows. Returns 0 or -ENOMEM. */
int rsp_screen_print(const struct rsp_live_view *view, const struct rsp_screen_how *how,
		     size_t row_max, FILE *out);

#endif
