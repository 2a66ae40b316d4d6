/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Go's own table of functions (lib/unwind/gotable.h) -> symbols: a program in Go has it even where
 * strip took the symbol table. The names are as Go's tools print them: "main.(*Server).handle".
 * Inlined functions are not named.
 */
#ifndef RSP_LIB_GOSYMS_H
#define RSP_LIB_GOSYMS_H

#include "elfsyms.h"
#include "lib/unwind/elf64.h"

/*
 * Adds the functions to those that were added before; needs elf during the call alone. Returns how
 * many, 0 if the file has no such table; -EBADMSG: damaged, none is added; -E2BIG; -ENOMEM.
 */
int rsp_gosyms_add(struct rsp_elfsyms *e, const struct rsp_elf64 *elf);

#endif
