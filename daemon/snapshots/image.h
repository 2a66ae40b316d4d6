/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For children of the recorder. They read an image of its memory: the window as it was at the
 * fork().
 */
#ifndef RSP_DAEMON_IMAGE_H
#define RSP_DAEMON_IMAGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The child calls this first. From then on it ends with its parent, keeps only these privileges
 * (privileges.h), has a name, and is the first to be killed when memory runs out. Ends the process
 * on failure.
 */
void rsp_image_begin(pid_t parent, uint64_t privileges, const char *name);

/* Makes a memfd immutable, and returns its size. 0 or -errno. */
int rsp_image_seal(int fd, size_t *ret_size);

#endif
