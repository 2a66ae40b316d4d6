/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes symbols such as "time.sleep()" from CPython's tables of methods (PyMethodDef). The C
 * functions that Python modules export are static, so strip removes their names, but it cannot
 * remove these tables. The file may be hostile: any bytes are safe.
 */
#ifndef RSP_LIB_PYMETHODS_H
#define RSP_LIB_PYMETHODS_H

#include "lib/symbols/elfsyms.h"
#include "lib/unwind/elf64.h"

/*
 * Adds the functions whose end is in .eh_frame. Returns the number of functions, or 0 if there are
 * none or there is too much data to search; -EBADMSG: the file is damaged; -ENOMEM; -E2BIG.
 */
int rsp_pymethods_add(struct rsp_elfsyms *e, const struct rsp_elf64 *elf);

#endif
