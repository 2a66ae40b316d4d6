/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides from a TASK record who owns a thread. */
#ifndef RSP_LIB_OWNER_H
#define RSP_LIB_OWNER_H

#include <stdbool.h>
#include <sys/types.h>

#include "rsp/event.h"

/* A kernel thread that works for a process (an io_uring worker) belongs to the process. */
static inline bool rsp_task_is_kernel(const struct rsp_ev_task *task)
{
	return task->attrs & RSP_TASK_ATTR_KTHREAD && !(task->attrs & RSP_TASK_ATTR_LENT);
}

/* Redaction sets RSP_TASK_ATTR_CLOSED for tasks of other users. */
static inline bool rsp_task_is_open(const struct rsp_ev_task *task)
{
	return !rsp_task_is_kernel(task) && !(task->attrs & RSP_TASK_ATTR_CLOSED);
}

/* Returns whether the user may see the task's activity. */
static inline bool rsp_task_is_of(const struct rsp_ev_task *task, uid_t uid)
{
	return rsp_task_is_open(task) && task->uid == uid;
}

#endif
