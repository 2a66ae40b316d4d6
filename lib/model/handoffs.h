/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the process of interest set going and did not wait for: threads that it made or woke, and
 * what they did then, until they slept for anything but a disk, if that is on none of its paths.
 */
#ifndef RSP_LIB_HANDOFFS_H
#define RSP_LIB_HANDOFFS_H

#include "explain-parts.h"
#include "paths.h"

/* Fills ret->handoffs. 0 or -ENOMEM. */
int rsp_handoffs_find(struct rsp_explain *x, const struct rsp_paths *p,
		      struct rsp_path_profile *ret);

#endif
