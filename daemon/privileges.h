/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Root's rights -> those that a process of rspd has work for. docs/security.md has the table. */
#ifndef RSP_DAEMON_PRIVILEGES_H
#define RSP_DAEMON_PRIVILEGES_H

#include <linux/capability.h>
#include <stdint.h>

#define RSP_PRIVILEGE(cap) (1ULL << (cap))

/* To start rsp-worker from a build tree in a directory that is closed to others. */
#define RSP_PRIVILEGES_FIND RSP_PRIVILEGE(CAP_DAC_READ_SEARCH)

/* To open what any process has mapped (map_files), though only its owner may read it. */
#define RSP_PRIVILEGES_OPEN                                                                        \
	(RSP_PRIVILEGE(CAP_SYS_PTRACE) | RSP_PRIVILEGE(CAP_CHECKPOINT_RESTORE) |                   \
	 RSP_PRIVILEGE(CAP_DAC_READ_SEARCH))

/* To store into another user's directory. The unit does not grant it: rspd's store is its own. */
#define RSP_PRIVILEGES_STORE RSP_PRIVILEGE(CAP_DAC_OVERRIDE)

/* Of rspd at work and of a snapshot's process: to start the process that opens files, to store. */
#define RSP_PRIVILEGES_RECORD (RSP_PRIVILEGES_OPEN | RSP_PRIVILEGES_STORE)

/* To make maps, to attach probes, to see the addresses of the kernel's functions. */
#define RSP_PRIVILEGES_HELP                                                                        \
	(RSP_PRIVILEGE(CAP_BPF) | RSP_PRIVILEGE(CAP_PERFMON) | RSP_PRIVILEGE(CAP_SYSLOG))

/*
 * Gives up all other capabilities for good, for this process and all that it starts: from every
 * set, with no new privileges ever after. Does not add what is missing: whatever fails without it
 * reports that. To be called before the process is renamed, so that its name implies its rights.
 * 0 or -errno.
 */
int rsp_privileges_keep(uint64_t set);

#endif
