/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See cfi.h. */
#include "lib/unwind/cfi.h"

#include <dwarf.h>
#include <stdint.h>

/* --- instructions ----------------------------------------------------------------------------- */

static struct rsp_cfi_rule *rule_of(struct rsp_cfi_state *state, __u64 reg)
{
	switch (reg) {
	case RSP_CFI_REG_FP:
		return &state->fp;
	case RSP_CFI_REG_BX:
		return &state->bx;
	case RSP_CFI_REG_SP:
		return &state->sp;
	case RSP_CFI_REG_RA:
		return &state->ra;
	default:
		return NULL;
	}
}

static void set_rule(struct rsp_cfi *cfi, __u64 reg, struct rsp_cfi_rule rule)
{
	struct rsp_cfi_rule *of = rule_of(&cfi->now, reg);

	if (of)
		*of = rule;
}

static void set_how(struct rsp_cfi *cfi, __u64 reg, enum rsp_cfi_how how)
{
	set_rule(cfi, reg, (struct rsp_cfi_rule){.how = how});
}

/*
 * The product overflows only in a damaged file. Its low 64 bits could be a valid offset, so the
 * program is then bad.
 */
static __s64 factored(struct rsp_cfi *cfi, __u64 n)
{
	__s64 ret;

	cfi->program.bad |= __builtin_mul_overflow((__s64)n, cfi->factors.data, &ret);
	return ret;
}

static void set_saved(struct rsp_cfi *cfi, __u64 reg, __u64 n)
{
	set_rule(cfi, reg, (struct rsp_cfi_rule){.how = RSP_CFI_AT_CFA, .n = factored(cfi, n)});
}

static void restore(struct rsp_cfi *cfi, __u64 reg)
{
	const struct rsp_cfi_rule *initial = rule_of(&cfi->initial, reg);

	if (initial)
		set_rule(cfi, reg, *initial);
}

static struct rsp_cfi_rule take_expr(struct rsp_cfi *cfi)
{
	struct rsp_cfi_rule rule = {.how = RSP_CFI_AT_EXPR};
	__u64 len = rsp_bytes_uleb(&cfi->program);

	rule.expr = rsp_bytes_take(&cfi->program, len);
	rule.expr_len = rule.expr ? (__u32)len : 0;
	return rule;
}

static void set_cfa(struct rsp_cfi *cfi, __u64 reg, __s64 n)
{
	cfi->now.cfa = (struct rsp_cfi_rule){
		.how = RSP_CFI_AT_CFA,
		.reg = reg < UINT32_MAX ? (__u32)reg : UINT32_MAX,
		.n = n,
	};
}

/*
 * NULL: no change. If the CFA is an expression, it has no register and no offset, so the program is
 * damaged.
 */
static void change_cfa(struct rsp_cfi *cfi, const __u64 *reg, const __s64 *n)
{
	const struct rsp_cfi_rule *cfa = &cfi->now.cfa;

	if (cfa->how == RSP_CFI_AT_CFA)
		set_cfa(cfi, reg ? *reg : cfa->reg, n ? *n : cfa->n);
	else
		cfi->program.bad = true;
}

static void remember(struct rsp_cfi *cfi)
{
	if (cfi->remembered_cnt < RSP_CFI_REMEMBER_MAX)
		cfi->remembered[cfi->remembered_cnt++] = cfi->now;
	else
		cfi->program.bad = true;
}

static void restore_state(struct rsp_cfi *cfi)
{
	if (cfi->remembered_cnt)
		cfi->now = cfi->remembered[--cfi->remembered_cnt];
	else
		cfi->program.bad = true;
}

/* Returns whether the instruction defines the CFA. */
static bool run_cfa(struct rsp_cfi *cfi, __u8 op)
{
	struct rsp_bytes *b = &cfi->program;
	__u64 reg;
	__s64 n;

	switch (op) {
	case DW_CFA_def_cfa:
		reg = rsp_bytes_uleb(b);
		set_cfa(cfi, reg, (__s64)rsp_bytes_uleb(b));
		return true;
	case DW_CFA_def_cfa_sf:
		reg = rsp_bytes_uleb(b);
		set_cfa(cfi, reg, factored(cfi, rsp_bytes_leb(b, true)));
		return true;
	case DW_CFA_def_cfa_register:
		reg = rsp_bytes_uleb(b);
		change_cfa(cfi, &reg, NULL);
		return true;
	case DW_CFA_def_cfa_offset:
		n = (__s64)rsp_bytes_uleb(b);
		change_cfa(cfi, NULL, &n);
		return true;
	case DW_CFA_def_cfa_offset_sf:
		n = factored(cfi, rsp_bytes_leb(b, true));
		change_cfa(cfi, NULL, &n);
		return true;
	case DW_CFA_def_cfa_expression:
		cfi->now.cfa = take_expr(cfi);
		return true;
	default:
		return false;
	}
}

