/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs -> the kernel. If the kernel rejects them as they are, each feature is tried alone;
 * those that it rejects are left out, each with the kernel's own reason in the ladder.
 */
#ifndef RSP_DAEMON_LOADER_H
#define RSP_DAEMON_LOADER_H

#include "ladder.h"

struct rsp_bpf;

struct rsp_loading {
	const char *btf_path; /* the kernel's types */
	enum rsp_net_step net;
	/* Sets the knobs of an opened object. 0 or -errno. */
	int (*prepare)(struct rsp_bpf *bpf, void *userdata);
	void *userdata;
};

/*
 * Fills the ladder, which lies zeroed. 0, or -errno and *ret_why if not even switches and wakeups
 * can be recorded.
 */
int rsp_load(const struct rsp_loading *loading, struct rsp_ladder *ladder, struct rsp_bpf **ret,
	     struct rsp_reason *ret_why);

/*
 * Attaches what was loaded, but for programs that are attached to things given later. A feature of
 * which a program cannot be attached is left out as a whole. Errors as above.
 */
int rsp_attach(struct rsp_bpf *bpf, struct rsp_ladder *ladder, struct rsp_reason *ret_why);

/*
 * One line for errno and the verifier's log of the program it rejected. The field that a program
 * reads and the kernel lacks, if that is why; else the last that the verifier said; else errno.
 */
void rsp_load_reason(int error, const char *log, struct rsp_reason *ret);

/* Adds to the reason that the kernel is too old, if it is; release: as uname(2) says. */
void rsp_load_add_version(const char *release, struct rsp_reason *reason);

#endif
