/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the work that the process of interest started and did not wait for: the work of threads
 * that it created or woke, until they slept for a reason other than a disk.
 */
#ifndef RSP_LIB_HANDOFFS_H
#define RSP_LIB_HANDOFFS_H

#include "lib/model/attribute/paths.h"
#include "lib/model/explain/explain-parts.h"

/* Fills ret->handoffs. Returns 0 or -ENOMEM. */
int rsp_handoffs_find(struct rsp_explain *x, const struct rsp_paths *p,
		      struct rsp_path_profile *ret);

#endif
