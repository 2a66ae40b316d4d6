/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows a user at a terminal why a command takes long: a line on stderr, which appears after a
 * second and is erased at the end.
 */
#ifndef RSP_CLI_PROGRESS_H
#define RSP_CLI_PROGRESS_H

/* text: short and without a full stop. Does nothing if stderr is not a terminal. */
void rsp_progress_begin(const char *text);
void rsp_progress_end(void);
/*
 * Erases the line, and keeps it from appearing: a child of the process that began is about to print
 * its result. Makes only system calls that the sandbox allows.
 */
void rsp_progress_hide(void);

#endif
