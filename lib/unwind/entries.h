/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the entries of .eh_frame (LSB 5.0 core, 10.6), and sorts them by the file offsets of their
 * code. Drops entries whose code is in no executable segment, and entries whose encodings only the
 * process itself could resolve.
 */
#ifndef RSP_LIB_UNWIND_ENTRIES_H
#define RSP_LIB_UNWIND_ENTRIES_H

#include "lib/unwind/cfi.h"
#include "lib/unwind/elf64.h"

/* The common part of the entries of many functions. */
struct rsp_unwind_cie {
	__u32 off; /* in the section */
	__u8 encoding;
	bool has_augmentation, is_signal_frame, bad;
	struct rsp_cfi_factors factors;
	struct rsp_cfi_state initial;
};

enum rsp_unwind_fde_kind {
	RSP_FDE_CFI,	  /* an entry of .eh_frame */
	RSP_FDE_GO_DEPTH, /* its program is in .gopclntab and contains stack depths */
	RSP_FDE_FIXED,	  /* one row */
};

/* The entry for the code from start to end. */
struct rsp_unwind_fde {
	__u32 start, end;
	enum rsp_unwind_fde_kind kind;
	/*
	 * FIXED: the rules of the row; GO_DEPTH: the rule for the frame pointer when the stack is
	 * deeper
	 */
	__u8 rules;
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
	} fdes; /* sorted by start; may overlap */
};

/*
 * Initializes *ret, which points into the section. -EBADMSG: an entry exceeds the section; -E2BIG:
 * more CIEs than any real program has; -ENOMEM.
 */
int rsp_unwind_entries_read(const struct rsp_elf64 *elf, const struct rsp_elf64_section *section,
			    struct rsp_unwind_entries *ret);
/* Sorts the entries. Must be called after the last entry was added. */
void rsp_unwind_entries_sort(struct rsp_unwind_entries *entries);
void rsp_unwind_entries_done(struct rsp_unwind_entries *entries);

#endif