/* Returns whether the instruction defines the rule of a register. */
static bool run_register(struct rsp_cfi *cfi, __u8 op)
{
	struct rsp_bytes *b = &cfi->program;
	__u64 reg;

	switch (op) {
	case DW_CFA_offset_extended:
		reg = rsp_bytes_uleb(b);
		set_saved(cfi, reg, rsp_bytes_uleb(b));
		return true;
	case DW_CFA_offset_extended_sf:
		reg = rsp_bytes_uleb(b);
		set_saved(cfi, reg, rsp_bytes_leb(b, true));
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		reg = rsp_bytes_uleb(b);
		set_saved(cfi, reg, 0 - rsp_bytes_uleb(b));
		return true;
	case DW_CFA_restore_extended:
		restore(cfi, rsp_bytes_uleb(b));
		return true;
	case DW_CFA_undefined:
		set_how(cfi, rsp_bytes_uleb(b), RSP_CFI_UNDEFINED);
		return true;
	case DW_CFA_same_value:
		set_how(cfi, rsp_bytes_uleb(b), RSP_CFI_SAME);
		return true;
	case DW_CFA_register:
		reg = rsp_bytes_uleb(b);
		set_rule(cfi, reg,
			 (struct rsp_cfi_rule){.how = RSP_CFI_REGISTER,
					       .n = (__s64)rsp_bytes_uleb(b)});
		return true;
	case DW_CFA_expression:
		reg = rsp_bytes_uleb(b);
		set_rule(cfi, reg, take_expr(cfi));
		return true;
	case DW_CFA_val_expression:
		set_how(cfi, rsp_bytes_uleb(b), RSP_CFI_OTHER);
		take_expr(cfi);
		return true;
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
		set_how(cfi, rsp_bytes_uleb(b), RSP_CFI_OTHER);
		rsp_bytes_uleb(b);
		return true;
	default:
		return false;
	}
}

static void run_other(struct rsp_cfi *cfi, __u8 op)
{
	switch (op) {
	case DW_CFA_nop:
		return;
	case DW_CFA_remember_state:
		return remember(cfi);
	case DW_CFA_restore_state:
		return restore_state(cfi);
	case DW_CFA_GNU_args_size:
		rsp_bytes_uleb(&cfi->program);
		return;
	default: /* unknown instructions, and DW_CFA_set_loc, which no assembler emits */
		cfi->program.bad = true;
	}
}

/* Returns whether the instruction advances the location. */
static bool take_advance(struct rsp_cfi *cfi, __u8 op, __u64 *ret)
{
	switch (op) {
	case DW_CFA_advance_loc1:
		*ret = rsp_bytes_uint(&cfi->program, 1);
		return true;
	case DW_CFA_advance_loc2:
		*ret = rsp_bytes_uint(&cfi->program, 2);
		return true;
	case DW_CFA_advance_loc4:
		*ret = rsp_bytes_uint(&cfi->program, 4);
		return true;
	default:
		*ret = op & 0x3f;
		return (op & 0xc0) == DW_CFA_advance_loc;
	}
}

bool rsp_cfi_step(struct rsp_cfi *cfi, __u64 *ret_bytes)
{
	while (rsp_bytes_left(&cfi->program) && !cfi->program.bad) {
		__u8 op = (__u8)rsp_bytes_uint(&cfi->program, 1);
		__u64 advance;

		if (take_advance(cfi, op, &advance)) {
			if (cfi->program.bad ||
			    __builtin_mul_overflow(advance, cfi->factors.code, ret_bytes))
				break;
			return true;
		}
		if ((op & 0xc0) == DW_CFA_offset)
			set_saved(cfi, op & 0x3f, rsp_bytes_uleb(&cfi->program));
		else if ((op & 0xc0) == DW_CFA_restore)
			restore(cfi, op & 0x3f);
		else if (!run_cfa(cfi, op) && !run_register(cfi, op))
			run_other(cfi, op);
	}
	return false;
}

