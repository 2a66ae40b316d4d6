/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See export-lines.h. The addresses and the names of a stack have the same sequence of runs (struct
 * run), so each run is handled separately.
 */
#include "lib/export/export-lines.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "lib/model/names.h"
#include "lib/snapshot/decode.h"

/*
 * Each pass over all stacks uses the addresses that earlier passes found. The third and later
 * passes find few new addresses.
 */
#define PASSES_MAX 4

#define NAMES_BYTES_MAX 4096

struct run {
	const __u64 *addresses;
	size_t address_cnt;
	bool has_leaf; /* addresses[0] is the innermost address of the stack */
	const struct rsp_frame *frames;
	size_t frame_cnt;
};

/*
 * The lowest bit of a key is set if the address is the innermost one of the stack. All other
 * addresses are return addresses, which point to the end of a call, so the same address may then
 * have different names.
 */
static uint64_t key_of(const struct run *run, size_t i)
{
	return run->addresses[i] << 1 | (run->has_leaf && i == 0);
}

/*
 * Compares the known names of an address with the first of cnt frames or, if is_end is set, with
 * the last of them. Returns the number of names; 0: the address is unknown; -1: the frames have
 * other names.
 */
static ssize_t match(const struct rsp_export_lines *l, uint64_t key, const struct rsp_frame *frames,
		     size_t cnt, bool is_end)
{
	const char *name;
	uint64_t known;
	size_t name_cnt;

	if (!rsp_idmap_get(&l->of_place, key, &known))
		return 0;
	name = rsp_intern_data(&l->names, (uint32_t)(known >> 32));
	name_cnt = (uint32_t)known;
	if (name_cnt > cnt)
		return -1;
	if (is_end)
		frames += cnt - name_cnt;
	for (size_t i = 0; i < name_cnt; i++) {
		if (strcmp(name, frames[i].symbol) != 0)
			return -1;
		name += strlen(name) + 1;
	}
	return (ssize_t)name_cnt;
}

static void number(__u16 *ret, size_t from, size_t cnt, size_t address)
{
	for (size_t i = 0; i < cnt; i++)
		ret[from + i] = (__u16)(address + 1);
}

/*
 * Removes known addresses from both ends of the run. The rest is unambiguous if it has as many
 * names as addresses, or only one address. Returns whether the addresses of all frames were found.
 */
static bool solve(const struct rsp_export_lines *l, const struct run *run, __u16 *ret)
{
	size_t first = 0, end = run->address_cnt, from = 0, to = run->frame_cnt;
	ssize_t cnt = 0;

	while (end - first != to - from && first < end &&
	       (cnt = match(l, key_of(run, first), run->frames + from, to - from, false)) > 0) {
		number(ret, from, (size_t)cnt, first++);
		from += (size_t)cnt;
	}
	while (cnt >= 0 && end - first != to - from && first < end &&
	       (cnt = match(l, key_of(run, end - 1), run->frames + from, to - from, true)) > 0) {
		to -= (size_t)cnt;
		number(ret, to, (size_t)cnt, --end);
	}
	if (cnt < 0)
		return false;
	if (end - first == to - from)
		for (; first < end; first++, from++)
			number(ret, from, 1, first);
	else if (end - first == 1 && to > from)
		number(ret, from, to - from, first);
	else
		return false;
	return true;
}

/* --- runs ------------------------------------------------------------------------------------- */

/* Code that was generated at run time has no binary, and its frames may have different modules. */
static bool is_fileless(const char *module)
{
	return !strcmp(module, "?") || (*module == '[' && strcmp(module, "[gone]") != 0);
}

static bool is_in(const struct rsp_trace *trace, __u64 address, const char *module)
{
	const struct rsp_ev_binary *binary;
	char name[NAME_MAX + 1] = "[gone]";

	if (!(address & RSP_FRAME_IN_BINARY))
		return is_fileless(module);
	binary = rsp_trace_binary(trace, RSP_FRAME_BINARY(address));
	if (binary)
		rsp_binary_name(binary, name, sizeof(name));
	return strcmp(name, module) == 0;
}

static bool same_run(const struct rsp_frame *a, const struct rsp_frame *b)
{
	return (is_fileless(a->module) && is_fileless(b->module)) || !strcmp(a->module, b->module);
}

/*
 * Returns false at the end of the stack, or if the addresses and the names belong to different
 * binaries.
 */
