/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reasons why an unwind table (table.h) has no rule for some code. */
#ifndef RSP_LIB_UNWIND_GAP_H
#define RSP_LIB_UNWIND_GAP_H

/* Reasons why a row contains no rule, although an entry covers its code. */
enum rsp_unwind_gap {
	RSP_GAP_NONE, /* the row contains a rule */
	/* the CFA is relative to a register other than the stack pointer, frame pointer and rbx */
	RSP_GAP_CFA_REG,
	RSP_GAP_CFA_EXPR, /* the CFA is an expression of no known form */
	/* the offset of the CFA is not a multiple of 8, or too large for a row */
	RSP_GAP_CFA_OFFSET,
	RSP_GAP_RA,	/* the return address is not at CFA - 8 */
	RSP_GAP_SIGNAL, /* a signal frame that is not the kernel's */
	/* the program of the entry is damaged, or contains an unknown instruction */
	RSP_GAP_BAD,
	RSP_GAP_CNT,
};

#endif
