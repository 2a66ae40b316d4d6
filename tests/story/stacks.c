/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Verbs of a story (story.h) for binaries and stacks. A frame is the name of a function, or an
 * address.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/story/story-parts.h"
#include "tests/story/words.h"

#define BINARY_MAX RSP_FRAME_BINARY(UINT64_MAX)

static void record_stack(struct story *s, __u64 id, __u16 flags, const __u64 *frames, __u32 cnt)
{
	struct rsp_ev_stack *ev = story_record(s, RSP_EV_STACK, sizeof(*ev) + cnt * sizeof(*frames),
					       flags);

	ev->id = id;
	ev->frame_cnt = cnt;
	memcpy(ev->frames, frames, cnt * sizeof(*frames));
}

/* Returns a hash of the name as the address of a function such as "caller@libc.so.6". */
static __u64 address_of(const char *function)
{
	__u64 hash = 14695981039346656037ULL; /* FNV-1a */

	for (; *function; function++)
		hash = (hash ^ (__u8)*function) * 1099511628211ULL;
	return hash >> 16;
}

/* Makes the records of a stack such as "leaf,caller@libc.so.6". */
static void stack(struct story *s, struct words *w, __u16 flags, const char *module)
{
	__u64 id = words_number(w, "the stack", UINT64_MAX), frames[RSP_STACK_FRAMES_MAX];
	char *rest = words_next(w, "its functions"), *frame;
	int r = rsp_symbols_add_stack(s->symbols, id);
	__u32 cnt = 0;

	while (r == 0 && cnt < RSP_STACK_FRAMES_MAX && (frame = strsep(&rest, ","))) {
		const char *symbol;

		frames[cnt++] = address_of(frame);
		symbol = strsep(&frame, "@");
		r = rsp_symbols_add_frame(s->symbols, symbol, frame ? frame : module);
	}
	if (r < 0)
		words_fail(w, "%s", strerror(-r));
	record_stack(s, id, flags, frames, cnt);
}

static __u16 user_flags(struct words *w)
{
	if (words_flag(w, "partial"))
		return RSP_STACK_USER | RSP_STACK_PARTIAL;
	if (words_flag(w, "pending"))
		return RSP_STACK_USER | RSP_STACK_PARTIAL | RSP_STACK_PENDING;
	return RSP_STACK_USER;
}

void story_tell_kstack(struct story *s, struct words *w)
{
	stack(s, w, RSP_STACK_KERNEL, "vmlinux");
}

void story_tell_ustack(struct story *s, struct words *w)
{
	stack(s, w, user_flags(w), "app");
}

void story_tell_binary(struct story *s, struct words *w)
{
	__u32 number = (__u32)words_number(w, "the binary", BINARY_MAX);
	const char *path = words_next(w, "the file");
	size_t path_len = (strlen(path) + 8) / 8 * 8; /* including its NUL */
	struct rsp_ev_binary *ev = story_record(s, RSP_EV_BINARY, sizeof(*ev) + path_len, 0);

	ev->number = number;
	memcpy(ev->path, path, strlen(path));
}

/* Parses an offset in a binary, such as "4+0x1230", or an address, such as "0x7f0012". */
static __u64 parse_frame(struct words *w, const char *text)
{
	char *end;
	__u64 first = strtoull(text, &end, 0), off = 0;
	bool in_binary = end != text && *end == '+';

	if (in_binary)
		off = strtoull(text = end + 1, &end, 0);
	if (end == text || *end ||
	    (in_binary && (first > BINARY_MAX || off != RSP_FRAME_OFFSET(off))))
		words_fail(w, "no frame: \"%s\"", text);
	return in_binary ? RSP_FRAME_IN_BINARY | first << RSP_FRAME_OFFSET_BITS | off : first;
}

void story_tell_frames(struct story *s, struct words *w)
{
	__u64 id = words_number(w, "the stack", UINT64_MAX), frames[RSP_STACK_FRAMES_MAX];
	char *rest = words_next(w, "its frames"), *text;
	__u32 cnt = 0;

	while (cnt < RSP_STACK_FRAMES_MAX && (text = strsep(&rest, ",")))
		frames[cnt++] = parse_frame(w, text);
	record_stack(s, id, user_flags(w), frames, cnt);
}
