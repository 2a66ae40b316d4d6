/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growable array: three plain members in the struct that owns it, and one macro to append.
 *
 *	struct { struct foo *v; size_t cnt, cap; } foos;
 *	struct foo *f = rsp_array_add(&foos);      a new last element, zeroed; NULL: no memory
 *	free(foos.v);
 */
#ifndef RSP_LIB_ARRAY_H
#define RSP_LIB_ARRAY_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for one more element of size bytes. Returns 0 or -ENOMEM. */
static inline int rsp_array_reserve(void **v, size_t cnt, size_t *cap, size_t size)
{
	size_t want;
	void *p;

	if (cnt < *cap)
		return 0;
	want = *cap ? *cap * 2 : 16;
	p = reallocarray(*v, want, size);
	if (!p)
		return -ENOMEM;
	*v = p;
	*cap = want;
	return 0;
}

#define rsp_array_add(a)                                                                           \
	({                                                                                         \
		void *v_ = (a)->v;                                                                 \
		__typeof__((a)->v) ret_ = NULL;                                                    \
		if (rsp_array_reserve(&v_, (a)->cnt, &(a)->cap, sizeof(*(a)->v)) == 0) {           \
			(a)->v = v_;                                                               \
			ret_ = &(a)->v[(a)->cnt++];                                                \
			memset(ret_, 0, sizeof(*ret_));                                            \
		}                                                                                  \
		ret_;                                                                              \
	})

#endif
