/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the rules for unwinding Go functions from .gopclntab (runtime/symtab.go and cmd/link's
 * pcln.go; Go 1.18 and later). Go's compiler records the depth of the stack for each place in the
 * code. The functions of Go's runtime that switch stacks have fixed rules instead.
 */
#ifndef RSP_LIB_UNWIND_GOPCLNTAB_H
#define RSP_LIB_UNWIND_GOPCLNTAB_H

#include "lib/unwind/bytes.h"
#include "lib/unwind/elf64.h"
#include "lib/unwind/entries.h"

/*
 * Adds the functions to the entries, which refer to the section *ret. The caller frees the section.
 * Returns 0; -ENODATA: the file has no such section, or its Go version is unknown; -EBADMSG;
 * -E2BIG; -ENOMEM; -errno of pread().
 */
int rsp_gopclntab_read(const struct rsp_elf64 *elf, struct rsp_elf64_section *ret,
		       struct rsp_unwind_entries *entries);

/* The depths of the stack in a function: bytes from the stack pointer to the return address. */
struct rsp_go_depth {
	struct rsp_bytes program;
	__s64 now;
	bool begun;
};

#define RSP_GO_DEPTH_INIT(begin_, end_)                                                            \
	((struct rsp_go_depth){.program = {begin_, end_, false}, .now = -1})

/*
 * Sets now to the depth of the stack in the next *ret_bytes (> 0) bytes of code. Returns false if
 * the program has ended or is damaged.
 */
bool rsp_go_depth_step(struct rsp_go_depth *depth, __u64 *ret_bytes);

#endif
