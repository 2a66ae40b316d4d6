/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the function at an address from the symbol tables of ELF files. The files may be hostile:
 * any bytes are safe. An address outside of all functions gets no name.
 */
#ifndef RSP_LIB_ELFSYMS_H
#define RSP_LIB_ELFSYMS_H

#include "lib/symbols/elf.h"

struct rsp_elfsyms;

int rsp_elfsyms_new(struct rsp_elfsyms **ret);
struct rsp_elfsyms *rsp_elfsyms_free(struct rsp_elfsyms *e);

/*
 * Adds the functions of the first table of this type, SHT_SYMTAB or SHT_DYNSYM. Returns the number
 * of functions, or 0 if there is no such table; -EBADMSG: the table is damaged; -ENOMEM; -E2BIG.
 */
int rsp_elfsyms_add(struct rsp_elfsyms *e, Elf *elf, GElf_Word type);

/*
 * Functions for a table that is not an ELF symbol table. rsp_elfsyms_add_names() copies the names
 * of all functions, each terminated by a 0 byte; *ret_base: the offset of the first name.
 * rsp_elfsyms_add_function() then adds one function: its code from start to end, and the offset of
 * its name. Both return 0, -ENOMEM or -E2BIG.
 */
int rsp_elfsyms_add_names(struct rsp_elfsyms *e, const void *names, size_t len, size_t *ret_base);
int rsp_elfsyms_add_function(struct rsp_elfsyms *e, __u64 start, __u64 end, __u64 name_off);

/* Must be called between the last addition and the first lookup. Returns 0 or -ENOMEM. */
int rsp_elfsyms_finish(struct rsp_elfsyms *e);

/*
 * Returns the name of the function at vaddr, as in the file, or NULL. e owns the name. All lookups
 * of one function return the same pointer.
 */
const char *rsp_elfsyms_lookup(const struct rsp_elfsyms *e, __u64 vaddr);

/*
 * Calls fn for each range of code that has a name, in the order of addresses. Returns the first
 * error of fn, or 0.
 */
typedef int rsp_elfsyms_fn(__u64 start, __u64 end, const char *name, void *userdata);
int rsp_elfsyms_each(const struct rsp_elfsyms *e, rsp_elfsyms_fn *fn, void *userdata);

#endif
