/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions for children of the recorder that read an image of its memory: the window as it was at
 * the fork().
 */
#ifndef RSP_DAEMON_IMAGE_H
#define RSP_DAEMON_IMAGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The child calls this function first. It lets the child end with its parent, keep only these
 * privileges (base/privileges.h), and be killed first when memory runs out. Ends the process on
 * failure.
 */
void rsp_image_begin(pid_t parent, uint64_t privileges, const char *name);

int rsp_image_seal(int fd, size_t *ret_size);

#endif
