/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads the BPF programs into the kernel. If the kernel rejects a program, tries the features one
 * by one and leaves out the rejected features.
 */
#ifndef RSP_DAEMON_LOADER_H
#define RSP_DAEMON_LOADER_H

#include "daemon/capture/ladder.h"

struct rsp_bpf;

struct rsp_loading {
	const char *btf_path; /* the kernel's types */
	enum rsp_net_step net;
	bool never_pauses; /* load no programs for pauses */
	/* Sets the settings (rodata) of an opened object. Returns 0 or -errno. */
	int (*prepare)(struct rsp_bpf *bpf, void *userdata);
	void *userdata;
};

/*
 * ladder: zeroed by the caller, filled by this function. Returns 0; or -errno, with the reason in
 * *ret_why.
 */
int rsp_load(const struct rsp_loading *loading, struct rsp_ladder *ladder, struct rsp_bpf **ret,
	     struct rsp_reason *ret_why);

/*
 * Attaches the loaded programs, except those that other modules attach (samples, functions and
 * watches). Skips programs that are attached already. halted: attaches only iterators. If one
 * program of a feature cannot be attached, the whole feature is left out. Returns 0; or -errno and
 * *ret_why if an indispensable feature cannot be attached.
 */
int rsp_attach(struct rsp_bpf *bpf, struct rsp_ladder *ladder, bool halted,
	       struct rsp_reason *ret_why);
/* Detaches all programs except iterators. */
void rsp_detach_events(struct rsp_bpf *bpf);

/*
 * The program must exist. Does nothing if the program is not loaded, or is attached (detached)
 * already. rsp_attach_program() returns 0 or -errno.
 */
int rsp_attach_program(struct rsp_bpf *bpf, const char *name);
void rsp_detach_program(struct rsp_bpf *bpf, const char *name);

/* Returns whether the program with this name, which must exist, is loaded. */
bool rsp_is_loaded(struct rsp_bpf *bpf, const char *name);

/* Finds the reason why a program was rejected. error: a positive errno; log: the verifier's log. */
void rsp_load_reason(int error, const char *log, struct rsp_reason *ret);

/* If the kernel is older than rspd requires, adds this to the reason. release: from uname(2). */
void rsp_load_add_version(const char *release, struct rsp_reason *reason);

#endif
