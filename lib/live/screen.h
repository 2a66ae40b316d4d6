/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A view -> lines of text, for a terminal of any size or for a file. Pure: what a key does is to
 * change struct rsp_screen_how.
 */
#ifndef RSP_LIB_LIVE_SCREEN_H
#define RSP_LIB_LIVE_SCREEN_H

#include <stdio.h>

#include "view.h"

enum rsp_panel {
	RSP_PANEL_FUNCTIONS,
	RSP_PANEL_WAITERS,
	RSP_PANEL_REQUESTS,
	RSP_PANEL_TIMES,
	RSP_PANELS,
};

const char *rsp_panel_name(enum rsp_panel panel);

/* The sort keys of a panel, from 0; "" behind the last one. */
const char *rsp_panel_sort_name(enum rsp_panel panel, unsigned int key);

enum rsp_screen_ink {
	RSP_INK_PLAIN,
	RSP_INK_TITLE,
	RSP_INK_HEADER,	  /* of a panel */
	RSP_INK_FOCUSED,  /* the same, of the panel that keys act on */
	RSP_INK_SELECTED, /* a row */
	RSP_INK_NOTICE,
	RSP_INK_KEYS,
};

#define RSP_SCREEN_COLS_MAX 250

struct rsp_screen_line {
	char text[RSP_SCREEN_COLS_MAX * 4 + 1]; /* clean UTF-8 */
	enum rsp_screen_ink ink;
	__u32 tgid; /* of a row: its process; 0: none */
};

struct rsp_screen_how {
	unsigned int cols, rows; /* of the terminal */
	enum rsp_panel focus;
	bool zoomed;		       /* only the focused panel */
	unsigned int sort[RSP_PANELS]; /* key of each panel */
	unsigned int selected;	       /* row of the focused panel, from 0 */
	const char *filter;	       /* only rows that contain it, whatever the case; "": all */
	bool is_frozen;
	const char *notice; /* what the user has to know now; "": nothing */
	const char *cost;   /* "recorder 0.5 % of all CPUs, top 0.4 % of a CPU" */
	const char *clock;  /* "14:02:11" */
	__u64 interval_ns;
	/* The name of a cgroup; NULL: unknown. */
	const char *(*cgroup)(__u64 id, void *userdata);
	void *userdata;
};

struct rsp_screen {
	struct rsp_screen_line *v;
	size_t cnt, cap;
	unsigned int selected; /* the row that is selected: at most the last one */
	__u32 selected_tgid;   /* 0: none */
};

/* At most how->rows lines, none wider than how->cols. 0 or -ENOMEM. */
int rsp_screen_make(const struct rsp_live_view *view, const struct rsp_screen_how *how,
		    struct rsp_screen *ret);
void rsp_screen_done(struct rsp_screen *screen);

/* Prints all lists to a file, each with at most row_max rows. 0 or -ENOMEM. */
int rsp_screen_print(const struct rsp_live_view *view, const struct rsp_screen_how *how,
		     size_t row_max, FILE *out);

#endif
