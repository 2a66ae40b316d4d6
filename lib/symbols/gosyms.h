/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds the functions of Go's own table (lib/unwind/gotable.h) as symbols. A Go program has this
 * table even if strip removed the symbol table. The names are as in the output of Go's tools:
 * "main.(*Server).handle". Inlined functions have no names.
 */
#ifndef RSP_LIB_GOSYMS_H
#define RSP_LIB_GOSYMS_H

#include "lib/symbols/elfsyms.h"
#include "lib/unwind/elf64.h"

/*
 * Adds the functions to e. elf is needed only during the call. Returns the number of functions, or
 * 0 if the file has no such table; -EBADMSG if the table is damaged (then none is added); -E2BIG;
 * -ENOMEM.
 */
int rsp_gosyms_add(struct rsp_elfsyms *e, const struct rsp_elf64 *elf);

#endif
