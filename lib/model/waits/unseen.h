/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits whose end was not recorded: the kernel may skip the BPF program of a wakeup, and the wakeup
 * does not count as lost. Other waits of the thread show the probable cause.
 */
#ifndef RSP_LIB_UNSEEN_H
#define RSP_LIB_UNSEEN_H

#include "lib/model/model.h"

/*
 * Returns true if the system call of the blocked span i has a timeout, and nearly all other waits
 * of the thread that began at the same place, and were about as long, ended with a timeout.
 */
bool rsp_unseen_is_timeout(const struct rsp_thread *t, size_t i);

#endif
