/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF -> which functions were inlined at an address. By libdw, which checks what it reads; what
 * it could be made to do for long is bounded here:
 *   - sections that are too large, or claim to become so when decompressed, are not read at all
 *   - the walk through entries and their ranges is paid for from an effort that the caller gives,
 * in bytes walked over; once it is used up, what is left is not looked at
 *   - nesting deeper than any compiler's is cut off
 * No other file is opened: what dwz moved elsewhere is given by the caller, and .dwo files are left
 * alone.
 */
#ifndef RSP_LIB_INLINES_H
#define RSP_LIB_INLINES_H

#include <gelf.h>
#include <stddef.h>

#include "lib/base/arena.h"
#include "rsp/event.h"

/* Of all debug sections of one file, decompressed. */
#define RSP_INLINES_BYTES_MAX (1ULL << 30)

struct rsp_inlines;

/* What .gnu_debugaltlink says; the strings live as long as the file. */
struct rsp_inlines_alt {
	const char *name; /* NULL: there is none */
	const void *build_id;
	size_t build_id_len;
};

/*
 * elf outlives it. -ENODATA: no DWARF; -EFBIG: more than RSP_INLINES_BYTES_MAX; -EBADMSG; -ENOMEM.
 */
int rsp_inlines_open(Elf *elf, struct rsp_inlines **ret, struct rsp_inlines_alt *ret_alt);
struct rsp_inlines *rsp_inlines_free(struct rsp_inlines *in);
/* Must be called if there is one; takes nothing, alt outlives it. */
void rsp_inlines_set_alt(struct rsp_inlines *in, const struct rsp_inlines *alt);

/* An address, and where to find the functions that it lies in: 0, or one of rsp_inlines_at(). */
struct rsp_inlines_pc {
	__u64 vaddr;
	__u32 scope;
};

struct rsp_inlines_scope {
	const char *name; /* as in the file, perhaps mangled; NULL: none. Lives as long as in */
	__u32 outer;	  /* the function that it was inlined into; 0: it was not */
};

/*
 * Finds the innermost function of each of cnt addresses, which are sorted. Takes off *effort what
 * it used. What is damaged is left out. 0, -ENOMEM.
 */
int rsp_inlines_find(struct rsp_inlines *in, struct rsp_inlines_pc *pcs, size_t cnt, __u64 *effort);
const struct rsp_inlines_scope *rsp_inlines_at(const struct rsp_inlines *in, __u32 scope);

#endif
