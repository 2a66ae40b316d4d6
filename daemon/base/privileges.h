/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reduces root's privileges to those that a process of rspd needs. docs/security.md has the table.
 */
#ifndef RSP_DAEMON_PRIVILEGES_H
#define RSP_DAEMON_PRIVILEGES_H

#include <linux/capability.h>
#include <stdint.h>

#define RSP_PRIVILEGE(cap) (1ULL << (cap))

/* To start rsp-worker if it is in a build tree, below a directory that other users cannot read. */
#define RSP_PRIVILEGES_FIND RSP_PRIVILEGE(CAP_DAC_READ_SEARCH)

/* To open files that any process has mapped (map_files), even if only their owner may read them. */
#define RSP_PRIVILEGES_OPEN                                                                        \
	(RSP_PRIVILEGE(CAP_SYS_PTRACE) | RSP_PRIVILEGE(CAP_CHECKPOINT_RESTORE) |                   \
	 RSP_PRIVILEGE(CAP_DAC_READ_SEARCH))

/*
 * To write to a store that belongs to another user. The unit does not grant this, because rspd owns
 * its store.
 */
#define RSP_PRIVILEGES_STORE RSP_PRIVILEGE(CAP_DAC_OVERRIDE)

/*
 * For rspd while it records, and for the process of a snapshot: to start the process that opens
 * files, and to write to the store.
 */
#define RSP_PRIVILEGES_RECORD (RSP_PRIVILEGES_OPEN | RSP_PRIVILEGES_STORE)

/* To create maps, attach probes, and read the addresses of kernel functions. */
#define RSP_PRIVILEGES_HELP                                                                        \
	(RSP_PRIVILEGE(CAP_BPF) | RSP_PRIVILEGE(CAP_PERFMON) | RSP_PRIVILEGE(CAP_SYSLOG))

/*
 * Drops all other capabilities for good, from every set, for this process and all processes that it
 * starts. Sets no_new_privs. Does not add missing capabilities: the operation that needs one fails
 * and reports that. Call it before the process is renamed, so that the name of a process implies
 * its privileges. 0 or -errno.
 */
int rsp_privileges_keep(uint64_t set);

#endif
