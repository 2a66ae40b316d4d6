/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks -> frames, with the binaries that they lie in. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "export-parts.h"
#include "lib/snapshot/decode.h"

static const struct rsp_ev_binary *binary_of(const struct rsp_trace *trace, __u64 frame)
{
	if (!(frame & RSP_FRAME_IN_BINARY))
		return NULL;
	return rsp_trace_binary(trace, RSP_FRAME_BINARY(frame));
}

static bool is_of(const struct rsp_ev_binary *binary, const char *module)
{
	char name[NAME_MAX + 1];

	return binary && strcmp(rsp_binary_name(binary, name, sizeof(name)), module) == 0;
}

/*
 * Names have more frames than the stack if functions are inlined; then only the binary is known, by
 * the module's name.
 */
static void find_place(const struct rsp_trace *trace, const struct rsp_ev_stack *stack, size_t i,
		       bool aligned, struct rsp_export_frame *ret)
{
	if (aligned && i < stack->frame_cnt) {
		const struct rsp_ev_binary *binary = binary_of(trace, stack->frames[i]);

		ret->binary = binary ? binary->number : 0;
		ret->place = binary ? RSP_FRAME_OFFSET(stack->frames[i]) : stack->frames[i];
		ret->has_place = binary || !(stack->frames[i] & RSP_FRAME_IN_BINARY);
		return;
	}
	for (size_t k = 0; k < stack->frame_cnt; k++) {
		const struct rsp_ev_binary *binary = binary_of(trace, stack->frames[k]);

		if (!is_of(binary, ret->module))
			continue;
		ret->binary = binary->number;
		return;
	}
}

static size_t put_frames(const struct rsp_trace *trace, __u64 id, struct rsp_export_frame *ret)
{
	struct rsp_frame frames[RSP_NAMES_FRAMES_MAX];
	size_t cnt = rsp_trace_frames(trace, id, frames, RSP_NAMES_FRAMES_MAX);
	const struct rsp_ev_stack *stack = rsp_trace_stack(trace, id);
	size_t partial = stack && stack->hdr.flags & RSP_STACK_PARTIAL && cnt;

	for (size_t i = 0; i < cnt; i++) {
		ret[i] = (struct rsp_export_frame){
			.symbol = frames[i].symbol,
			.module = frames[i].module,
			.is_kernel = frames[i].kernel,
		};
		/* The kernel's stacks begin with frames of the recorder, which are left out. */
		if (stack && !frames[i].kernel)
			find_place(trace, stack, i, cnt - partial == stack->frame_cnt, &ret[i]);
	}
	return cnt;
}

size_t rsp_export_frames(const struct rsp_export *x, __u64 kstack, __u64 ustack,
			 struct rsp_export_frame *ret)
{
	size_t cnt = put_frames(x->trace, kstack, ret);

	return cnt + put_frames(x->trace, ustack, ret + cnt);
}

char *rsp_export_build_id(const struct rsp_ev_binary *binary, char *buf)
{
	size_t len = binary->build_id_len < RSP_BUILD_ID_MAX ? binary->build_id_len
							     : RSP_BUILD_ID_MAX;

	for (size_t i = 0; i < len; i++)
		sprintf(buf + 2 * i, "%02x", binary->build_id[i]);
	buf[2 * len] = '\0';
	return buf;
}

const char *rsp_export_path(struct rsp_export *x, const struct rsp_export_frame *f)
{
	const struct rsp_ev_binary *binary = f->binary ? rsp_trace_binary(x->trace, f->binary)
						       : NULL;

	return rsp_export_text(x, binary && *binary->path ? binary->path : f->module);
}
