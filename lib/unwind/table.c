/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See table.h. */
#include "lib/unwind/table.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/unwind/entries.h"
#include "lib/unwind/gopclntab.h"

#define ROW_CNT_MAX ((size_t)RSP_UNWIND_BLOCK_MAX * RSP_UNWIND_ROWS_PER_BLOCK)

/*
 * Functions begin at multiples of 16, and no code runs between them. So the rule at the end of a
 * function may stay valid until the next function. This saves a tenth of the rows.
 */
#define PADDING_BYTES_MAX 15

/* Functions of Go begin at multiples of 32. */
#define GO_PADDING_BYTES_MAX 31

struct rows {
	struct rsp_unwind_row *v;
	size_t cnt, cap;
};

struct builder {
	struct rsp_elf64_section eh_frame, gopclntab;
	struct rsp_unwind_entries entries;
	struct rows rows;
	__u64 code_bytes[RSP_GAP_CNT];
};

/* --- rows ------------------------------------------------------------------------------------- */

static bool same_rules(const struct rsp_unwind_row *a, const struct rsp_unwind_row *b)
{
	return a->cfa == b->cfa && a->fp == b->fp && a->rules == b->rules;
}

/* Must be called in ascending order of pc, once per pc. */
static int add_row(struct rows *rows, __u32 pc, struct rsp_unwind_row row)
{
	struct rsp_unwind_row *new;

	if (rows->cnt && same_rules(&rows->v[rows->cnt - 1], &row))
		return 0;
	if (rows->cnt == ROW_CNT_MAX)
		return -E2BIG;
	new = rsp_array_add(rows);
	if (!new)
		return -ENOMEM;
	*new = row;
	new->pc = pc;
	return 0;
}

static int add_nothing(struct rows *rows, __u32 pc)
{
	return add_row(rows, pc, (struct rsp_unwind_row){.rules = RSP_CFA_NONE});
}

static int add_rows(struct builder *b, const struct rsp_unwind_cie *cie, struct rsp_cfi *cfi,
		    __u32 start, __u32 end)
{
	bool more = true;

	while (more && start < end) {
		struct rsp_unwind_row row = {.rules = RSP_CFA_NONE};
		enum rsp_unwind_gap gap = RSP_GAP_BAD;
		__u64 bytes;
		int r;

		more = rsp_cfi_step(cfi, &bytes);
		if (!more || bytes > end - start)
			bytes = end - start;
		if (!bytes)
			continue;
		if (!cfi->program.bad)
			gap = rsp_cfi_row(&cfi->now, cie->is_signal_frame, &row);
		r = add_row(&b->rows, start, row);
		if (r < 0)
			return r;
		b->code_bytes[gap] += bytes;
		start += (__u32)bytes;
	}
	return 0;
}

static int add_cfi(struct builder *b, const struct rsp_unwind_fde *fde, __u32 end)
{
	const struct rsp_unwind_cie *cie = &b->entries.cies.v[fde->cie];
	const __u8 *program = b->eh_frame.data + fde->program_off;
	struct rsp_cfi cfi = {
		.program = {program, program + fde->program_len, cie->bad},
		.factors = cie->factors,
		.now = cie->initial,
		.initial = cie->initial,
	};

	return add_rows(b, cie, &cfi, fde->start, end);
}

/*
 * Go's compiler saves the frame pointer next to the return address. Returns false if the depth does
 * not fit into a row.
 */
static bool depth_row(const struct rsp_unwind_fde *fde, __s64 depth, struct rsp_unwind_row *ret)
{
	if (depth < 0 || depth % 8 || depth / 8 >= INT16_MAX)
		return false;
	*ret = (struct rsp_unwind_row){.cfa = (__s16)(depth / 8 + 1), .rules = RSP_CFA_SP};
	if (depth) {
		ret->rules |= fde->rules;
		ret->fp = RSP_UNWIND_FP(fde->rules) == RSP_FP_CFA ? -2 : 0;
	}
	return true;
}

/*
 * Each step but the first changes the depth, and the loop ends at the first depth that does not fit
 * into a row. So the time is limited by the number of rows, even if many functions of a hostile
 * file share a long program.
 */
static int add_go(struct builder *b, const struct rsp_unwind_fde *fde, __u32 end)
{
	const __u8 *program = b->gopclntab.data + fde->program_off;
	struct rsp_go_depth depth = RSP_GO_DEPTH_INIT(program, program + fde->program_len);
	__u32 start = fde->start;
	__u64 bytes;

	while (start < end && rsp_go_depth_step(&depth, &bytes)) {
		struct rsp_unwind_row row;
		int r;

		if (!depth_row(fde, depth.now, &row))
			return add_nothing(&b->rows, start);
		r = add_row(&b->rows, start, row);
		if (r < 0)
			return r;
		if (bytes > end - start)
			bytes = end - start;
		b->code_bytes[RSP_GAP_NONE] += bytes;
		start += (__u32)bytes;
	}
	/* no code runs between the end of a function and the next function */
	return end - start > GO_PADDING_BYTES_MAX ? add_nothing(&b->rows, start) : 0;
}

