/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files behind loops.h. */
#ifndef RSP_LIB_LOOPS_PARTS_H
#define RSP_LIB_LOOPS_PARTS_H

#include "loops.h"

/* Data that arrives wakes a thread within this time, in the same interrupt. */
#define RSP_WAKE_NS_MAX 50000

/*
 * Adds the threads of m->callers that share requests with others of their process to ret: tid ->
 * tgid. Returns 0 or -ENOMEM.
 */
int rsp_loops_find_shared(const struct rsp_model *m, struct rsp_idmap *ret);

#endif
