/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A page in the user's browser: a private file for it, and xdg-open(1) to show it. */
#ifndef RSP_CLI_BROWSER_H
#define RSP_CLI_BROWSER_H

/*
 * Names a file in a new directory that only this user can read; the file itself is not made.
 * Returns an enum rsp_exit; *ret is the caller's (free).
 */
int rsp_browser_name(char **ret);
/* Removes the directory of a file that was not made. NULL: none. */
void rsp_browser_forget(const char *name);
/* Prints where the page is, and shows it. what: a path or URL. Returns an enum rsp_exit. */
int rsp_browser_open(const char *what);

#endif
