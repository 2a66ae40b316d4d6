/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The allocator functions to which a watch of memory (rsp/watch.h) attaches probes. The number of a
 * function is the cookie of its probes.
 *
 * Included by BPF programs and by user space.
 */
#ifndef RSP_ALLOCATOR_H
#define RSP_ALLOCATOR_H

enum rsp_allocator_function {
	RSP_ALLOC_MALLOC,  /* malloc(size), and other functions with the size as first argument */
	RSP_ALLOC_CALLOC,  /* calloc(count, size) */
	RSP_ALLOC_REALLOC, /* realloc(block, size) */
	RSP_ALLOC_REALLOCARRAY,	  /* reallocarray(block, count, size) */
	RSP_ALLOC_MEMALIGN,	  /* memalign(alignment, size) */
	RSP_ALLOC_ALIGNED,	  /* aligned_alloc(alignment, size) */
	RSP_ALLOC_POSIX_MEMALIGN, /* posix_memalign(place, alignment, size) */
	RSP_ALLOC_VALLOC,	  /* valloc(size) */
	RSP_ALLOC_PVALLOC,	  /* pvalloc(size) */
	/* operator new(size), if the allocator has this function */
	RSP_ALLOC_NEW,
	RSP_ALLOC_NEW_ARRAY,   /* operator new[](size) */
	RSP_ALLOC_NEW_NOTHROW, /* operator new(size, std::nothrow) */
	RSP_ALLOC_NEW_ARRAY_NOTHROW,
	RSP_ALLOC_NEW_ALIGNED, /* operator new(size, alignment) */
	RSP_ALLOC_NEW_ARRAY_ALIGNED,
	RSP_ALLOC_FREE,	  /* free(block); this function and all after it free blocks */
	RSP_ALLOC_DELETE, /* operator delete(block) */
	RSP_ALLOC_DELETE_ARRAY,
	RSP_ALLOC_DELETE_SIZED,
	RSP_ALLOC_DELETE_ARRAY_SIZED,
	RSP_ALLOC_DELETE_NOTHROW,
	RSP_ALLOC_DELETE_ARRAY_NOTHROW,
	RSP_ALLOC_DELETE_ALIGNED,
	RSP_ALLOC_DELETE_ARRAY_ALIGNED,
	RSP_ALLOC_DELETE_SIZED_ALIGNED,
	RSP_ALLOC_DELETE_ARRAY_SIZED_ALIGNED,
	RSP_ALLOC_CNT,
};

#endif
