/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows a user at a terminal why a command takes long. A line appears on stderr after a second, and
 * is erased at the end.
 */
#ifndef RSP_CLI_PROGRESS_H
#define RSP_CLI_PROGRESS_H

/* Does nothing if stderr is not a terminal. */
void rsp_progress_begin(const char *text);
void rsp_progress_end(void);
/*
 * Erases the line, and keeps it from appearing again. A child calls this function before it prints
 * its result.
 */
void rsp_progress_hide(void);

#endif
