/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verbs that name objects. */
#include <string.h>

#include "tests/story/story-parts.h"
#include "tests/story/words.h"

static void object(struct story *s, struct words *w, __u64 id, __u32 type, const char *name)
{
	struct rsp_ev_object *ev = story_record(s, RSP_EV_OBJECT, sizeof(*ev), 0);

	ev->id = id;
	ev->type = type;
	ev->name_len = (__u32)strlen(name) + 1;
	if (ev->name_len > RSP_NAME_MAX)
		words_fail(w, "a name has at most %d bytes", RSP_NAME_MAX - 1);
	else
		memcpy(ev->name, name, ev->name_len);
}

static void named_object(struct story *s, struct words *w, __u32 type)
{
	__u64 id = story_next_id(w, "the object");

	object(s, w, id, type, words_next(w, "its name"));
}

/*
 * Makes the record of a path. Its name contains the components, each with a NUL, beginning with the
 * last component.
 */
static void path(struct story *s, struct words *w, __u32 type)
{
	__u64 id = story_next_id(w, "the object");
	char *text = words_next(w, "its path"), *slash;
	struct rsp_ev_object *ev;

	if (*text != '/' || strlen(text) >= RSP_NAME_MAX) {
		words_fail(w, "no path: \"%s\"", text);
		return;
	}
	ev = story_record(s, RSP_EV_OBJECT, sizeof(*ev), 0);
	ev->id = id;
	ev->type = type;
	ev->ino = story_value_id(w, "ino");
	while ((slash = strrchr(text, '/'))) {
		memcpy(ev->name + ev->name_len, slash + 1, strlen(slash + 1));
		ev->name_len += (__u32)strlen(slash + 1) + 1;
		*slash = '\0';
	}
}

void story_tell_file(struct story *s, struct words *w)
{
	path(s, w, RSP_OBJ_FILE);
}

void story_tell_node(struct story *s, struct words *w)
{
	path(s, w, RSP_OBJ_DEVICE);
}

void story_tell_cgroup(struct story *s, struct words *w)
{
	path(s, w, RSP_OBJ_CGROUP);
}

void story_tell_anon(struct story *s, struct words *w)
{
	named_object(s, w, RSP_OBJ_ANON);
}

void story_tell_pipe(struct story *s, struct words *w)
{
	object(s, w, story_next_id(w, "the object"), RSP_OBJ_PIPE, "");
}

void story_tell_unix(struct story *s, struct words *w)
{
	__u64 id = story_next_id(w, "the object");

	object(s, w, id, RSP_OBJ_UNIX, w->cnt > 3 ? words_next(w, "its path") : "");
}

void story_tell_other(struct story *s, struct words *w)
{
	named_object(s, w, RSP_OBJ_SOCKET);
}

void story_tell_handler(struct story *s, struct words *w)
{
	named_object(s, w, RSP_OBJ_IRQ);
}

void story_tell_drive(struct story *s, struct words *w)
{
	__u32 dev = story_parse_dev(w, words_next(w, "the disk's number"));

	object(s, w, RSP_DISK_ID(dev), RSP_OBJ_DISK, words_next(w, "its name"));
}
