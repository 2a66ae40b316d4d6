/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reduces root's privileges to those that a process of rspd needs. */
#ifndef RSP_DAEMON_PRIVILEGES_H
#define RSP_DAEMON_PRIVILEGES_H

#include <linux/capability.h>
#include <stdint.h>

#define RSP_PRIVILEGE(cap) (1ULL << (cap))

/* Needed to start rsp-worker from a build tree below a directory that other users cannot read. */
#define RSP_PRIVILEGES_FIND RSP_PRIVILEGE(CAP_DAC_READ_SEARCH)

/*
 * Needed to open any file that a process has mapped (map_files), even if only its owner may read
 * it.
 */
#define RSP_PRIVILEGES_OPEN                                                                        \
	(RSP_PRIVILEGE(CAP_SYS_PTRACE) | RSP_PRIVILEGE(CAP_CHECKPOINT_RESTORE) |                   \
	 RSP_PRIVILEGE(CAP_DAC_READ_SEARCH))

/* Needed to write to a store that belongs to another user. */
#define RSP_PRIVILEGES_STORE RSP_PRIVILEGE(CAP_DAC_OVERRIDE)

/* Needed by rspd while it records, and by the process that makes a snapshot. */
#define RSP_PRIVILEGES_RECORD (RSP_PRIVILEGES_OPEN | RSP_PRIVILEGES_STORE)

/* Needed to create maps, attach probes, and read the addresses of kernel functions. */
#define RSP_PRIVILEGES_HELP                                                                        \
	(RSP_PRIVILEGE(CAP_BPF) | RSP_PRIVILEGE(CAP_PERFMON) | RSP_PRIVILEGE(CAP_SYSLOG))

/*
 * Drops all capabilities that are not in set, for good, for this process and all processes that it
 * starts. Sets no_new_privs. Call it before the process is renamed, so that the name of a process
 * implies its privileges. Returns 0 or -errno.
 */
int rsp_privileges_keep(uint64_t set);

#endif
