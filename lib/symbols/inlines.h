/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the functions that were inlined at an address, from DWARF. libdw reads the DWARF and checks
 * its structure. This module limits the time and memory that hostile files can use:
 * - Debug sections that are too large are not read. Their decompressed size counts.
 * - The caller limits the effort, in bytes read, for the walk through entries and their ranges. If
 *   the effort is used up, the walk ends, and the remaining addresses get no inlined functions.
 * - Entries that are nested deeper than any compiler nests them are skipped.
 * This module opens no other file: the caller provides the file to which dwz moved a part of the
 * DWARF, and .dwo files are ignored.
 */
#ifndef RSP_LIB_INLINES_H
#define RSP_LIB_INLINES_H

#include <gelf.h>
#include <stddef.h>

#include "lib/base/arena.h"
#include "rsp/event.h"

#define RSP_INLINES_BYTES_MAX (1ULL << 30)

struct rsp_inlines;

/* The content of .gnu_debugaltlink, valid as long as the file is open. */
struct rsp_inlines_alt {
	const char *name; /* NULL: the file has no such section */
	const void *build_id;
	size_t build_id_len;
};

/*
 * elf must outlive *ret. Returns 0; -ENODATA: there is no DWARF; -EFBIG: more than
 * RSP_INLINES_BYTES_MAX; -EBADMSG; -ENOMEM.
 */
int rsp_inlines_open(Elf *elf, struct rsp_inlines **ret, struct rsp_inlines_alt *ret_alt);
struct rsp_inlines *rsp_inlines_free(struct rsp_inlines *in);
/* Sets the file to which dwz moved a part of the DWARF. alt must outlive in. */
void rsp_inlines_set_alt(struct rsp_inlines *in, const struct rsp_inlines *alt);

/*
 * An address. scope: the number of the innermost function at this address, for rsp_inlines_at(); 0:
 * unknown.
 */
struct rsp_inlines_pc {
	__u64 vaddr;
	__u32 scope;
};

struct rsp_inlines_scope {
	/*
	 * As in the file, perhaps mangled; NULL: there is none. Valid as long as the struct
	 * rsp_inlines.
	 */
	const char *name;
	__u32 outer; /* number of the function into which it was inlined; 0: it was not inlined */
};

/*
 * Finds the innermost function at each of cnt addresses, which must be sorted. Subtracts the used
 * effort from *effort. Returns 0 or -ENOMEM.
 */
int rsp_inlines_find(struct rsp_inlines *in, struct rsp_inlines_pc *pcs, size_t cnt, __u64 *effort);
const struct rsp_inlines_scope *rsp_inlines_at(const struct rsp_inlines *in, __u32 scope);

#endif
