/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The SYMBOLS section: for each stack id the names of its frames. The recorder names kernel stacks;
 * a client that may read the files names user stacks; each writes a section. Kernel functions that
 * records contain as addresses (of timers, of work) are stacks of one frame, with this address as
 * id.
 *
 * Section layout, little-endian, every part 8-byte aligned:
 *   struct rsp_symsec { u32 magic, stack_cnt, frame_cnt, string_bytes }
 *   stack_cnt x struct rsp_symsec_stack { u64 id; u32 first_frame; u32 frame_cnt }, sorted by id
 *   frame_cnt x struct rsp_symsec_frame { u32 symbol_off, module_off }   offsets into the strings
 *   string_bytes of NUL-terminated strings; offset 0 is ""
 * A reader checks every count and offset.
 */
#ifndef RSP_LIB_SYMBOLS_H
#define RSP_LIB_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#include "rsp/event.h"

/*
 * Kinds of records that are needed to name frames: stacks, binaries, and the processes that mapped
 * the binaries.
 */
#define RSP_SYMBOLS_KINDS (1U << RSP_EV_STACK | 1U << RSP_EV_BINARY | 1U << RSP_EV_TASK)

/* --- building a section --------------------------------------------------------------------- */

struct rsp_symbols_builder;

int rsp_symbols_builder_new(struct rsp_symbols_builder **ret);
struct rsp_symbols_builder *rsp_symbols_builder_free(struct rsp_symbols_builder *b);
/*
 * rsp_symbols_add_stack() begins a stack. rsp_symbols_add_frame() adds its next frame, leaf first,
 * and copies the strings. If a stack is added twice, its first names are used. Both functions
 * return 0, -ENOMEM or -E2BIG.
 */
int rsp_symbols_add_stack(struct rsp_symbols_builder *b, __u64 stack_id);
int rsp_symbols_add_frame(struct rsp_symbols_builder *b, const char *symbol, const char *module);
/* Makes the bytes of the section, which the caller frees. Returns 0, -ENOMEM or -E2BIG. */
int rsp_symbols_builder_finish(struct rsp_symbols_builder *b, void **ret, size_t *ret_len);

/* --- reading a section ---------------------------------------------------------------------- */

/* A checked view of the bytes of a section. The bytes must be 8-byte aligned and outlive it. */
struct rsp_symbols;

int rsp_symbols_open(const void *data, size_t len,
		     struct rsp_symbols **ret); /* Returns 0, -EBADMSG or -ENOMEM. */
struct rsp_symbols *rsp_symbols_free(struct rsp_symbols *s);
/* Returns -ENOENT if no frames are known for the stack. */
int rsp_symbols_frame_cnt(const struct rsp_symbols *s, __u64 stack_id);
/*
 * Copies the names of the stack `id`, if it has any, from s to b, where the stack gets the id `as`.
 * Returns 0 or an error of rsp_symbols_add_stack().
 */
int rsp_symbols_copy_stack(struct rsp_symbols_builder *b, const struct rsp_symbols *s, __u64 id,
			   __u64 as);
/* Like rsp_symbols_copy_stack(), for all stacks of s. rename() returns the new id of a stack. */
int rsp_symbols_copy_all(struct rsp_symbols_builder *b, const struct rsp_symbols *s,
			 __u64 (*rename)(__u64 id, void *userdata), void *userdata);
/*
 * 0 <= i < rsp_symbols_frame_cnt(). The strings belong to s and contain only printable characters
 * (lib/base/text.h).
 */
void rsp_symbols_frame(const struct rsp_symbols *s, __u64 stack_id, int i, const char **ret_symbol,
		       const char **ret_module);

#endif
