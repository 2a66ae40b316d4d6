/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks a new rsp-worker about one file. These functions block: call them in a child of the
 * recorder, never in its event loop.
 */
#ifndef RSP_DAEMON_INQUIRY_H
#define RSP_DAEMON_INQUIRY_H

#include <linux/types.h>

#include "lib/containers/state.h"
#include "rsp/allocator.h"
#include "rsp/event.h"

/*
 * Returns 0; -ENOENT: there is no such function; other errors of rsp_session_query(). Waits at most
 * five seconds.
 */
int rsp_inquiry_find_function(int fd, const char *name, __u64 *ret_offset);
/* Like rsp_allocator_find(). Waits at most five seconds. */
int rsp_inquiry_find_allocator(int fd, __u64 ret_offsets[RSP_ALLOC_CNT]);
/*
 * Like rsp_container_state_read(). Waits at most five seconds. In *ret, sets only the names, which
 * rsp_container_name_ok() has accepted.
 */
int rsp_inquiry_name_container(int fd, enum rsp_container_state form, const char *id,
			       struct rsp_ev_container *ret);

#endif
