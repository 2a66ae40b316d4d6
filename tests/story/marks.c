/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See marks.h. */
#include "tests/story/marks.h"

#include <stdint.h>
#include <string.h>

void story_tell_mark(struct story *s, struct words *w)
{
	static const char *const types[RSP_MARK_TYPE_MAX] = {
		[RSP_MARK_TEXT] = "text",	[RSP_MARK_BREACH] = "breach",
		[RSP_MARK_STARTED] = "started", [RSP_MARK_STOPPED] = "stopped",
		[RSP_MARK_FAILED] = "failed",	[RSP_MARK_DROPPED] = "dropped"};
	const char *type = words_next(w, "the type"), *text = words_next(w, "its text");
	struct rsp_ev_mark *ev = story_record(s, RSP_EV_MARK, sizeof(*ev), 0);

	for (__u16 i = 1; i < RSP_MARK_TYPE_MAX; i++)
		if (!strcmp(types[i], type))
			ev->hdr.flags = i;
	if (!ev->hdr.flags || strlen(text) >= sizeof(ev->text))
		words_fail(w, "no mark: %s", type);
	else
		memcpy(ev->text, text, strlen(text));
	ev->uid = (__u32)words_value(w, "uid", UINT32_MAX, 0);
	ev->cnt = (__u32)words_value(w, "cnt", UINT32_MAX, 0);
}

static void take_name(struct words *w, const char *name, char *ret, size_t size)
{
	if (name && strlen(name) >= size)
		words_fail(w, "too long: %s", name);
	else if (name)
		strcpy(ret, name);
}

void story_tell_container(struct story *s, struct words *w)
{
	const char *name = words_next(w, "its name"), *pod = words_text(w, "pod"),
		   *name_space = words_text(w, "namespace");
	struct rsp_ev_container *ev = story_record(s, RSP_EV_CONTAINER, sizeof(*ev), 0);

	ev->cgroup_id = words_value(w, "cgroup", UINT64_MAX, 0);
	take_name(w, name, ev->name, sizeof(ev->name));
	take_name(w, pod, ev->pod, sizeof(ev->pod));
	take_name(w, name_space, ev->name_space, sizeof(ev->name_space));
}

static void counters(struct story *s, struct words *w, __u16 set)
{
	struct rsp_ev_counters *ev = story_record(s, RSP_EV_COUNTERS, sizeof(*ev), set);

	for (size_t i = 0; i < RSP_COUNTER_SET_SIZE; i++)
		ev->v[i] = words_number_follows(w) ? words_number(w, "a value", INT64_MAX)
						   : RSP_COUNTER_ABSENT;
}

void story_tell_pressure(struct story *s, struct words *w)
{
	counters(s, w, RSP_COUNTERS_PRESSURE);
}

void story_tell_memory(struct story *s, struct words *w)
{
	counters(s, w, RSP_COUNTERS_MEMORY);
}

void story_tell_load(struct story *s, struct words *w)
{
	counters(s, w, RSP_COUNTERS_LOAD);
}
