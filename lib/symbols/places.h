/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places in one file -> the names of the functions they lie in, those that were inlined there
 * first. The file and what belongs to it are opened once, read as far as its places need, and
 * closed again. Best sources first: .symtab of the file itself, of its separate debug file, the
 * compressed one in .gnu_debugdata, .dynsym, tables of the runtimes of Go and Python; inlined
 * functions from DWARF of either file. Where no symbol is, .eh_frame tells where the function
 * begins.
 */
#ifndef RSP_LIB_PLACES_H
#define RSP_LIB_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/arena.h"
#include "rsp/event.h"

#define RSP_PLACE_NO_FUNCTION UINT64_MAX

struct rsp_place {
	__u64 off;	    /* in the file; of a call, not of where it returns to */
	size_t first_name;  /* in rsp_place_names.list; the innermost function's */
	size_t name_cnt;    /* several where functions were inlined; 0: no name */
	__u64 function_off; /* where a nameless function begins, if that is known */
};

/* What places are called, demangled. All zeroes is none. */
struct rsp_place_names {
	struct rsp_intern strings;
	struct {
		__u32 *v; /* numbers in strings */
		size_t cnt, cap;
	} list;
};

void rsp_place_names_done(struct rsp_place_names *names);
const char *rsp_place_name(const struct rsp_place_names *names, const struct rsp_place *place,
			   size_t i);

struct rsp_debugfiles;
struct rsp_files;
struct rsp_places_how {
	const struct rsp_files *files;
	const struct rsp_debugfiles *debugfiles;
	bool elsewhere; /* see elffiles.h */
	__u64 effort;	/* left for DWARF of all files; see inlines.h */
};

/*
 * Names cnt places, sorted by off, of the file of which binary_cnt records tell: whatever of them
 * still leads to it. A file that is gone, changed or broken, or asks for more memory than there is,
 * only leaves places without a name. 0, -E2BIG.
 */
int rsp_places_name(struct rsp_places_how *how, const struct rsp_ev_binary *const *binaries,
		    size_t binary_cnt, struct rsp_place *places, size_t cnt,
		    struct rsp_place_names *names);

#endif
