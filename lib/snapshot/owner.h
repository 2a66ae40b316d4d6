/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose a thread is, as one TASK record has it. */
#ifndef RSP_LIB_OWNER_H
#define RSP_LIB_OWNER_H

#include <stdbool.h>
#include <sys/types.h>

#include "rsp/event.h"

/* A thread of the kernel's own, not one that a process lends it. */
static inline bool rsp_task_is_kernel(const struct rsp_ev_task *task)
{
	return task->attrs & RSP_TASK_ATTR_KTHREAD && !(task->attrs & RSP_TASK_ATTR_LENT);
}

/* The user may look into it. */
static inline bool rsp_task_is_of(const struct rsp_ev_task *task, uid_t uid)
{
	return !rsp_task_is_kernel(task) && task->uid == uid &&
	       !(task->attrs & RSP_TASK_ATTR_CLOSED);
}

#endif
