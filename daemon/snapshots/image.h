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
 * The child calls this function first. The child then ends with its parent, keeps only these
 * privileges (base/privileges.h), is renamed to name, and is the first process to be killed when
 * memory runs out. Ends the process on failure.
 */
void rsp_image_begin(pid_t parent, uint64_t privileges, const char *name);

/* Makes a memfd immutable, and returns its size in *ret_size. Returns 0 or -errno. */
int rsp_image_seal(int fd, size_t *ret_size);

#endif
