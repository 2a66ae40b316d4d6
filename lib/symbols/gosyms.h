/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds the functions of Go's own table (lib/unwind/gotable.h) as symbols. A Go program has this
 * table even if strip removed the symbol table. Inlined functions have no names.
 */
#ifndef RSP_LIB_GOSYMS_H
#define RSP_LIB_GOSYMS_H

#include "lib/symbols/elfsyms.h"
#include "lib/unwind/elf64.h"

/*
 * Returns the number of functions, or 0 if the file has no such table; -EBADMSG: the table is
 * damaged; -E2BIG; -ENOMEM.
 */
int rsp_gosyms_add(struct rsp_elfsyms *e, const struct rsp_elf64 *elf);

#endif