static int add_function(struct builder *b, const struct rsp_unwind_fde *fde, __u32 end)
{
	switch (fde->kind) {
	case RSP_FDE_CFI:
		return add_cfi(b, fde, end);
	case RSP_FDE_GO_DEPTH:
		return add_go(b, fde, end);
	case RSP_FDE_FIXED:
		if (fde->rules)
			b->code_bytes[RSP_GAP_NONE] += end - fde->start;
		return add_row(&b->rows, fde->start, (struct rsp_unwind_row){.rules = fde->rules});
	}
	return 0;
}

/* If entries overlap, the entry that begins last counts, as in the unwinding of exceptions. */
static int make_rows(struct builder *b)
{
	const struct rsp_unwind_fde *fdes = b->entries.fdes.v;
	size_t cnt = b->entries.fdes.cnt;
	__u32 reached = 0;
	int r;

	for (size_t i = 0; i < cnt; i++) {
		__u32 end = fdes[i].end;

		if (i && fdes[i].start == fdes[i - 1].start)
			continue;
		for (size_t next = i + 1; next < cnt && fdes[next].start < end; next++)
			if (fdes[next].start > fdes[i].start)
				end = fdes[next].start;
		if (i && fdes[i].start - reached > PADDING_BYTES_MAX) {
			r = add_nothing(&b->rows, reached);
			if (r < 0)
				return r;
		}
		r = add_function(b, &fdes[i], end);
		if (r < 0)
			return r;
		reached = end;
	}
	return cnt ? add_nothing(&b->rows, reached) : -ENODATA;
}

/* --- blocks ----------------------------------------------------------------------------------- */

static __u32 page_of(const struct rsp_unwind_row *row)
{
	return row->pc >> RSP_UNWIND_PAGE_SHIFT;
}

static size_t blocks_for(size_t cnt, size_t per_block)
{
	return (cnt + per_block - 1) / per_block;
}

static __u32 row_block_for(size_t page_cnt)
{
	return (__u32)blocks_for(RSP_UNWIND_INDEX_OFF + page_cnt + 1, RSP_UNWIND_INDEX_PER_BLOCK);
}

static size_t block_cnt_for(const struct rsp_unwind_head *head)
{
	return head->row_block + blocks_for(head->row_cnt, RSP_UNWIND_ROWS_PER_BLOCK);
}

static void fill_index(__u32 *index, const struct rsp_unwind_head *head, const struct rows *rows)
{
	__u32 row = 0;

	for (__u32 i = 0; i <= head->page_cnt; i++) {
		while (row < rows->cnt && page_of(&rows->v[row]) < head->first_page + i)
			row++;
		index[i] = row;
	}
}

static int make_blocks(const struct rows *rows, struct rsp_unwind_table *ret)
{
	struct rsp_unwind_head head = {.row_cnt = (__u32)rows->cnt};
	size_t len;
	__u8 *blocks;

	head.first_page = page_of(&rows->v[0]);
	head.page_cnt = page_of(&rows->v[rows->cnt - 1]) - head.first_page + 1;
	head.row_block = row_block_for(head.page_cnt);
	if (block_cnt_for(&head) > RSP_UNWIND_BLOCK_MAX)
		return -E2BIG;
	len = block_cnt_for(&head) * RSP_UNWIND_BLOCK_BYTES;
	blocks = calloc(1, len);
	if (!blocks)
		return -ENOMEM;
	memcpy(blocks, &head, sizeof(head));
	fill_index((__u32 *)blocks + RSP_UNWIND_INDEX_OFF, &head, rows);
	memcpy(blocks + (size_t)head.row_block * RSP_UNWIND_BLOCK_BYTES, rows->v,
	       rows->cnt * sizeof(*rows->v));
	ret->blocks = blocks;
	ret->len = len;
	return 0;
}

static void free_builder(struct builder *b)
{
	free(b->rows.v);
	rsp_unwind_entries_done(&b->entries);
	free(b->eh_frame.data);
	free(b->gopclntab.data);
}

static int read_entries(const struct rsp_elf64 *elf, struct builder *b)
{
	int r = rsp_elf64_eh_frame(elf, &b->eh_frame);

	if (r == 0)
		r = rsp_unwind_entries_read(elf, &b->eh_frame, &b->entries);
	if (r < 0 && r != -ENODATA)
		return r;
	/* Failures are ignored, because Go's code has frame pointers. */
	r = rsp_gopclntab_read(elf, &b->gopclntab, &b->entries);
	if (r == 0)
		rsp_unwind_entries_sort(&b->entries);
	return r == -ENOMEM ? r : 0;
}

