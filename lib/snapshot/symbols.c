/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts names of frames to the bytes of a SYMBOLS section (symbols.h), and back. Each string is
 * stored once.
 */
#include "lib/snapshot/symbols.h"

#include <assert.h>
#include <limits.h>
#include <stdint.h>

#include "lib/base/arena.h"
#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/text.h"

#define SYMSEC_MAGIC 0x59535352 /* "RSSY" */

struct rsp_symsec {
	__u32 magic;
	__u32 stack_cnt;
	__u32 frame_cnt;
	__u32 string_bytes;
};

struct rsp_symsec_stack {
	__u64 id;
	__u32 first_frame;
	__u32 frame_cnt;
};

struct rsp_symsec_frame {
	__u32 symbol_off;
	__u32 module_off;
};

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "sections are used in place");

/* --- building ------------------------------------------------------------------------------- */

struct rsp_symbols_builder {
	struct {
		struct rsp_symsec_stack *v;
		size_t cnt, cap;
	} stacks;
	struct {
		struct rsp_symsec_frame *v;
		size_t cnt, cap;
	} frames;
	/*
	 * until the section is finished, frames contain numbers of these strings instead of offsets
	 */
	struct rsp_intern strings;
};

int rsp_symbols_builder_new(struct rsp_symbols_builder **ret)
{
	struct rsp_symbols_builder *b = calloc(1, sizeof(*b));

	if (!b)
		return -ENOMEM;
	*ret = b;
	return 0;
}

struct rsp_symbols_builder *rsp_symbols_builder_free(struct rsp_symbols_builder *b)
{
	if (!b)
		return NULL;
	free(b->stacks.v);
	free(b->frames.v);
	rsp_intern_done(&b->strings);
	free(b);
	return NULL;
}

int rsp_symbols_add_stack(struct rsp_symbols_builder *b, __u64 stack_id)
{
	struct rsp_symsec_stack *stack;

	if (b->stacks.cnt == INT_MAX)
		return -E2BIG;
	stack = rsp_array_add(&b->stacks);
	if (!stack)
		return -ENOMEM;
	stack->id = stack_id;
	stack->first_frame = (__u32)b->frames.cnt;
	return 0;
}

int rsp_symbols_add_frame(struct rsp_symbols_builder *b, const char *symbol, const char *module)
{
	struct rsp_symsec_frame frame, *f;
	int r;

	assert(b->stacks.cnt);
	if (b->frames.cnt == INT_MAX)
		return -E2BIG;
	r = rsp_intern_put(&b->strings, symbol, strlen(symbol), &frame.symbol_off);
	if (r < 0)
		return r;
	r = rsp_intern_put(&b->strings, module, strlen(module), &frame.module_off);
	if (r < 0)
		return r;
	f = rsp_array_add(&b->frames);
	if (!f)
		return -ENOMEM;
	*f = frame;
	b->stacks.v[b->stacks.cnt - 1].frame_cnt++;
	return 0;
}

static int compare_stacks(const void *pa, const void *pb)
{
	const struct rsp_symsec_stack *a = pa, *b = pb;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	if (a->first_frame != b->first_frame)
		return a->first_frame < b->first_frame ? -1 : 1;
	return a->frame_cnt < b->frame_cnt ? -1 : a->frame_cnt > b->frame_cnt;
}

/* Sorts the stacks by id. If an id was added twice, its first frames count. */
static void sort_stacks(struct rsp_symbols_builder *b)
{
	size_t kept = 0;

	if (!b->stacks.cnt)
		return;
	qsort(b->stacks.v, b->stacks.cnt, sizeof(*b->stacks.v), compare_stacks);
	for (size_t i = 1; i < b->stacks.cnt; i++)
		if (b->stacks.v[i].id != b->stacks.v[kept].id)
			b->stacks.v[++kept] = b->stacks.v[i];
	b->stacks.cnt = kept + 1;
}

