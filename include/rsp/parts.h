/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of the BPF programs that a kernel may reject one by one. Each part reads members of kernel
 * structures that no other code of the programs needs. The verifier skips a part whose bit is
 * clear, so a missing member does no harm.
 *
 * Included by BPF programs and by user space.
 */
#ifndef RSP_PARTS_H
#define RSP_PARTS_H

enum rsp_part {
	RSP_PART_SYSCALLS = 1 << 0, /* the system call in which a task waits */
	RSP_PART_FILES = 1 << 1,    /* the file or socket on which the system call waits */
	RSP_PART_STACKS = 1 << 2,   /* user stacks */
	RSP_PART_QUOTAS = 1 << 3,   /* CPU quotas of cgroups */
	RSP_PART_LIMITS = 1 << 4,   /* limits on latencies (SLOs) */
	RSP_PART_PAGES = 1 << 5,    /* the file to which a disk request belongs */
	RSP_PART_TASKS = 1 << 6,    /* TASK records of delayed name changes */
	RSP_PART_NAGLE = 1 << 7,    /* whether TCP holds data back (Nagle's algorithm) */
	RSP_PART_UNIX = 1 << 8,	    /* messages over unix sockets */
	RSP_PART_STOLEN = 1 << 9,   /* time that the hypervisor took while a task was on a CPU */
};

#define RSP_PARTS_ALL 0x3ff

#endif