/* --- rows ------------------------------------------------------------------------------------- */

/*
 * An expression of a known form: reg + n, or, with deref, the value in memory at reg + n, plus
 * `plus`.
 */
struct place {
	__u64 reg, plus;
	__s64 n;
	bool deref;
};

/*
 * Returns false if the expression has another form. An operand may be encoded in more bytes than
 * necessary.
 */
static bool parse_place(const struct rsp_cfi_rule *rule, struct place *ret)
{
	struct rsp_bytes b = {rule->expr, rule->expr + rule->expr_len, false};
	struct place place = {0};
	__u64 op = rsp_bytes_uint(&b, 1);

	if (op < DW_OP_breg0 || op > DW_OP_breg31)
		return false;
	place.reg = op - DW_OP_breg0;
	place.n = rsp_bytes_sleb(&b);
	if (rsp_bytes_left(&b)) {
		place.deref = true;
		if (rsp_bytes_uint(&b, 1) != DW_OP_deref)
			return false;
	}
	if (rsp_bytes_left(&b)) {
		if (rsp_bytes_uint(&b, 1) != DW_OP_plus_uconst)
			return false;
		place.plus = rsp_bytes_uleb(&b);
	}
	*ret = place;
	return !b.bad && !rsp_bytes_left(&b);
}

static bool is_place(const struct rsp_cfi_rule *rule, __u64 reg, __s64 n, bool deref)
{
	struct place place;

	return rule->how == RSP_CFI_AT_EXPR && parse_place(rule, &place) && place.reg == reg &&
	       place.n == n && place.deref == deref && !place.plus;
}

/* libc's rules for the code to which a signal handler returns find rsp and rip in sigcontext. */
static bool is_kernel_signal_frame(const struct rsp_cfi_state *state)
{
	return is_place(&state->cfa, RSP_CFI_REG_SP, 160, true) &&
	       is_place(&state->ra, RSP_CFI_REG_SP, 168, false);
}

/*
 * Linkers generate this rule for .plt. An entry of .plt has 16 bytes and two push instructions, of
 * which the first ends at byte 11.
 */
static bool is_plt(const struct rsp_cfi_rule *cfa)
{
	static const __u8 plt[] = {DW_OP_breg7, 8,	   DW_OP_breg16, 0,
				   DW_OP_lit15, DW_OP_and, DW_OP_lit11,	 DW_OP_ge,
				   DW_OP_lit3,	DW_OP_shl, DW_OP_plus};

	return cfa->expr_len == sizeof(plt) && memcmp(cfa->expr, plt, sizeof(plt)) == 0;
}

static bool find_cfa_by_expr(const struct rsp_cfi_rule *cfa, enum rsp_unwind_cfa *ret, __s64 *ret_n)
{
	struct place place;

	if (is_plt(cfa)) {
		*ret = RSP_CFA_PLT;
		*ret_n = 0;
		return true;
	}
	if (!parse_place(cfa, &place) || !place.deref)
		return false;
	*ret_n = place.n;
	if (place.reg == RSP_CFI_REG_FP && place.plus == 0)
		*ret = RSP_CFA_FP_DEREF;
	else if (place.reg == RSP_CFI_REG_SP && place.plus == 8)
		*ret = RSP_CFA_SP_DEREF8;
	else
		return false;
	return true;
}

static enum rsp_unwind_gap find_cfa(const struct rsp_cfi_rule *cfa, enum rsp_unwind_cfa *ret,
				    __s64 *ret_n)
{
	if (cfa->how == RSP_CFI_AT_EXPR)
		return find_cfa_by_expr(cfa, ret, ret_n) ? RSP_GAP_NONE : RSP_GAP_CFA_EXPR;
	if (cfa->how != RSP_CFI_AT_CFA)
		return RSP_GAP_BAD;
	*ret_n = cfa->n;
	switch (cfa->reg) {
	case RSP_CFI_REG_SP:
		*ret = RSP_CFA_SP;
		return RSP_GAP_NONE;
	case RSP_CFI_REG_FP:
		*ret = RSP_CFA_FP;
		return RSP_GAP_NONE;
	case RSP_CFI_REG_BX:
		*ret = RSP_CFA_BX;
		return RSP_GAP_NONE;
	default:
		return RSP_GAP_CFA_REG;
	}
}

static bool fits(__s64 n, __s64 min, __s64 max)
{
	return n % 8 == 0 && n / 8 >= min && n / 8 <= max;
}

