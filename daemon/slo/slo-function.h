/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function in a file -> probes at its entry and return, as soon as the file is there, and again
 * when it was replaced. Where the function lies is found by a child: files are parsed elsewhere,
 * and that may take seconds.
 */
#ifndef RSP_DAEMON_SLO_FUNCTION_H
#define RSP_DAEMON_SLO_FUNCTION_H

#include <linux/types.h>

struct rsp_slo_function;

/* The helper has the probes' programs (rsp_helper_set_programs()); rule is their cookie. */
struct rsp_slo_function *rsp_slo_function_new(const char *file, const char *name, __u32 rule);
struct rsp_slo_function *rsp_slo_function_free(struct rsp_slo_function *f);

/*
 * Looks for the file, or what became of it; to be called about once a second. NULL: the probes are
 * there; else one sentence, valid until the next call: why not.
 */
const char *rsp_slo_function_look(struct rsp_slo_function *f);

#endif
