/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frees or closes a variable at the end of its scope. The variable must be initialized where it is
 * declared. To return its value, take it with rsp_take_*.
 */
#ifndef RSP_LIB_CLEANUP_H
#define RSP_LIB_CLEANUP_H

#include <stdlib.h>
#include <unistd.h>

#define _cleanup_(f)	__attribute__((cleanup(f)))
#define _cleanup_free_	_cleanup_(rsp_cleanup_free)
#define _cleanup_close_ _cleanup_(rsp_cleanup_close)

static inline void rsp_cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void rsp_cleanup_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

/* Sets p to NULL, so that the cleanup does not free it. */
#define rsp_take_ptr(p)                                                                            \
	({                                                                                         \
		__typeof__(p) taken_ = (p);                                                        \
		(p) = NULL;                                                                        \
		taken_;                                                                            \
	})

static inline int rsp_take_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

#endif
