/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a private directory for a page, and shows the page in a browser with xdg-open(1). */
#ifndef RSP_CLI_BROWSER_H
#define RSP_CLI_BROWSER_H

/*
 * Makes a new directory that only this user can read. Sets *ret to the path of a file in this
 * directory, but does not make the file. The caller frees *ret. Returns an enum rsp_exit.
 */
int rsp_browser_name(char **ret);
/* Removes the directory that rsp_browser_name() made, if it is still empty. Accepts NULL. */
void rsp_browser_forget(const char *name);
/*
 * Prints the address of a page, and shows the file in a browser. Other users can read the name of
 * the file in the arguments of xdg-open. Returns an enum rsp_exit.
 */
int rsp_browser_open(const char *address, const char *file);

#endif
