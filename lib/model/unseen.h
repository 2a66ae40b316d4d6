/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits whose end was not recorded. A kernel may run no programs while some task has the CPU, or
 * may skip one: then nobody is seen to end a wait, though nothing counts as lost. Until its thread
 * was seen again the wait lasted; what ended it is inferred from its own earlier and later waits.
 */
#ifndef RSP_LIB_UNSEEN_H
#define RSP_LIB_UNSEEN_H

#include "model.h"

/*
 * Whether the thread's blocked span i, which nobody ended, was likely to end at its timeout: the
 * call has one, and nearly all of the thread's waits at the same place that lasted as long ended at
 * theirs.
 */
bool rsp_unseen_is_timeout(const struct rsp_thread *t, size_t i);

#endif
