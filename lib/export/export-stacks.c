/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the frames of a stack, and their binaries. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "lib/export/export-parts.h"
#include "lib/snapshot/decode.h"

static const struct rsp_ev_binary *binary_of(const struct rsp_trace *trace, __u64 frame)
{
	if (!(frame & RSP_FRAME_IN_BINARY))
		return NULL;
	return rsp_trace_binary(trace, RSP_FRAME_BINARY(frame));
}

/* Few stacks have more binaries. Frames in further binaries get no binary. */
#define BINARIES_MAX 24

struct binaries {
	const struct rsp_ev_binary *v[BINARIES_MAX];
	char names[BINARIES_MAX][NAME_MAX + 1];
	size_t cnt;
};

static void find_binaries(const struct rsp_trace *trace, const struct rsp_ev_stack *stack,
			  struct binaries *ret)
{
	ret->cnt = 0;
	for (size_t i = 0; i < stack->frame_cnt && ret->cnt < BINARIES_MAX; i++) {
		const struct rsp_ev_binary *binary = binary_of(trace, stack->frames[i]);
		size_t k = 0;

		while (k < ret->cnt && ret->v[k] != binary)
			k++;
		if (!binary || k < ret->cnt)
			continue;
		rsp_binary_name(binary, ret->names[k], sizeof(ret->names[k]));
		ret->v[ret->cnt++] = binary;
	}
}

static void find_place(const struct rsp_trace *trace, __u64 frame, struct rsp_export_frame *ret)
{
	const struct rsp_ev_binary *binary = binary_of(trace, frame);

	ret->binary = binary ? binary->number : 0;
	ret->place = binary ? RSP_FRAME_OFFSET(frame) : frame;
	ret->has_place = binary || !(frame & RSP_FRAME_IN_BINARY);
}

static void find_module(const struct binaries *binaries, struct rsp_export_frame *ret)
{
	for (size_t i = 0; i < binaries->cnt && !ret->binary; i++)
		if (!strcmp(binaries->names[i], ret->module))
			ret->binary = binaries->v[i]->number;
}

/* If the address of a frame is unknown, the name of its module still identifies the binary. */
static void find_places(const struct rsp_export *x, const struct rsp_ev_stack *stack,
			const struct rsp_frame *frames, struct rsp_export_frame *ret, size_t cnt)
{
	__u16 address_of[RSP_NAMES_FRAMES_MAX];
	struct binaries binaries = {.cnt = 0};

	if (cnt && stack->hdr.flags & RSP_STACK_PARTIAL)
		cnt--;
	rsp_export_lines_find(&x->lines, x->trace, stack, frames, cnt, address_of);
	for (size_t i = 0; i < cnt; i++) {
		if (address_of[i]) {
			find_place(x->trace, stack->frames[address_of[i] - 1], &ret[i]);
			ret[i].is_inlined = i + 1 < cnt && address_of[i + 1] == address_of[i];
			continue;
		}
		if (!binaries.cnt)
			find_binaries(x->trace, stack, &binaries);
		find_module(&binaries, &ret[i]);
	}
}

static size_t put_frames(const struct rsp_export *x, __u64 id, struct rsp_export_frame *ret)
{
	const struct rsp_trace *trace = x->trace;
	struct rsp_frame frames[RSP_NAMES_FRAMES_MAX];
	size_t cnt = rsp_trace_frames(trace, id, frames, RSP_NAMES_FRAMES_MAX);
	const struct rsp_ev_stack *stack = rsp_trace_stack(trace, id);

	for (size_t i = 0; i < cnt; i++)
		ret[i] = (struct rsp_export_frame){
			.symbol = frames[i].symbol,
			.module = frames[i].module,
			.is_kernel = frames[i].kernel,
		};
	if (stack && stack->hdr.flags & RSP_STACK_USER)
		find_places(x, stack, frames, ret, cnt);
	return cnt;
}

size_t rsp_export_frames(const struct rsp_export *x, __u64 kstack, __u64 ustack,
			 struct rsp_export_frame *ret)
{
	size_t cnt = put_frames(x, kstack, ret);

	return cnt + put_frames(x, ustack, ret + cnt);
}

size_t rsp_export_build_id_len(const struct rsp_ev_binary *binary)
{
	return binary->build_id_len < RSP_BUILD_ID_MAX ? binary->build_id_len : RSP_BUILD_ID_MAX;
}

char *rsp_export_build_id(const struct rsp_ev_binary *binary, char *buf)
{
	size_t len = rsp_export_build_id_len(binary);

	for (size_t i = 0; i < len; i++)
		sprintf(buf + 2 * i, "%02x", binary->build_id[i]);
	buf[2 * len] = '\0';
	return buf;
}

const char *rsp_export_path(struct rsp_export *x, const struct rsp_export_frame *f)
{
	const struct rsp_ev_binary *binary = f->binary ? rsp_trace_binary(x->trace, f->binary)
						       : NULL;

	return binary && *binary->path ? rsp_export_text(x, binary->path) : f->module;
}
