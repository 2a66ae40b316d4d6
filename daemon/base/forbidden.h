/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Logs reports of rsp-worker about forbidden system calls (lib/sandbox): each system call once. A
 * worker may lie, so the number of entries is limited.
 */
#ifndef RSP_DAEMON_FORBIDDEN_H
#define RSP_DAEMON_FORBIDDEN_H

/*
 * Makes a table of the logged calls, which all processes of rspd share. Call it before rspd forks.
 */
void rsp_forbidden_init(void);

void rsp_forbidden_log(int nr);

#endif
