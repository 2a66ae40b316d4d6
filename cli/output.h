/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that print tables and JSON on stdout, and check that the output was written. */
#ifndef RSP_CLI_OUTPUT_H
#define RSP_CLI_OUTPUT_H

#include "cli/rspctl.h"

struct json_object;

#define RSP_TABLE_COLUMN_MAX 9

struct rsp_table {
	size_t column_cnt;
	struct {
		char **v; /* row by row */
		size_t cnt, cap;
	} cells;
	size_t width[RSP_TABLE_COLUMN_MAX];
	unsigned int columns; /* the last column is wrapped at this width; 0: never */
	bool failed;	      /* memory ran out: the table is incomplete */
};

void rsp_table_init(struct rsp_table *t, size_t column_cnt);
void rsp_table_done(struct rsp_table *t);
/*
 * Cells are added row by row, each row from left to right. Removes control characters, because the
 * text is not trusted.
 */
void rsp_table_add(struct rsp_table *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Prints all rows. Returns an enum rsp_exit. */
int rsp_table_print(const struct rsp_table *t);

/*
 * Writes a time like "Sat 2026-11-21 02:12:00 UTC" to buf, in the user's time zone. buf has
 * RSP_OUTPUT_TIME_MAX bytes. Returns buf.
 */
#define RSP_OUTPUT_TIME_MAX 64
char *rsp_output_time(int64_t realtime_ns, char *buf);
/*
 * Writes a time in a short form for columns of tables, like "2026-11-21 02:12:00". --since accepts
 * this form.
 */
char *rsp_output_short_time(int64_t realtime_ns, char *buf);

/*
 * Returns $COLUMNS, or else the width of the terminal on stdout, or 0 if stdout is not a terminal.
 * All calls return the value of the first call, because stdout may later be a pager, and the
 * sandbox does not let a process query the terminal.
 */
unsigned int rsp_output_width(void);
bool rsp_output_wants_colour(void);

/* Prints o, and drops the caller's reference to it. Returns an enum rsp_exit. */
int rsp_output_json(struct json_object *o, enum rsp_json_mode mode);
/* Flushes stdout, and reports errors such as a full disk. Returns an enum rsp_exit. */
int rsp_output_flush(void);

#endif
