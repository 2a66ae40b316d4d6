/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call frame instructions (DWARF 5, 6.4.2) -> where the caller's frame is, as far as a row of a
 * table (rsp/unwind.h) can say: only what they say of CFA, frame pointer, rbx, stack pointer and
 * return address is kept. Knows x86-64's registers, no addresses.
 */
#ifndef RSP_LIB_UNWIND_CFI_H
#define RSP_LIB_UNWIND_CFI_H

#include "bytes.h"
#include "table.h"

/* The psABI's numbers. */
enum {
	RSP_CFI_REG_BX = 3,
	RSP_CFI_REG_RDI = 5,
	RSP_CFI_REG_FP = 6,
	RSP_CFI_REG_SP = 7,
	RSP_CFI_REG_RA = 16,
};

enum rsp_cfi_how {
	RSP_CFI_UNSAID = 0,
	RSP_CFI_UNDEFINED,
	RSP_CFI_SAME,
	RSP_CFI_AT_CFA,	  /* it lies at CFA + n; the CFA itself: is register reg + n */
	RSP_CFI_REGISTER, /* it is in register n */
	RSP_CFI_AT_EXPR,  /* it lies where expr says; the CFA itself: is what expr says */
	RSP_CFI_OTHER,	  /* anything else */
};

struct rsp_cfi_rule {
	enum rsp_cfi_how how;
	__u32 reg;
	__s64 n;
	const __u8 *expr;
	__u32 expr_len;
};

struct rsp_cfi_state {
	struct rsp_cfi_rule cfa, fp, bx, sp, ra;
};

/* What an entry's instructions mean by themselves. */
struct rsp_cfi_factors {
	__u64 code;
	__s64 data;
};

/* GCC's code remembers one state at a time, or two. */
#define RSP_CFI_REMEMBER_MAX 8

struct rsp_cfi {
	struct rsp_bytes program;
	struct rsp_cfi_factors factors;
	struct rsp_cfi_state now, initial; /* initial: what DW_CFA_restore goes back to */
	struct rsp_cfi_state remembered[RSP_CFI_REMEMBER_MAX];
	size_t remembered_cnt;
};

/*
 * Goes on to where the place changes: by how many bytes of code; now is what holds until there.
 * False: the program has ended, and now holds for the rest; with program.bad set it was damaged,
 * and of the rest nothing is known.
 */
bool rsp_cfi_step(struct rsp_cfi *cfi, __u64 *ret_bytes);

/* The row's rules; its pc is 0. If nothing can be said, the row says that and the answer why. */
enum rsp_unwind_gap rsp_cfi_row(const struct rsp_cfi_state *state, bool is_signal_frame,
				struct rsp_unwind_row *ret);

#endif