/* *ret_offsets has one entry more than there are strings: the padded length of all strings. */
static int place_strings(const struct rsp_symbols_builder *b, __u32 **ret_offsets)
{
	__u32 *offsets = calloc(b->strings.cnt + 1, sizeof(*offsets));
	__u64 bytes = 1; /* offset 0 is "" */

	if (!offsets)
		return -ENOMEM;
	for (uint32_t i = 0; i < b->strings.cnt && bytes < UINT32_MAX; i++) {
		offsets[i] = (__u32)bytes;
		bytes += rsp_intern_len(&b->strings, i) + 1;
	}
	if (bytes > UINT32_MAX - 7) {
		free(offsets);
		return -E2BIG;
	}
	offsets[b->strings.cnt] = (__u32)(bytes + 7) & ~7U;
	*ret_offsets = offsets;
	return 0;
}

static void put_section(const struct rsp_symbols_builder *b, const __u32 *offsets, void *data)
{
	struct rsp_symsec *head = data;
	struct rsp_symsec_stack *stacks = (void *)(head + 1);
	struct rsp_symsec_frame *frames = (void *)(stacks + b->stacks.cnt);
	char *strings = (void *)(frames + b->frames.cnt);

	*head = (struct rsp_symsec){
		.magic = SYMSEC_MAGIC,
		.stack_cnt = (__u32)b->stacks.cnt,
		.frame_cnt = (__u32)b->frames.cnt,
		.string_bytes = offsets[b->strings.cnt],
	};
	for (size_t i = 0; i < b->stacks.cnt; i++)
		stacks[i] = b->stacks.v[i];
	for (size_t i = 0; i < b->frames.cnt; i++)
		frames[i] = (struct rsp_symsec_frame){
			.symbol_off = offsets[b->frames.v[i].symbol_off],
			.module_off = offsets[b->frames.v[i].module_off],
		};
	for (uint32_t i = 0; i < b->strings.cnt; i++)
		memcpy(strings + offsets[i], rsp_intern_data(&b->strings, i),
		       rsp_intern_len(&b->strings, i));
}

int rsp_symbols_builder_finish(struct rsp_symbols_builder *b, void **ret, size_t *ret_len)
{
	_cleanup_free_ __u32 *offsets = NULL;
	size_t len;
	void *data;
	int r;

	r = place_strings(b, &offsets);
	if (r < 0)
		return r;
	sort_stacks(b);
	len = sizeof(struct rsp_symsec) + b->stacks.cnt * sizeof(*b->stacks.v) +
	      b->frames.cnt * sizeof(*b->frames.v) + offsets[b->strings.cnt];
	data = calloc(1, len);
	if (!data)
		return -ENOMEM;
	put_section(b, offsets, data);
	*ret = data;
	*ret_len = len;
	return 0;
}

/* --- reading -------------------------------------------------------------------------------- */

struct rsp_symbols {
	const struct rsp_symsec_stack *stacks;
	const struct rsp_symsec_frame *frames;
	char *strings; /* a copy without unprintable characters */
	__u32 stack_cnt;
};

static bool stacks_ok(const struct rsp_symsec *head, const struct rsp_symsec_stack *stacks)
{
	for (__u32 i = 0; i < head->stack_cnt; i++) {
		if (stacks[i].first_frame > head->frame_cnt ||
		    stacks[i].frame_cnt > head->frame_cnt - stacks[i].first_frame)
			return false;
		if (i && stacks[i].id <= stacks[i - 1].id)
			return false;
	}
	return true;
}

/* The last byte is the NUL of the last string, and offset 0 is "". */
static bool strings_ok(const struct rsp_symsec *head, const char *strings)
{
	return head->string_bytes && !strings[0] && !strings[head->string_bytes - 1];
}

static bool starts_string(const struct rsp_symsec *head, const char *strings, __u32 off)
{
	return off < head->string_bytes && (!off || !strings[off - 1]);
}

static bool frames_ok(const struct rsp_symsec *head, const struct rsp_symsec_frame *frames,
		      const char *strings)
{
	for (__u32 i = 0; i < head->frame_cnt; i++)
		if (!starts_string(head, strings, frames[i].symbol_off) ||
		    !starts_string(head, strings, frames[i].module_off))
			return false;
	return true;
}

