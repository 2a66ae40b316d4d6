/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes symbols from CPython's tables of methods: "time.sleep()", "_thread.lock.acquire()". The
 * functions that Python's modules export are static, so strip removes their names. But the
 * interpreter finds them by tables (PyMethodDef) that strip cannot remove: those of its own
 * modules, of extension modules, of compiled ones. The form of the tables has not changed since
 * Python 2. The file may be hostile: any bytes are safe.
 */
#ifndef RSP_LIB_PYMETHODS_H
#define RSP_LIB_PYMETHODS_H

#include "lib/symbols/elfsyms.h"
#include "lib/unwind/elf64.h"

/*
 * Adds the functions whose end is in .eh_frame. elf is needed only during the call. Returns the
 * number of functions; 0: none, or too much data to search; -EBADMSG: damaged; -ENOMEM; -E2BIG.
 */
int rsp_pymethods_add(struct rsp_elfsyms *e, const struct rsp_elf64 *elf);

#endif
