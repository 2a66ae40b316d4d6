/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits -> the time off CPUs by stack, call and object. */
#include <stdio.h>
#include <string.h>

#include "profile-parts.h"

/* On top of the stack: the call, and the object that it waits for. */
static __u32 wait_node(struct rsp_profile_builder *b, const struct rsp_ev_switch *out, __u32 base)
{
	const char *call, *object;
	char label[512];
	__u32 node;

	if (!out)
		return rsp_profile_child(b, base, "[unknown]", "", RSP_PROFILE_NOTE);
	node = rsp_profile_stack(b, base, out->kstack, out->ustack);
	call = rsp_names_text(b->names, rsp_names_syscall(b->names, out));
	object = rsp_names_text(b->names, rsp_names_wait(b->names, out));
	if (!*call && !*object)
		return node;
	if (*call && *object && strcmp(call, object) != 0)
		snprintf(label, sizeof(label), "%s: %s", call, object);
	else
		snprintf(label, sizeof(label), "%s", *call ? call : object);
	return rsp_profile_child(b, node, label, "", RSP_PROFILE_WAIT);
}

void rsp_profile_offcpu(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base)
{
	for (size_t i = 0; i < t->spans.cnt && !b->error; i++) {
		const struct rsp_span *s = &t->spans.v[i];
		__u64 ns;

		if (s->kind != RSP_SPAN_BLOCKED)
			continue;
		ns = rsp_profile_within(b, s->from_ns, rsp_span_end(t, i));
		if (ns)
			rsp_profile_add(b, wait_node(b, s->out, base), ns, 1);
	}
}
