/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reasons for which a table (table.h) has no rule for some code. */
#ifndef RSP_LIB_UNWIND_GAP_H
#define RSP_LIB_UNWIND_GAP_H

/* The reason why a row contains no rule although an entry covers its code. */
enum rsp_unwind_gap {
	RSP_GAP_NONE,	    /* the row contains a rule */
	RSP_GAP_CFA_REG,    /* the CFA is relative to a register other than sp and fp */
	RSP_GAP_CFA_EXPR,   /* the CFA is an expression of no known form */
	RSP_GAP_CFA_OFFSET, /* not a multiple of 8, or too large for a row */
	RSP_GAP_RA,	    /* the return address is not at CFA - 8 */
	RSP_GAP_SIGNAL,	    /* a signal frame, but not the kernel's */
	/* the program of the entry ends here: damaged, or an unknown instruction */
	RSP_GAP_BAD,
	RSP_GAP_CNT,
};

#endif
