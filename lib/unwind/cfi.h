/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interprets call frame instructions (DWARF 5, 6.4.2) to find the caller's frame. Keeps only the
 * rules that decide about a row of a table (rsp/unwind.h).
 */
#ifndef RSP_LIB_UNWIND_CFI_H
#define RSP_LIB_UNWIND_CFI_H

#include "lib/unwind/bytes.h"
#include "lib/unwind/gap.h"
#include "rsp/unwind.h"

/* Register numbers in DWARF, as the x86-64 psABI defines them. */
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
	RSP_CFI_AT_CFA,	  /* register: saved at CFA + n; CFA: register reg + n */
	RSP_CFI_REGISTER, /* the value is in register n */
	/* register: saved at the address that expr computes; CFA: the value of expr */
	RSP_CFI_AT_EXPR,
	RSP_CFI_OTHER, /* anything else */
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

/* code_alignment_factor and data_alignment_factor of a CIE */
struct rsp_cfi_factors {
	__u64 code;
	__s64 data;
};

/* Maximum number of states that DW_CFA_remember_state saves; code from GCC saves one or two. */
#define RSP_CFI_REMEMBER_MAX 8

struct rsp_cfi {
	struct rsp_bytes program;
	struct rsp_cfi_factors factors;
	/* initial: contains the rules that DW_CFA_restore restores */
	struct rsp_cfi_state now, initial;
	struct rsp_cfi_state remembered[RSP_CFI_REMEMBER_MAX];
	size_t remembered_cnt;
};

/*
 * Runs the program up to its next change of the location. The state `now` applies to the next
 * *ret_bytes bytes of code. Returns false if the program has ended; `now` then applies to the rest
 * of the code, unless program.bad is set.
 */
bool rsp_cfi_step(struct rsp_cfi *cfi, __u64 *ret_bytes);

/*
 * Makes the row for a state; its pc is 0. Returns RSP_GAP_NONE, or the reason why a row cannot
 * express the rules.
 */
enum rsp_unwind_gap rsp_cfi_row(const struct rsp_cfi_state *state, bool is_signal_frame,
				struct rsp_unwind_row *ret);

#endif
