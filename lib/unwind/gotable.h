/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the functions of a Go program from Go's table of functions, the section .gopclntab
 * (runtime/symtab.go and cmd/link's pcln.go). Every Go program contains the table, because Go's
 * runtime needs it: strip cannot remove it. The file may be hostile: any bytes are safe.
 */
#ifndef RSP_LIB_UNWIND_GOTABLE_H
#define RSP_LIB_UNWIND_GOTABLE_H

#include "lib/unwind/bytes.h"
#include "lib/unwind/elf64.h"

enum rsp_gotable_version {
	RSP_GO_116 = 0xfffffffa, /* Go 1.16 and 1.17: functions have addresses */
	RSP_GO_118 = 0xfffffff0, /* Go 1.18 and 1.19: functions have offsets in the text */
	RSP_GO_120 = 0xfffffff1, /* Go 1.20 and later: functions also contain their first line */
};

struct rsp_gotable {
	struct rsp_elf64_section section; /* begins with the table's header */
	__u32 version;			  /* enum rsp_gotable_version: the table's magic number */
	__u64 function_cnt;
	__u64 text_vaddr; /* 0 for RSP_GO_116 */
	/* Offsets in the section at which its parts begin, and the names end. */
	__u64 name_off, name_end, depth_off, function_off;
};

/*
 * Finds the table by the name of its section or, in a file without section headers, by its magic
 * number in the loaded data. -ENODATA: there is no table, or its Go version or the address of the
 * text is unknown; -EBADMSG; -E2BIG; -ENOMEM.
 */
int rsp_gotable_open(const struct rsp_elf64 *elf, struct rsp_gotable *ret);
void rsp_gotable_done(struct rsp_gotable *tab);

enum {
	RSP_GO_TOP_FRAME = 1 << 0, /* stacks end here */
	/* sets the stack pointer to a value that the depth does not contain */
	RSP_GO_SP_WRITE = 1 << 1,
};

struct rsp_go_function {
	__u64 vaddr, len;
	__u64 name_off;	 /* in the section; may be beyond its end */
	__u32 depth_off; /* relative to the table's depth_off */
	__u8 flags;
};

struct rsp_gotable_walk {
	const struct rsp_gotable *tab;
	struct rsp_bytes starts;
	__u64 left, start;
};

/*
 * Returns the functions one by one, in ascending order of their code. 1: *ret is the next function;
 * 0: there are no more; -EBADMSG: the table ends early.
 */
void rsp_gotable_begin(const struct rsp_gotable *tab, struct rsp_gotable_walk *ret);
int rsp_gotable_next(struct rsp_gotable_walk *walk, struct rsp_go_function *ret);

#endif
