/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbol tables of ELF files -> which function an address lies in. The files may be anyone's: any
 * bytes are safe, an address outside of every function gets no name rather than its neighbour's.
 * Demangles nothing.
 */
#ifndef RSP_LIB_ELFSYMS_H
#define RSP_LIB_ELFSYMS_H

#include "elf.h"

struct rsp_elfsyms;

int rsp_elfsyms_new(struct rsp_elfsyms **ret);
struct rsp_elfsyms *rsp_elfsyms_free(struct rsp_elfsyms *e);

/*
 * Adds the functions of the table of that type, SHT_SYMTAB or SHT_DYNSYM, to those added before;
 * needs elf during the call alone. Returns how many, 0 if there is no such table; -EBADMSG:
 * damaged, none is added; -ENOMEM; -E2BIG.
 */
int rsp_elfsyms_add(struct rsp_elfsyms *e, Elf *elf, GElf_Word type);

/*
 * Functions of another table than ELF's: a copy of its names, each ended by a 0 byte, and then of
 * each function the code from start to end and where among these names its own begins. A function
 * without code or name is left out. 0, -ENOMEM, -E2BIG.
 */
int rsp_elfsyms_add_names(struct rsp_elfsyms *e, const void *names, size_t len, size_t *ret_base);
int rsp_elfsyms_add_function(struct rsp_elfsyms *e, __u64 start, __u64 end, __u64 name_off);

/* After the last one. 0, -ENOMEM. */
int rsp_elfsyms_finish(struct rsp_elfsyms *e);

/* The name as it stands in the file, owned by e: one pointer for one function. NULL: no name. */
const char *rsp_elfsyms_lookup(const struct rsp_elfsyms *e, __u64 vaddr);

#endif
