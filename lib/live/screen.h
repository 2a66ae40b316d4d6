/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A view -> lines of text, for a terminal of any size or for a file. The lines depend only on the
 * view and on struct rsp_screen_how, which the keys change.
 */
#ifndef RSP_LIB_LIVE_SCREEN_H
#define RSP_LIB_LIVE_SCREEN_H

#include <stdio.h>

#include "lib/live/view.h"

enum rsp_panel {
	RSP_PANEL_FUNCTIONS,
	RSP_PANEL_WAITERS,
	RSP_PANEL_REQUESTS,
	RSP_PANEL_TIMES,
	RSP_PANELS,
};

const char *rsp_panel_name(enum rsp_panel panel);

/* Returns the name of a panel's sort key, counted from 0, or "" after the last one. */
const char *rsp_panel_sort_name(enum rsp_panel panel, unsigned int key);

enum rsp_screen_ink {
	RSP_INK_PLAIN,
	RSP_INK_TITLE,
	RSP_INK_HEADER,	  /* header of a panel */
	RSP_INK_FOCUSED,  /* header of the panel on which keys act */
	RSP_INK_SELECTED, /* selected row */
	RSP_INK_NOTICE,
	RSP_INK_KEYS,
};

#define RSP_SCREEN_COLS_MAX 250

struct rsp_screen_line {
	char text[RSP_SCREEN_COLS_MAX * 4 + 1]; /* clean UTF-8 */
	enum rsp_screen_ink ink;
	__u32 tgid; /* process of a row; 0: none */
};

struct rsp_screen_how {
	unsigned int cols, rows; /* size of the terminal */
	enum rsp_panel focus;
	bool zoomed;		       /* show only the focused panel */
	unsigned int sort[RSP_PANELS]; /* sort key of each panel */
	unsigned int selected;	       /* row of the focused panel, from 0 */
	const char *filter;	       /* text that rows contain, ignoring case; "": all rows */
	bool is_frozen;
	bool ignores_budget; /* the recorder records all of the time */
	const char *notice;  /* message for the user; "": none */
	const char *cost;    /* "recorder 0.5 % of all CPUs, top 0.4 % of a CPU" */
	const char *clock;   /* "14:02:11" */
	__u64 interval_ns;
	/* Returns the name of a cgroup, or NULL if it is unknown. */
	const char *(*cgroup)(__u64 id, void *userdata);
	void *userdata;
};

struct rsp_screen {
	struct rsp_screen_line *v;
	size_t cnt, cap;
	unsigned int selected; /* selected row, at most the last row */
	__u32 selected_tgid;   /* process of the selected row; 0: none */
};

/* Makes at most how->rows lines, none wider than how->cols. Returns 0 or -ENOMEM. */
int rsp_screen_make(const struct rsp_live_view *view, const struct rsp_screen_how *how,
		    struct rsp_screen *ret);
void rsp_screen_done(struct rsp_screen *screen);

/* Prints all lists to a file, each with at most row_max rows. Returns 0 or -ENOMEM. */
int rsp_screen_print(const struct rsp_live_view *view, const struct rsp_screen_how *how,
		     size_t row_max, FILE *out);

#endif
