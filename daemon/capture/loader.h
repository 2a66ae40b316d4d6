/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads the programs into the kernel. If the kernel rejects any of them, tries each feature alone
 * and leaves out the rejected ones. The ladder keeps the kernel's reason for each rejection.
 */
#ifndef RSP_DAEMON_LOADER_H
#define RSP_DAEMON_LOADER_H

#include "daemon/capture/ladder.h"

struct rsp_bpf;

struct rsp_loading {
	const char *btf_path; /* the kernel's types */
	enum rsp_net_step net;
	bool never_pauses; /* load no programs for pauses */
	/* Sets the knobs of an opened object. 0 or -errno. */
	int (*prepare)(struct rsp_bpf *bpf, void *userdata);
	void *userdata;
};

/*
 * ladder: zeroed by the caller, filled here. Returns 0; or -errno and *ret_why if the kernel
 * rejected even the programs for switches and wakeups.
 */
int rsp_load(const struct rsp_loading *loading, struct rsp_ladder *ladder, struct rsp_bpf **ret,
	     struct rsp_reason *ret_why);

/*
 * Attaches the loaded programs, except those that other modules attach (samples and functions), and
 * those that are attached already. halted: attaches only iterators. If one program of a feature
 * cannot be attached, the whole feature is left out. Errors as for rsp_load().
 */
int rsp_attach(struct rsp_bpf *bpf, struct rsp_ladder *ladder, bool halted,
	       struct rsp_reason *ret_why);
/* Detaches the programs that rsp_attach() attaches, except iterators. */
void rsp_detach_events(struct rsp_bpf *bpf);

/*
 * Attaches or detaches the program with this name, which must exist. Does nothing if the program is
 * not loaded, or already attached or detached. Returns 0 or -errno.
 */
int rsp_attach_program(struct rsp_bpf *bpf, const char *name);
void rsp_detach_program(struct rsp_bpf *bpf, const char *name);

/* Returns whether the program with this name, which must exist, is loaded. */
bool rsp_is_loaded(struct rsp_bpf *bpf, const char *name);

/*
 * Finds the reason why a program was rejected: the field that the kernel lacks, or else the last
 * line of the log, or else the errno as text. error: a positive errno; log: the verifier's log.
 */
void rsp_load_reason(int error, const char *log, struct rsp_reason *ret);

/* If the kernel is too old, adds this to the reason. release: from uname(2). */
void rsp_load_add_version(const char *release, struct rsp_reason *reason);

#endif
