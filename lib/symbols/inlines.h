/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the functions that were inlined at an address, from DWARF. libdw reads it and checks what
 * it reads. This module limits the time and memory that hostile input can cost:
 *   - sections that are too large, or claim to become so when decompressed, are not read at all
 *   - the walk through entries and their ranges is limited by an effort that the caller gives, in
 *     bytes read; when it is used up, the rest is skipped
 *   - nesting deeper than any compiler's is cut off
 * No other file is opened: the caller provides the file to which dwz moved a part, and .dwo files
 * are ignored.
 */
#ifndef RSP_LIB_INLINES_H
#define RSP_LIB_INLINES_H

#include <gelf.h>
#include <stddef.h>

#include "lib/base/arena.h"
#include "rsp/event.h"

/* The limit for all debug sections of one file, decompressed. */
#define RSP_INLINES_BYTES_MAX (1ULL << 30)

struct rsp_inlines;

/* The content of .gnu_debugaltlink; the strings live as long as the file. */
struct rsp_inlines_alt {
	const char *name; /* NULL: there is none */
	const void *build_id;
	size_t build_id_len;
};

/*
 * Opens the DWARF of a file. elf must outlive *ret. -ENODATA: no DWARF; -EFBIG: more than
 * RSP_INLINES_BYTES_MAX; -EBADMSG; -ENOMEM.
 */
int rsp_inlines_open(Elf *elf, struct rsp_inlines **ret, struct rsp_inlines_alt *ret_alt);
struct rsp_inlines *rsp_inlines_free(struct rsp_inlines *in);
/* Sets the alternative file. Must be called if there is one; alt must outlive in. */
void rsp_inlines_set_alt(struct rsp_inlines *in, const struct rsp_inlines *alt);

/* An address. scope: number of its innermost function, for rsp_inlines_at(); 0: unknown. */
struct rsp_inlines_pc {
	__u64 vaddr;
	__u32 scope;
};

struct rsp_inlines_scope {
	/* as in the file, perhaps mangled; NULL: none. Lives as long as the struct rsp_inlines */
	const char *name;
	__u32 outer; /* the function into which it was inlined; 0: none */
};

/*
 * Finds the innermost function of each of cnt addresses, which are sorted. Subtracts the used
 * effort from *effort. Skips damaged parts. 0 or -ENOMEM.
 */
int rsp_inlines_find(struct rsp_inlines *in, struct rsp_inlines_pc *pcs, size_t cnt, __u64 *effort);
const struct rsp_inlines_scope *rsp_inlines_at(const struct rsp_inlines *in, __u32 scope);

#endif
