/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits whose end was not recorded. A kernel may run no BPF programs in the context of some tasks,
 * or may skip one: then a wakeup is not recorded, though no record counts as lost. The wait lasted
 * until the thread was seen again. Its cause is inferred from earlier and later waits of the
 * thread.
 */
#ifndef RSP_LIB_UNSEEN_H
#define RSP_LIB_UNSEEN_H

#include "lib/model/model.h"

/*
 * Whether the thread's blocked span i, which has no recorded wakeup, probably ended with its
 * timeout: the call has a timeout, and nearly all of the thread's waits at the same place that
 * lasted as long ended with theirs.
 */
bool rsp_unseen_is_timeout(const struct rsp_thread *t, size_t i);

#endif