/*
 * Returns a copy of the strings without unprintable characters, because names come from untrusted
 * files. Replacing characters never lengthens a string, so offsets stay valid.
 */
static char *clean_copy(const char *strings, size_t len)
{
	char *copy = malloc(len);
	size_t next;

	if (!copy)
		return NULL;
	memcpy(copy, strings, len);
	for (size_t i = 0; i < len; i = next) {
		next = i + strlen(copy + i) + 1;
		rsp_text_clean(copy + i);
	}
	return copy;
}

int rsp_symbols_open(const void *data, size_t len, struct rsp_symbols **ret)
{
	const struct rsp_symsec *head = data;
	const struct rsp_symsec_stack *stacks;
	const struct rsp_symsec_frame *frames;
	const char *strings;
	struct rsp_symbols *s;

	assert((uintptr_t)data % 8 == 0);
	if (len < sizeof(*head) || head->magic != SYMSEC_MAGIC || head->frame_cnt > INT_MAX)
		return -EBADMSG;
	if (sizeof(*head) + (__u64)head->stack_cnt * sizeof(*stacks) +
		    (__u64)head->frame_cnt * sizeof(*frames) + head->string_bytes !=
	    len)
		return -EBADMSG;
	stacks = (const void *)(head + 1);
	frames = (const void *)(stacks + head->stack_cnt);
	strings = (const void *)(frames + head->frame_cnt);
	if (!strings_ok(head, strings) || !stacks_ok(head, stacks) ||
	    !frames_ok(head, frames, strings))
		return -EBADMSG;

	s = malloc(sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->stacks = stacks;
	s->frames = frames;
	s->stack_cnt = head->stack_cnt;
	s->strings = clean_copy(strings, head->string_bytes);
	if (!s->strings) {
		free(s);
		return -ENOMEM;
	}
	*ret = s;
	return 0;
}

struct rsp_symbols *rsp_symbols_free(struct rsp_symbols *s)
{
	if (s)
		free(s->strings);
	free(s);
	return NULL;
}

static const struct rsp_symsec_stack *find_stack(const struct rsp_symbols *s, __u64 id)
{
	size_t lo = 0, hi = s->stack_cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->stacks[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->stack_cnt && s->stacks[lo].id == id ? &s->stacks[lo] : NULL;
}

int rsp_symbols_frame_cnt(const struct rsp_symbols *s, __u64 stack_id)
{
	const struct rsp_symsec_stack *stack = find_stack(s, stack_id);

	return stack ? (int)stack->frame_cnt : -ENOENT;
}

void rsp_symbols_frame(const struct rsp_symbols *s, __u64 stack_id, int i, const char **ret_symbol,
		       const char **ret_module)
{
	const struct rsp_symsec_stack *stack = find_stack(s, stack_id);
	const struct rsp_symsec_frame *frame;

	assert(stack && i >= 0 && (__u32)i < stack->frame_cnt);
	frame = &s->frames[stack->first_frame + (__u32)i];
	*ret_symbol = s->strings + frame->symbol_off;
	*ret_module = s->strings + frame->module_off;
}

int rsp_symbols_copy_stack(struct rsp_symbols_builder *b, const struct rsp_symbols *s, __u64 id,
			   __u64 as)
{
	int r, cnt = rsp_symbols_frame_cnt(s, id);

	if (cnt < 0)
		return 0;
	r = rsp_symbols_add_stack(b, as);
	for (int i = 0; i < cnt && r == 0; i++) {
		const char *symbol, *module;

		rsp_symbols_frame(s, id, i, &symbol, &module);
		r = rsp_symbols_add_frame(b, symbol, module);
	}
	return r;
}

int rsp_symbols_copy_all(struct rsp_symbols_builder *b, const struct rsp_symbols *s,
			 __u64 (*rename)(__u64 id, void *userdata), void *userdata)
{
	int r = 0;

	for (__u32 i = 0; i < s->stack_cnt && r == 0; i++)
		r = rsp_symbols_copy_stack(b, s, s->stacks[i].id,
					   rename(s->stacks[i].id, userdata));
	return r;
}
