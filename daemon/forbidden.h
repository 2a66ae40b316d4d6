/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports of rsp-worker about forbidden system calls (lib/sandbox) -> the journal, each call once,
 * whichever of rspd's processes received the report. A worker may lie: what it can add to the
 * journal is bounded.
 */
#ifndef RSP_DAEMON_FORBIDDEN_H
#define RSP_DAEMON_FORBIDDEN_H

/* Before rspd forks. Without it, or without memory, each process of rspd logs a call once. */
void rsp_forbidden_init(void);

void rsp_forbidden_log(int nr);

#endif
