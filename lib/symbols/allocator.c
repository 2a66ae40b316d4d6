/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See allocator.h. */
#include "allocator.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "functions.h"

static const char *const names[RSP_ALLOC_CNT] = {
	[RSP_ALLOC_MALLOC] = "malloc",
	[RSP_ALLOC_CALLOC] = "calloc",
	[RSP_ALLOC_REALLOC] = "realloc",
	[RSP_ALLOC_REALLOCARRAY] = "reallocarray",
	[RSP_ALLOC_MEMALIGN] = "memalign",
	[RSP_ALLOC_ALIGNED] = "aligned_alloc",
	[RSP_ALLOC_POSIX_MEMALIGN] = "posix_memalign",
	[RSP_ALLOC_VALLOC] = "valloc",
	[RSP_ALLOC_PVALLOC] = "pvalloc",
	[RSP_ALLOC_NEW] = "_Znwm",
	[RSP_ALLOC_NEW_ARRAY] = "_Znam",
	[RSP_ALLOC_FREE] = "free",
	[RSP_ALLOC_DELETE] = "_ZdlPv",
	[RSP_ALLOC_DELETE_ARRAY] = "_ZdaPv",
	[RSP_ALLOC_DELETE_SIZED] = "_ZdlPvm",
	[RSP_ALLOC_DELETE_ARRAY_SIZED] = "_ZdaPvm",
};

static bool is_among(const __u64 *offsets, size_t cnt, __u64 offset)
{
	for (size_t i = 0; i < cnt; i++)
		if (offsets[i] == offset)
			return true;
	return false;
}

int rsp_allocator_find(int fd, __u64 ret[RSP_ALLOC_CNT])
{
	memset(ret, 0, RSP_ALLOC_CNT * sizeof(*ret));
	for (size_t i = 0; i < RSP_ALLOC_CNT; i++) {
		__u64 offset;
		int r = rsp_functions_find(fd, names[i], &offset);

		if (r < 0 && (i == RSP_ALLOC_MALLOC || r != -ENOENT))
			return r;
		if (r == 0 && !is_among(ret, i, offset))
			ret[i] = offset;
	}
	return 0;
}
