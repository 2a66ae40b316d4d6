/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function in a file -> probes at its entry and return, as soon as the file is there, and again
 * when it was replaced. Where the function lies is found by a child: files are parsed elsewhere,
 * and that may take seconds.
 */
#ifndef RSP_DAEMON_SLO_FUNCTION_H
#define RSP_DAEMON_SLO_FUNCTION_H

#include <linux/types.h>

struct bpf_program;
struct rsp_slo_function;

/* BPF_TRACE_UPROBE_MULTI of <linux/bpf.h>, of 6.6: what the programs were loaded for, or uprobes.
 */
#define RSP_UPROBE_MULTI 48

struct rsp_slo_function_programs {
	struct bpf_program *entry, *return_; /* attached with the rule's number as their cookie */
};

struct rsp_slo_function *rsp_slo_function_new(const char *file, const char *name, __u32 rule,
					      const struct rsp_slo_function_programs *programs);
struct rsp_slo_function *rsp_slo_function_free(struct rsp_slo_function *f);

/*
 * Looks for the file, or what became of it; to be called about once a second. NULL: the probes are
 * there; else one sentence, valid until the next call: why not.
 */
const char *rsp_slo_function_look(struct rsp_slo_function *f);

#endif
