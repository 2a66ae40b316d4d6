/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the function at an address from the symbol tables of ELF files. The files may be hostile:
 * any bytes are safe. An address outside of every function gets no name, instead of its
 * neighbour's. Does not demangle.
 */
#ifndef RSP_LIB_ELFSYMS_H
#define RSP_LIB_ELFSYMS_H

#include "lib/symbols/elf.h"

struct rsp_elfsyms;

int rsp_elfsyms_new(struct rsp_elfsyms **ret);
struct rsp_elfsyms *rsp_elfsyms_free(struct rsp_elfsyms *e);

/*
 * Adds the functions of the table of that type, SHT_SYMTAB or SHT_DYNSYM. elf is needed only during
 * the call. Returns the number of functions, 0 if there is no such table; -EBADMSG: damaged, none
 * is added; -ENOMEM; -E2BIG.
 */
int rsp_elfsyms_add(struct rsp_elfsyms *e, Elf *elf, GElf_Word type);

/*
 * Add functions of a table that is not an ELF symbol table. Add a copy of its names first, each
 * terminated by a 0 byte. Then add each function: its code from start to end, and the offset of its
 * name among these names. A function without code or name is skipped. 0, -ENOMEM, -E2BIG.
 */
int rsp_elfsyms_add_names(struct rsp_elfsyms *e, const void *names, size_t len, size_t *ret_base);
int rsp_elfsyms_add_function(struct rsp_elfsyms *e, __u64 start, __u64 end, __u64 name_off);

/*
 * Makes the added functions ready for lookups. Must be called after the last function was added. 0
 * or -ENOMEM.
 */
int rsp_elfsyms_finish(struct rsp_elfsyms *e);

/*
 * Returns the name as in the file, owned by e; one function always has the same pointer. NULL: no
 * name.
 */
const char *rsp_elfsyms_lookup(const struct rsp_elfsyms *e, __u64 vaddr);

/*
 * Calls fn for each piece of code that has a name, in the order of addresses. A function has
 * several pieces if it contains other functions. Returns the first error of fn, or 0.
 */
typedef int rsp_elfsyms_fn(__u64 start, __u64 end, const char *name, void *userdata);
int rsp_elfsyms_each(const struct rsp_elfsyms *e, rsp_elfsyms_fn *fn, void *userdata);

#endif
