/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IDs of cgroups -> their names, as `rspctl top` shows them. Reads the tree of cgroups when an ID
 * is new, at most every few seconds. */
#ifndef RSP_CLI_TOP_CGROUPS_H
#define RSP_CLI_TOP_CGROUPS_H

#include <linux/types.h>

struct rsp_top_cgroups;

int rsp_top_cgroups_new(struct rsp_top_cgroups **ret); /* 0 or -ENOMEM */
struct rsp_top_cgroups *rsp_top_cgroups_free(struct rsp_top_cgroups *c);
/* "nginx.service"; NULL: unknown. Clean; valid until the next call. */
const char *rsp_top_cgroups_name(struct rsp_top_cgroups *c, __u64 id);

#endif
