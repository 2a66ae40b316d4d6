/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the names of cgroups by their IDs, for `rspctl top`. Reads the tree of cgroups when an ID
 * is new, but at most once every few seconds.
 */
#ifndef RSP_CLI_TOP_CGROUPS_H
#define RSP_CLI_TOP_CGROUPS_H

#include <linux/types.h>

struct rsp_top_cgroups;

int rsp_top_cgroups_new(struct rsp_top_cgroups **ret); /* returns 0 or -ENOMEM */
struct rsp_top_cgroups *rsp_top_cgroups_free(struct rsp_top_cgroups *c);
/*
 * Returns a clean name like "nginx.service", or NULL if the ID is unknown. The name is valid until
 * the next call.
 */
const char *rsp_top_cgroups_name(struct rsp_top_cgroups *c, __u64 id);

#endif
