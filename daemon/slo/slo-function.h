/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attaches probes to the entry and return of a function in a file, as soon as the file exists, and
 * again after the file was replaced.
 */
#ifndef RSP_DAEMON_SLO_FUNCTION_H
#define RSP_DAEMON_SLO_FUNCTION_H

#include <linux/types.h>

struct rsp_slo_function;

/*
 * Call it after rsp_helper_set_programs() has set the programs of the probes. Returns NULL if
 * memory runs out.
 */
struct rsp_slo_function *rsp_slo_function_new(const char *file, const char *name, __u32 rule);
struct rsp_slo_function *rsp_slo_function_free(struct rsp_slo_function *f);

/*
 * Call it about once a second. Returns NULL if the probes are attached; otherwise one sentence with
 * the reason, valid until the next call.
 */
const char *rsp_slo_function_look(struct rsp_slo_function *f);

#endif
