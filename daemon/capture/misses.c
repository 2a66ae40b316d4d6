/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See misses.h. */
#include "daemon/capture/misses.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "rsp/event.h"

#define NAME(name, kind) #name,
static const char *const names[RSP_PROGRAM_CNT] = {RSP_PROGRAMS(NAME)};
#undef NAME

#define KIND(name, kind) kind,
static const __u8 kinds[RSP_PROGRAM_CNT] = {RSP_PROGRAMS(KIND)};
#undef KIND

__u64 rsp_misses_of(const struct bpf_object *obj, const char *name)
{
	struct bpf_program *prog = bpf_object__find_program_by_name(obj, name);
	struct bpf_prog_info info = {};
	__u32 len = sizeof(info);

	if (!prog || bpf_program__fd(prog) < 0 ||
	    bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &len) < 0)
		return 0;
	return info.recursion_misses;
}

__u64 rsp_misses_poll(struct rsp_misses *misses, const struct bpf_object *obj, __u64 *ret_kinds)
{
	__u64 sum = 0;

	*ret_kinds = 0;
	for (size_t i = 0; i < RSP_PROGRAM_CNT; i++) {
		__u64 cnt = rsp_misses_of(obj, names[i]);

		/* a program without a kind makes no records, so none are missing */
		if (!kinds[i] || cnt <= misses->of_program[i])
			continue;
		sum += cnt - misses->of_program[i];
		misses->of_program[i] = cnt;
		*ret_kinds |= 1ULL << kinds[i];
	}
	misses->cnt += sum;
	return sum;
}
