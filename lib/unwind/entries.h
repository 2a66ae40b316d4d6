/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * .eh_frame (LSB 5.0 core, 10.6) -> its entries in the order of the code that they are of, which is
 * given in file offsets. Entries of code that is in no executable segment are dropped, as are those
 * whose encodings only the process itself could resolve.
 */
#ifndef RSP_LIB_UNWIND_ENTRIES_H
#define RSP_LIB_UNWIND_ENTRIES_H

#include "cfi.h"
#include "elf64.h"

/* What many functions have in common. */
struct rsp_unwind_cie {
	__u32 off; /* in the section */
	__u8 encoding;
	bool has_augmentation, is_signal_frame, bad;
	struct rsp_cfi_factors factors;
	struct rsp_cfi_state initial;
};

enum rsp_unwind_fde_kind {
	RSP_FDE_CFI,	  /* an entry of .eh_frame */
	RSP_FDE_GO_DEPTH, /* the program tells depths, and lies in .gopclntab */
	RSP_FDE_FIXED,	  /* one row */
};

/* Code from start to end. */
struct rsp_unwind_fde {
	__u32 start, end;
	enum rsp_unwind_fde_kind kind;
	__u8 rules; /* fixed: the row's; Go: that of the frame pointer, once the stack is deeper */
	__u32 cie;
	__u32 program_off, program_len; /* in the section */
};

struct rsp_unwind_entries {
	struct {
		struct rsp_unwind_cie *v;
		size_t cnt, cap;
	} cies; /* by off */
	struct {
		struct rsp_unwind_fde *v;
		size_t cnt, cap;
	} fdes; /* by start; they may overlap */
};

/*
 * Embedded. Points into the section. -EBADMSG: an entry goes beyond the end; -E2BIG: more common
 * ones than any program has; -ENOMEM.
 */
int rsp_unwind_entries_read(const struct rsp_elf64 *elf, const struct rsp_elf64_section *section,
			    struct rsp_unwind_entries *ret);
/* For who added some. */
void rsp_unwind_entries_sort(struct rsp_unwind_entries *entries);
void rsp_unwind_entries_done(struct rsp_unwind_entries *entries);

#endif