static bool next_run(const struct rsp_trace *trace, struct run *rest, struct run *ret)
{
	*ret = *rest;
	ret->address_cnt = ret->frame_cnt = 0;
	if (!rest->frame_cnt)
		return false;
	while (ret->frame_cnt < rest->frame_cnt &&
	       same_run(&rest->frames[ret->frame_cnt], &rest->frames[0]))
		ret->frame_cnt++;
	while (ret->address_cnt < rest->address_cnt &&
	       is_in(trace, rest->addresses[ret->address_cnt], rest->frames[0].module))
		ret->address_cnt++;
	rest->frames += ret->frame_cnt;
	rest->frame_cnt -= ret->frame_cnt;
	rest->addresses += ret->address_cnt;
	rest->address_cnt -= ret->address_cnt;
	rest->has_leaf = false;
	return ret->address_cnt > 0;
}

static struct run whole(const struct rsp_ev_stack *stack, const struct rsp_frame *frames,
			size_t cnt)
{
	return (struct run){stack->frames, stack->frame_cnt, true, frames, cnt};
}

void rsp_export_lines_find(const struct rsp_export_lines *l, const struct rsp_trace *trace,
			   const struct rsp_ev_stack *stack, const struct rsp_frame *frames,
			   size_t cnt, __u16 *ret)
{
	struct run rest = whole(stack, frames, cnt), run;

	memset(ret, 0, cnt * sizeof(*ret));
	while (next_run(trace, &rest, &run)) {
		size_t first = (size_t)(run.frames - frames);
		size_t base = (size_t)(run.addresses - stack->frames);

		if (!solve(l, &run, ret + first))
			memset(ret + first, 0, run.frame_cnt * sizeof(*ret));
		for (size_t i = first; i < first + run.frame_cnt; i++)
			ret[i] += ret[i] ? (__u16)base : 0;
	}
	/* If frames or addresses are left, the results may be wrong. */
	if (rest.frame_cnt || rest.address_cnt)
		memset(ret, 0, cnt * sizeof(*ret));
}

/* --- the table -------------------------------------------------------------------------------- */

/* Returns 1 if the address is new, 0 if it is known or its names are too long, or -ENOMEM. */
static int learn(struct rsp_export_lines *l, uint64_t key, const struct rsp_frame *frames,
		 size_t cnt)
{
	char text[NAMES_BYTES_MAX];
	size_t len = 0;
	uint32_t id;
	int r;

	if (rsp_idmap_get(&l->of_place, key, &(uint64_t){0}))
		return 0;
	for (size_t i = 0; i < cnt; i++) {
		size_t size = strlen(frames[i].symbol) + 1;

		if (size > sizeof(text) - len)
			return 0;
		memcpy(text + len, frames[i].symbol, size);
		len += size;
	}
	r = rsp_intern_put(&l->names, text, len, &id);
	if (r == 0)
		r = rsp_idmap_put(&l->of_place, key, (uint64_t)id << 32 | cnt);
	return r < 0 ? -ENOMEM : 1;
}

int rsp_export_lines_learn(struct rsp_export_lines *l, const struct rsp_trace *trace,
			   const struct rsp_ev_stack *stack, const struct rsp_frame *frames,
			   size_t cnt)
{
	struct run run = whole(stack, frames, cnt);
	__u16 address_of[RSP_NAMES_FRAMES_MAX];
	int found = 0;

	rsp_export_lines_find(l, trace, stack, frames, cnt, address_of);
	for (size_t i = 0, end; i < cnt; i = end) {
		int r;

		for (end = i + 1; end < cnt && address_of[end] == address_of[i];)
			end++;
		if (!address_of[i] || !(stack->frames[address_of[i] - 1] & RSP_FRAME_IN_BINARY))
			continue;
		r = learn(l, key_of(&run, address_of[i] - 1U), frames + i, end - i);
		if (r < 0)
			return r;
		found |= r;
	}
	return found;
}

static int learn_stack(struct rsp_export_lines *l, const struct rsp_trace *trace,
		       const struct rsp_ev_stack *stack)
{
	struct rsp_frame frames[RSP_NAMES_FRAMES_MAX];
	size_t cnt = rsp_trace_frames(trace, stack->id, frames, RSP_NAMES_FRAMES_MAX);

	if (cnt && stack->hdr.flags & RSP_STACK_PARTIAL)
		cnt--;
	return rsp_export_lines_learn(l, trace, stack, frames, cnt);
}

int rsp_export_lines_read(struct rsp_export_lines *l, const struct rsp_trace *trace)
{
	int found = 1;

	for (int pass = 0; pass < PASSES_MAX && found; pass++) {
		found = 0;
		for (size_t i = 0; i < rsp_trace_stack_cnt(trace); i++) {
			const struct rsp_ev_stack *stack = rsp_trace_stack_at(trace, i);
			int r = 0;

			if (stack->hdr.flags & RSP_STACK_USER)
				r = learn_stack(l, trace, stack);
			if (r < 0)
				return r;
			found |= r;
		}
	}
	return 0;
}

void rsp_export_lines_done(struct rsp_export_lines *l)
{
	rsp_idmap_done(&l->of_place);
	rsp_intern_done(&l->names);
}