/* If a row cannot express the rule, the frame pointer is lost; many callers do not need it. */
static enum rsp_unwind_fp find_fp(const struct rsp_cfi_rule *fp, __s64 *ret_n)
{
	enum rsp_unwind_fp how = RSP_FP_UNDEFINED;
	struct place place;

	if (fp->how == RSP_CFI_UNSAID || fp->how == RSP_CFI_SAME ||
	    (fp->how == RSP_CFI_REGISTER && fp->n == RSP_CFI_REG_FP))
		return RSP_FP_SAME;
	if (fp->how == RSP_CFI_AT_CFA) {
		how = RSP_FP_CFA;
		*ret_n = fp->n;
	} else if (fp->how == RSP_CFI_AT_EXPR && parse_place(fp, &place) && !place.deref &&
		   place.reg == RSP_CFI_REG_FP) {
		how = RSP_FP_FP;
		*ret_n = place.n;
	}
	return fits(*ret_n, INT8_MIN, INT8_MAX) ? how : RSP_FP_UNDEFINED;
}

/* fp_n: offset of the saved frame pointer in the row; may be replaced by the offset of rbx. */
static enum rsp_unwind_bx find_bx(const struct rsp_cfi_rule *bx, enum rsp_unwind_fp fp, __s64 *fp_n)
{
	if (bx->how == RSP_CFI_UNSAID || bx->how == RSP_CFI_SAME)
		return RSP_BX_SAME;
	if (bx->how != RSP_CFI_AT_CFA)
		return RSP_BX_UNDEFINED;
	if (fp == RSP_FP_CFA && bx->n == *fp_n - 8)
		return RSP_BX_BELOW_FP;
	if (fp != RSP_FP_SAME || !fits(bx->n, INT8_MIN, INT8_MAX))
		return RSP_BX_UNDEFINED;
	*fp_n = bx->n;
	return RSP_BX_CFA;
}

static enum rsp_unwind_gap ordinary_row(const struct rsp_cfi_state *state,
					struct rsp_unwind_row *ret)
{
	bool in_rdi = state->ra.how == RSP_CFI_REGISTER && state->ra.n == RSP_CFI_REG_RDI;
	__s64 cfa_n = 0, fp_n = 0;
	enum rsp_unwind_gap gap;
	enum rsp_unwind_cfa cfa = RSP_CFA_NONE;
	enum rsp_unwind_fp fp;
	enum rsp_unwind_bx bx;

	gap = find_cfa(&state->cfa, &cfa, &cfa_n);
	if (gap != RSP_GAP_NONE)
		return gap;
	if (!fits(cfa_n, INT16_MIN, INT16_MAX))
		return RSP_GAP_CFA_OFFSET;
	if (in_rdi && cfa == RSP_CFA_SP)
		cfa = RSP_CFA_RA_RDI;
	else if (state->ra.how != RSP_CFI_AT_CFA || state->ra.n != -8)
		return RSP_GAP_RA;
	/*
	 * The caller's stack pointer is the CFA. If the entry has another rule for it, this is not
	 * the frame of a call.
	 */
	if (state->sp.how != RSP_CFI_UNSAID)
		return RSP_GAP_RA;
	fp = find_fp(&state->fp, &fp_n);
	if (fp == RSP_FP_SAME || fp == RSP_FP_UNDEFINED)
		fp_n = 0;
	bx = find_bx(&state->bx, fp, &fp_n);
	*ret = (struct rsp_unwind_row){.cfa = (__s16)(cfa_n / 8),
				       .fp = (__s8)(fp_n / 8),
				       .rules = RSP_UNWIND_RULES(cfa, fp, bx)};
	return RSP_GAP_NONE;
}

enum rsp_unwind_gap rsp_cfi_row(const struct rsp_cfi_state *state, bool is_signal_frame,
				struct rsp_unwind_row *ret)
{
	*ret = (struct rsp_unwind_row){.rules = RSP_CFA_NONE};
	if (is_signal_frame) {
		if (!is_kernel_signal_frame(state))
			return RSP_GAP_SIGNAL;
		ret->rules = RSP_CFA_SIGNAL;
		return RSP_GAP_NONE;
	}
	if (state->ra.how == RSP_CFI_UNDEFINED) {
		ret->rules = RSP_CFA_OUTERMOST;
		return RSP_GAP_NONE;
	}
	return ordinary_row(state, ret);
}
