/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Go's .gopclntab (runtime/symtab.go and cmd/link's pcln.go; Go 1.18 and later) -> for each of its
 * functions how to leave it: by the depth of the stack, which Go's compiler tells for each place,
 * prologues included; or how its runtime's own functions, which go from stack to stack, are left.
 * Of all else that the section tells, lines, inlining and the like, it reads nothing.
 */
#ifndef RSP_LIB_UNWIND_GOPCLNTAB_H
#define RSP_LIB_UNWIND_GOPCLNTAB_H

#include "bytes.h"
#include "elf64.h"
#include "entries.h"

/*
 * Adds the functions to the entries; their programs lie in the section, the caller's to free.
 * -ENODATA: no such section, or of a Go that is not known here; -EBADMSG; -E2BIG; -ENOMEM.
 */
int rsp_gopclntab_read(const struct rsp_elf64 *elf, struct rsp_elf64_section *ret,
		       struct rsp_unwind_entries *entries);

/* How deep the stack is in a function, without its return address. */
struct rsp_go_depth {
	struct rsp_bytes program;
	__s64 now;
	bool begun;
};

#define RSP_GO_DEPTH_INIT(begin_, end_)                                                            \
	((struct rsp_go_depth){.program = {begin_, end_, false}, .now = -1})

/* The next code, ret_bytes > 0 of it, has depth now. False: the program has ended, or is damaged.
 */
bool rsp_go_depth_step(struct rsp_go_depth *depth, __u64 *ret_bytes);

#endif
