/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The panels of a screen (lib/live/screen.h), and their rows. */
#ifndef RSP_LIB_LIVE_SCREEN_ROWS_H
#define RSP_LIB_LIVE_SCREEN_ROWS_H

#include "lib/live/view.h"

enum rsp_panel {
	RSP_PANEL_FUNCTIONS,
	RSP_PANEL_WAITERS,
	RSP_PANEL_REQUESTS,
	RSP_PANEL_TIMES,
	RSP_PANELS,
};

/* Returns "" if there is no key with this number. Keys count from 0. */
const char *rsp_panel_sort_name(enum rsp_panel panel, unsigned int key);

struct rsp_screen_how {
	unsigned int cols, rows; /* columns and rows of the terminal */
	enum rsp_panel focus;
	bool zoomed;		       /* show only the panel in focus */
	unsigned int sort[RSP_PANELS]; /* number of each panel's sort key */
	unsigned int selected;	       /* index of a row in the panel in focus */
	const char *filter;	       /* show rows with this text, ignoring case; "": all */
	bool is_frozen;
	bool ignores_budget; /* the recorder does not pause to stay within its budget */
	const char *notice;  /* a message to the user; "": none */
	const char *cost;    /* like "recorder 0.5 % of all CPUs, top 0.4 % of a CPU" */
	const char *clock;   /* time of day, like "14:02:11" */
	__u64 interval_ns;
	/* Returns the name of a cgroup, or NULL if it is unknown. */
	const char *(*cgroup)(__u64 id, void *userdata);
	void *userdata;
};

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
/* Returns the column at which a row continues if it is too long for one line. */
unsigned int rsp_rows_indent(enum rsp_panel panel, const struct rsp_screen_how *how);

#endif