static int build_blocks(const struct rsp_elf64 *elf, struct rsp_unwind_table *ret)
{
	_cleanup_(free_builder) struct builder b = {0};
	int r;

	r = read_entries(elf, &b);
	if (r < 0)
		return r;
	r = make_rows(&b);
	if (r < 0)
		return r;
	memcpy(ret->code_bytes, b.code_bytes, sizeof(b.code_bytes));
	return make_blocks(&b.rows, ret);
}

static int build(const struct rsp_elf64 *elf, struct rsp_unwind_table *ret)
{
	struct rsp_unwind_table table = {0};
	int r;

	table.build_id_len = (__u32)rsp_elf64_build_id(elf, table.build_id);
	r = build_blocks(elf, &table);
	*ret = table;
	return r;
}

int rsp_unwind_table_build(int fd, struct rsp_unwind_table *ret)
{
	struct rsp_elf64 elf;
	int r = rsp_elf64_open(&elf, fd);

	return r < 0 ? r : build(&elf, ret);
}

int rsp_unwind_table_build_memory(const void *image, size_t len, struct rsp_unwind_table *ret)
{
	struct rsp_elf64 elf;
	int r = rsp_elf64_open_memory(&elf, image, len);

	return r < 0 ? r : build(&elf, ret);
}

void rsp_unwind_table_done(struct rsp_unwind_table *table)
{
	free(table->blocks);
	table->blocks = NULL;
	table->len = 0;
}

/* --- a finished table ------------------------------------------------------------------------- */

static const __u32 *index_of(const void *blocks)
{
	return (const __u32 *)blocks + RSP_UNWIND_INDEX_OFF;
}

static const struct rsp_unwind_row *rows_of(const void *blocks)
{
	const struct rsp_unwind_head *head = blocks;

	return (const void *)((const char *)blocks +
			      (size_t)head->row_block * RSP_UNWIND_BLOCK_BYTES);
}

static bool head_ok(const void *blocks, size_t len)
{
	const struct rsp_unwind_head *head = blocks;

	return len && len % RSP_UNWIND_BLOCK_BYTES == 0 &&
	       len / RSP_UNWIND_BLOCK_BYTES <= RSP_UNWIND_BLOCK_MAX && head->page_cnt &&
	       head->page_cnt <= RSP_UNWIND_PAGE_MAX &&
	       head->first_page <= RSP_UNWIND_PAGE_MAX - head->page_cnt && head->row_cnt &&
	       head->row_block == row_block_for(head->page_cnt) &&
	       block_cnt_for(head) == len / RSP_UNWIND_BLOCK_BYTES;
}

static bool index_ok(const void *blocks)
{
	const struct rsp_unwind_head *head = blocks;
	const struct rsp_unwind_row *rows = rows_of(blocks);
	const __u32 *index = index_of(blocks);
	__u32 row = 0;

	for (__u32 i = 0; i <= head->page_cnt; i++) {
		while (row < head->row_cnt && page_of(&rows[row]) < head->first_page + i)
			row++;
		if (index[i] != row)
			return false;
	}
	return row == head->row_cnt;
}

static bool rows_ok(const void *blocks)
{
	const struct rsp_unwind_head *head = blocks;
	const struct rsp_unwind_row *rows = rows_of(blocks);

	for (__u32 i = 0; i < head->row_cnt; i++) {
		if (i && rows[i].pc <= rows[i - 1].pc)
			return false;
		if (RSP_UNWIND_CFA(rows[i].rules) > RSP_CFA_BX)
			return false;
	}
	return true;
}

int rsp_unwind_table_check(const void *blocks, size_t len)
{
	return head_ok(blocks, len) && rows_ok(blocks) && index_ok(blocks) ? 0 : -EBADMSG;
}

bool rsp_unwind_find(const void *blocks, size_t len, __u64 file_off, struct rsp_unwind_row *ret)
{
	const struct rsp_unwind_head *head = blocks;
	const struct rsp_unwind_row *rows = rows_of(blocks);
	__u64 page = (file_off >> RSP_UNWIND_PAGE_SHIFT) - head->first_page;
	__u32 lo, hi;

	if (file_off >> RSP_UNWIND_PAGE_SHIFT < head->first_page || page >= head->page_cnt)
		return false;
	/* Find the first row beyond file_off. The row before it contains file_off. */
	lo = index_of(blocks)[page];
	hi = index_of(blocks)[page + 1];
	while (lo < hi) {
		__u32 mid = lo + (hi - lo) / 2;

		if (rows[mid].pc <= file_off)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return false;
	*ret = rows[lo - 1];
	return true;
}
