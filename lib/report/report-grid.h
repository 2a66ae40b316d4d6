/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints rows of cells as aligned columns that fit the terminal. If rows are too wide, columns are
 * dropped and names are shortened. Text in the last column continues on the next line.
 */
#ifndef RSP_LIB_REPORT_GRID_H
#define RSP_LIB_REPORT_GRID_H

#include "lib/report/report-pen.h"

#define RSP_GRID_COLUMN_MAX 16

struct rsp_grid_column {
	const char *head;
	enum rsp_grid_kind {
		RSP_GRID_END, /* ends the array of columns */
		RSP_GRID_NUMBER,
		RSP_GRID_WORD, /* short text, left-aligned, never cut */
		RSP_GRID_NAME,
		RSP_GRID_TEXT, /* only the last column: left-aligned, wrapped at spaces */
	} kind;
	bool may_go; /* this column may be dropped; the last such column goes first */
};

struct rsp_grid {
	const struct rsp_grid_column *columns;
	size_t column_cnt;
	struct {
		char **v; /* all rows one after the other, without control characters */
		size_t cnt, cap;
	} cells;
	size_t width[RSP_GRID_COLUMN_MAX]; /* 0: dropped */
	int error;			   /* first error, or 0 */
};

void rsp_grid_init(struct rsp_grid *g, const struct rsp_grid_column *columns);
void rsp_grid_done(struct rsp_grid *g);

/* Adds the next cell. Cells are added row by row, from left to right. */
void rsp_grid_add(struct rsp_grid *g, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Adds a cell with a time, or a dash for 0. */
void rsp_grid_add_ns(struct rsp_grid *g, __u64 ns);
void rsp_grid_add_cnt(struct rsp_grid *g, __u64 n);
void rsp_grid_add_bytes(struct rsp_grid *g, __u64 bytes);

/* Prints the header and all rows. Returns 0 or -ENOMEM. */
int rsp_grid_print(struct rsp_grid *g, const struct rsp_pen *pen);
/* Returns whether the printed grid contains the column with this head. */
bool rsp_grid_has(const struct rsp_grid *g, const char *head);

#endif
