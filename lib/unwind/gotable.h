/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the functions of a Go program from Go's table of functions, the section .gopclntab
 * (runtime/symtab.go and cmd/link's pcln.go). Go's runtime needs this table, so strip cannot remove
 * it. The file may be hostile.
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
	struct rsp_elf64_section section; /* the bytes from the table's header on */
	__u32 version;			  /* enum rsp_gotable_version: the table's magic number */
	__u64 function_cnt;
	__u64 text_vaddr; /* 0 for RSP_GO_116 */
	/*
	 * offsets in the section: beginning and end of the names, beginning of the depths and of
	 * the functions
	 */
	__u64 name_off, name_end, depth_off, function_off;
};

/*
 * In a file without section headers, searches the table's magic number in the loaded data. Returns
 * 0; -ENODATA: the file has no table, or its Go version or the address of the text is unknown;
 * -EBADMSG; -E2BIG; -ENOMEM; -errno of pread().
 */
int rsp_gotable_open(const struct rsp_elf64 *elf, struct rsp_gotable *ret);
void rsp_gotable_done(struct rsp_gotable *tab);

enum {
	RSP_GO_TOP_FRAME = 1 << 0, /* the first function of a stack */
	/* the function sets the stack pointer to a value that its depths do not describe */
	RSP_GO_SP_WRITE = 1 << 1,
};

struct rsp_go_function {
	__u64 vaddr, len;
	__u64 name_off;	 /* offset in the section; may be beyond its end */
	__u32 depth_off; /* relative to the table's depth_off */
	__u8 flags;
};

struct rsp_gotable_walk {
	const struct rsp_gotable *tab;
	struct rsp_bytes starts;
	__u64 left, start;
};

/*
 * rsp_gotable_next() returns 1 and the next function, in ascending order of the code; 0: there are
 * no more functions; -EBADMSG: the table ends early.
 */
void rsp_gotable_begin(const struct rsp_gotable *tab, struct rsp_gotable_walk *ret);
int rsp_gotable_next(struct rsp_gotable_walk *walk, struct rsp_go_function *ret);

#endif
