/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Questions about one file, which a new rsp-worker answers. These functions block: call them in a
 * child of the recorder, never in its event loop.
 */
#ifndef RSP_DAEMON_INQUIRY_H
#define RSP_DAEMON_INQUIRY_H

#include <linux/types.h>

#include "lib/containers/state.h"
#include "rsp/allocator.h"
#include "rsp/event.h"

/*
 * Finds the offset of a function in its file, for a uprobe. fd: the file. 0; -ENOENT: there is no
 * such function; -errno as above. Waits at most five seconds.
 */
int rsp_inquiry_find_function(int fd, const char *name, __u64 *ret_offset);
/* Where the functions of an allocator lie, as rsp_allocator_find() has it. Waits as long. */
int rsp_inquiry_find_allocator(int fd, __u64 ret_offsets[RSP_ALLOC_CNT]);
/*
 * The names of the container with this id, as rsp_container_state_read() finds them in the file of
 * a container runtime. Waits as long. ret: only its names are set, and they are ok.
 */
int rsp_inquiry_name_container(int fd, enum rsp_container_state form, const char *id,
			       struct rsp_ev_container *ret);

#endif
