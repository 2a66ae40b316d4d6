// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Preloaded into rspd (LD_PRELOAD): while the file $RSP_TEST_BROKEN exists, reading the BPF ring
 * buffers fails with EIO.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct ring_buffer;

int ring_buffer__consume(struct ring_buffer *rb);

int ring_buffer__consume(struct ring_buffer *rb)
{
	const char *broken = getenv("RSP_TEST_BROKEN");
	int (*consume)(struct ring_buffer *) = dlsym(RTLD_NEXT, "ring_buffer__consume");

	if (!consume || (broken && access(broken, F_OK) == 0))
		return -EIO;
	return consume(rb);
}
