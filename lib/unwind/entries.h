/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the entries of .eh_frame (LSB 5.0 core, 10.6), and sorts them by the file offsets of their
 * code. Skips entries for code outside of the executable segments.
 */
#ifndef RSP_LIB_UNWIND_ENTRIES_H
#define RSP_LIB_UNWIND_ENTRIES_H

#include "lib/unwind/cfi.h"
#include "lib/unwind/elf64.h"

/* A CIE: the common part of the entries of many functions. */
struct rsp_unwind_cie {
	__u32 off; /* offset in the section */
	__u8 encoding;
	bool has_augmentation, is_signal_frame, bad;
	struct rsp_cfi_factors factors;
	struct rsp_cfi_state initial;
};

enum rsp_unwind_fde_kind {
	RSP_FDE_CFI,	  /* an entry of .eh_frame */
	RSP_FDE_GO_DEPTH, /* a function in .gopclntab, with a program of stack depths */
	RSP_FDE_FIXED,	  /* one row for the whole function */
};

struct rsp_unwind_fde {
	__u32 start, end;
	enum rsp_unwind_fde_kind kind;
	/*
	 * FIXED: the rules of the row. GO_DEPTH: the rule for the frame pointer while the depth of
	 * the stack is not 0.
	 */
	__u8 rules;
	__u32 cie;
	__u32 program_off, program_len; /* offset and length of its program in the section */
};

struct rsp_unwind_entries {
	struct {
		struct rsp_unwind_cie *v;
		size_t cnt, cap;
	} cies; /* sorted by off */
	struct {
		struct rsp_unwind_fde *v;
		size_t cnt, cap;
	} fdes; /* sorted by start; may overlap */
};

/*
 * *ret points into the section. Returns 0; -EBADMSG: an entry exceeds the section; -E2BIG: more
 * CIEs than any real program has; -ENOMEM.
 */
int rsp_unwind_entries_read(const struct rsp_elf64 *elf, const struct rsp_elf64_section *section,
			    struct rsp_unwind_entries *ret);
/* Must be called after the last entry is added. */
void rsp_unwind_entries_sort(struct rsp_unwind_entries *entries);
void rsp_unwind_entries_done(struct rsp_unwind_entries *entries);

#endif
