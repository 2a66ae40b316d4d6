/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names the functions at places in one file, inlined functions first. A place is an offset in the
 * file.
 *
 * The sources of names, best first: .symtab of the file itself, .symtab of its debug file,
 * .gnu_debugdata, .dynsym, and the tables of the Go and Python runtimes. DWARF names the inlined
 * functions. If neither the file nor its debug file can be opened, a copy of the symbols
 * (symcopy.h) names the functions that are not inlined.
 */
#ifndef RSP_LIB_SYMBOLS_PLACES_H
#define RSP_LIB_SYMBOLS_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/arena.h"
#include "lib/symbols/places-how.h"
#include "rsp/event.h"

#define RSP_CODE_NO_FUNCTION UINT64_MAX

struct rsp_code_place {
	__u64 off;	    /* file offset of a leaf's instruction, or of the last byte of a call */
	size_t first_name;  /* index of the innermost function's name in rsp_code_names.list */
	size_t name_cnt;    /* number of names, more than 1 if functions were inlined; 0: no name */
	__u64 function_off; /* file offset of a function without a name, or RSP_CODE_NO_FUNCTION */
};

/* The demangled names of places. A zeroed struct contains no names. */
struct rsp_code_names {
	struct rsp_intern strings;
	struct {
		__u32 *v; /* numbers in strings */
		size_t cnt, cap;
	} list;
};

void rsp_code_names_done(struct rsp_code_names *names);
const char *rsp_code_place_name(const struct rsp_code_names *names,
				const struct rsp_code_place *place, size_t i);

/*
 * Names cnt places of one file, sorted by off. binaries: the records of this file; each record may
 * be a way to open it. If the file has changed, is damaged, or needs too much memory, its places
 * stay without names. Returns 0 or -E2BIG.
 */
int rsp_code_places_name(struct rsp_places_how *how, const struct rsp_ev_binary *const *binaries,
			 size_t binary_cnt, struct rsp_code_place *places, size_t cnt,
			 struct rsp_code_names *names);

#endif
