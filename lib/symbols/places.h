/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names the functions at places in one file, inlined functions first. Opens the file and those that
 * belong to it once, reads what the places need, and closes them again.
 *
 * The sources, best first: .symtab of the file itself, of its separate debug file, the compressed
 * one in .gnu_debugdata, .dynsym, tables of the runtimes of Go and Python; for inlined functions,
 * DWARF of either file. If a function has no symbol, .eh_frame gives its beginning. If neither the
 * file nor its debug file can be opened, a copy of the symbols (symcopy.h) names the functions that
 * are not inlined.
 */
#ifndef RSP_LIB_PLACES_H
#define RSP_LIB_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/arena.h"
#include "lib/symbols/places-how.h"
#include "rsp/event.h"

#define RSP_PLACE_NO_FUNCTION UINT64_MAX

struct rsp_place {
	__u64 off;	    /* offset in the file of the call, not of its return address */
	size_t first_name;  /* index in rsp_place_names.list, of the innermost function */
	size_t name_cnt;    /* more than one if functions were inlined; 0: no name */
	__u64 function_off; /* beginning of a nameless function, or RSP_PLACE_NO_FUNCTION */
};

/* The names of places, demangled. A zeroed struct contains no names. */
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

/*
 * Names cnt places of one file, sorted by off. binaries: the binary_cnt records of this file; any
 * of them may still lead to it. If the file is gone, changed or damaged, or needs more memory than
 * there is, places stay without a name. 0, -E2BIG.
 */
int rsp_places_name(struct rsp_places_how *how, const struct rsp_ev_binary *const *binaries,
		    size_t binary_cnt, struct rsp_place *places, size_t cnt,
		    struct rsp_place_names *names);

#endif
