/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A snapshot -> what one user may see of it: threads of other users stay as steps of a chain, with
 * their ids, uid and times, but without names, stacks, files, addresses and sockets.
 */
#ifndef RSP_LIB_REDACT_H
#define RSP_LIB_REDACT_H

#include <sys/types.h>

#include "snapshot.h"

/*
 * Makes another one of it, symbols included; nothing of what was in snap reaches that which is not
 * known to be the user's. Whose a thread is, its TASK records say: the user's if all of them do;
 * or from the moment on that it began a new program as the user's, after which none says otherwise.
 * Kernel threads are nobody's: their names and kernel stacks stay. A task that no record tells of
 * is another's. Addresses of the kernel become 0, those that stand for the name of a function a
 * number. Tasks that are another's are marked as closed. 0; -EACCES: the process of interest is not
 * the user's; -ENOMEM, -E2BIG.
 */
int rsp_redact(const struct rsp_snapshot *snap, uid_t uid, struct rsp_snapshot **ret);

#endif
