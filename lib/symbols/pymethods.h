/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPython's tables of methods -> symbols: "time.sleep()", "_thread.lock.acquire()". The functions
 * that Python's modules export are static, so strip takes their names. But the interpreter finds
 * them by tables (PyMethodDef) that cannot be stripped: of its own modules, of extension modules,
 * of compiled ones. They have been of one form since Python 2. The file may be anyone's: any bytes
 * are safe.
 */
#ifndef RSP_LIB_PYMETHODS_H
#define RSP_LIB_PYMETHODS_H

#include "elfsyms.h"
#include "lib/unwind/elf64.h"

/*
 * Adds the functions that .eh_frame tells the end of to those that were added before; needs elf
 * during the call alone. Returns how many; 0: none, or too much data to look through; -EBADMSG:
 * damaged; -ENOMEM; -E2BIG.
 */
int rsp_pymethods_add(struct rsp_elfsyms *e, const struct rsp_elf64 *elf);

#endif
