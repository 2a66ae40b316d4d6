/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of frames -> the bytes of a SYMBOLS section, and back. See symbols.h for the layout.
 * Strings are kept once each. Does not find names and does not demangle.
 */
#include "symbols.h"

#include <assert.h>
#include <limits.h>
#include <stdint.h>

#include "array.h"
#include "text.h"

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
	char *strings;
	size_t string_bytes, string_cap;
	__u32 *slots; /* open addressing: offsets into strings, 0 is a free slot */
	size_t slot_cnt, used_cnt;
};

int rsp_symbols_builder_new(struct rsp_symbols_builder **ret)
{
	struct rsp_symbols_builder *b = calloc(1, sizeof(*b));

	if (!b)
		return -ENOMEM;
	b->string_cap = 4096;
	b->slot_cnt = 1024;
	b->strings = malloc(b->string_cap);
	b->slots = calloc(b->slot_cnt, sizeof(*b->slots));
	if (!b->strings || !b->slots) {
		rsp_symbols_builder_free(b);
		return -ENOMEM;
	}
	b->strings[b->string_bytes++] = '\0';
	*ret = b;
	return 0;
}

struct rsp_symbols_builder *rsp_symbols_builder_free(struct rsp_symbols_builder *b)
{
	if (!b)
		return NULL;
	free(b->stacks.v);
	free(b->frames.v);
	free(b->strings);
	free(b->slots);
	free(b);
	return NULL;
}

/* FNV-1a. */
static __u64 hash(const char *s)
{
	__u64 h = 0xcbf29ce484222325ULL;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3ULL;
	return h ^ (h >> 32);
}

static __u32 *find_slot(const struct rsp_symbols_builder *b, const char *s)
{
	size_t i = hash(s) & (b->slot_cnt - 1);

	while (b->slots[i] && strcmp(b->strings + b->slots[i], s))
		i = (i + 1) & (b->slot_cnt - 1);
	return &b->slots[i];
}

static int grow_slots(struct rsp_symbols_builder *b)
{
	__u32 *old = b->slots;
	size_t old_cnt = b->slot_cnt;
	__u32 *slots = calloc(old_cnt * 2, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	b->slots = slots;
	b->slot_cnt = old_cnt * 2;
	for (size_t i = 0; i < old_cnt; i++)
		if (old[i])
			*find_slot(b, b->strings + old[i]) = old[i];
	free(old);
	return 0;
}

static int append_string(struct rsp_symbols_builder *b, const char *s, __u32 *ret_off)
{
	size_t len = strlen(s) + 1, cap = b->string_cap;
	char *p;

	/* Offsets are 32 bits wide; the room left is for the padding at the end. */
	if (len > UINT32_MAX - 8 - b->string_bytes)
		return -E2BIG;
	while (cap - b->string_bytes < len)
		cap *= 2;
	if (cap != b->string_cap) {
		p = realloc(b->strings, cap);
		if (!p)
			return -ENOMEM;
		b->strings = p;
		b->string_cap = cap;
	}
	*ret_off = (__u32)b->string_bytes;
	memcpy(b->strings + b->string_bytes, s, len);
	b->string_bytes += len;
	return 0;
}

static int intern(struct rsp_symbols_builder *b, const char *s, __u32 *ret_off)
{
	__u32 *slot;
	int r;

	if (!*s) {
		*ret_off = 0;
		return 0;
	}
	if ((b->used_cnt + 1) * 3 > b->slot_cnt * 2) {
		r = grow_slots(b);
		if (r < 0)
			return r;
	}
	slot = find_slot(b, s);
	if (!*slot) {
		r = append_string(b, s, slot);
		if (r < 0)
			return r;
		b->used_cnt++;
	}
	*ret_off = *slot;
	return 0;
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
	r = intern(b, symbol, &frame.symbol_off);
	if (r < 0)
		return r;
	r = intern(b, module, &frame.module_off);
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

/* An id added twice keeps its first frames; those of the second become unused bytes. */
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

static char *put(char *p, const void *data, size_t len)
{
	if (len)
		memcpy(p, data, len);
	return p + len;
}

int rsp_symbols_builder_finish(struct rsp_symbols_builder *b, void **ret, size_t *ret_len)
{
	size_t string_bytes = (b->string_bytes + 7) & ~(size_t)7;
	size_t stack_bytes, frame_bytes, len;
	struct rsp_symsec head;
	char *data, *p;

	/* A stack to which nothing was added may share its first frame with the next: still sorted.
	 */
	sort_stacks(b);
	stack_bytes = b->stacks.cnt * sizeof(*b->stacks.v);
	frame_bytes = b->frames.cnt * sizeof(*b->frames.v);
	len = sizeof(head) + stack_bytes + frame_bytes + string_bytes;
	data = calloc(1, len);
	if (!data)
		return -ENOMEM;
	head = (struct rsp_symsec){
		.magic = SYMSEC_MAGIC,
		.stack_cnt = (__u32)b->stacks.cnt,
		.frame_cnt = (__u32)b->frames.cnt,
		.string_bytes = (__u32)string_bytes,
	};
	p = put(data, &head, sizeof(head));
	p = put(p, b->stacks.v, stack_bytes);
	p = put(p, b->frames.v, frame_bytes);
	put(p, b->strings, b->string_bytes);
	*ret = data;
	*ret_len = len;
	return 0;
}

/* --- reading -------------------------------------------------------------------------------- */

struct rsp_symbols {
	const struct rsp_symsec_stack *stacks;
	const struct rsp_symsec_frame *frames;
	char *strings; /* a copy fit for terminals */
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

/* Every string ends because the last byte does; offset 0 is "". */
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

/* Names are bytes of strangers' files. Cleaning shortens a string at most, so offsets stay good. */
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
