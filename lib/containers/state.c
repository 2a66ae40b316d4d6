/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See state.h. The names of the keys are from the source code of the container runtimes. */
#include "lib/containers/state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/json.h"
#include "lib/snapshot/container.h"

/* The runtimes' files have at most ten levels. */
#define DEPTH_MAX 32

/* Keys of annotations or labels that contain a name. The first key with a valid name is used. */
static const char *const name_keys[] = {
	"io.kubernetes.cri.container-name", /* containerd */
	"io.kubernetes.container.name",	    /* CRI-O, cri-dockerd */
	"nerdctl/name",
	NULL,
};
static const char *const pod_keys[] = {
	"io.kubernetes.cri.sandbox-name", /* containerd */
	"io.kubernetes.pod.name",	  /* CRI-O, cri-dockerd */
	"io.kubernetes.cri-o.KubeName",	  /* CRI-O, if the pod does not have these labels */
	NULL,
};
static const char *const namespace_keys[] = {
	"io.kubernetes.cri.sandbox-namespace", /* containerd */
	"io.kubernetes.pod.namespace",	       /* CRI-O, cri-dockerd */
	"io.kubernetes.cri-o.Namespace",
	NULL,
};

static struct json_object *member(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	if (json_object_is_type(o, json_type_object))
		json_object_object_get_ex(o, key, &value);
	return value;
}

/* Copies a name to ret, unless ret already has one or the name is invalid. */
static void take(struct json_object *value, char *ret, size_t size)
{
	const char *s;

	if (*ret || !json_object_is_type(value, json_type_string))
		return;
	s = json_object_get_string(value);
	if (strlen(s) == (size_t)json_object_get_string_len(value) && strlen(s) < size &&
	    rsp_container_name_ok(s, size))
		strcpy(ret, s);
}

static void take_first(struct json_object *o, const char *const *keys, char *ret, size_t size)
{
	for (; *keys; keys++)
		take(member(o, *keys), ret, size);
}

static void take_labels(struct json_object *labels, struct rsp_ev_container *ret)
{
	take_first(labels, name_keys, ret->name, sizeof(ret->name));
	take_first(labels, pod_keys, ret->pod, sizeof(ret->pod));
	take_first(labels, namespace_keys, ret->name_space, sizeof(ret->name_space));
}

/* Docker writes "/web". */
static void take_docker_name(struct json_object *value, struct rsp_ev_container *ret)
{
	const char *s = json_object_get_string(value);
	struct json_object *without;

	if (!json_object_is_type(value, json_type_string) || *s != '/')
		return;
	without = json_object_new_string_len(s + 1, json_object_get_string_len(value) - 1);
	take(without, ret->name, sizeof(ret->name));
	json_object_put(without);
}

/*
 * In a pod, the name that Docker itself gives to a container is composed of the names in the
 * labels, and numbers. So the labels come first.
 */
static void read_docker(struct json_object *o, struct rsp_ev_container *ret)
{
	take_labels(member(member(o, "Config"), "Labels"), ret);
	take_docker_name(member(o, "Name"), ret);
}

static bool has_id(struct json_object *o, const char *id)
{
	struct json_object *value = member(o, "id");

	return json_object_is_type(value, json_type_string) &&
	       strcmp(json_object_get_string(value), id) == 0;
}

static void read_storage(struct json_object *list, const char *id, struct rsp_ev_container *ret)
{
	size_t cnt = json_object_is_type(list, json_type_array) ? json_object_array_length(list)
								: 0;

	for (size_t i = 0; i < cnt && !*ret->name; i++) {
		struct json_object *o = json_object_array_get_idx(list, i);
		struct json_object *names = member(o, "names");

		if (has_id(o, id) && json_object_is_type(names, json_type_array))
			take(json_object_array_get_idx(names, 0), ret->name, sizeof(ret->name));
	}
}

/* rsp_json_parse() accepts only objects. */
static int parse_list(const char *text, size_t len, struct json_object **ret)
{
	_cleanup_free_ char *whole = malloc(len + sizeof("{\"list\":}"));
	size_t at = sizeof("{\"list\":") - 1;

	if (!whole)
		return -ENOMEM;
	memcpy(whole, "{\"list\":", at);
	memcpy(whole + at, text, len);
	whole[at + len] = '}';
	return rsp_json_parse(whole, at + len + 1, DEPTH_MAX, ret);
}

int rsp_container_state_read(enum rsp_container_state form, const char *text, size_t len,
			     const char *id, struct rsp_ev_container *ret)
{
	_cleanup_json_ struct json_object *o = NULL;
	struct rsp_ev_container found = *ret;
	int r = form == RSP_CONTAINER_STATE_STORAGE ? parse_list(text, len, &o)
						    : rsp_json_parse(text, len, DEPTH_MAX, &o);

	if (r < 0)
		return r;
	*found.name = *found.pod = *found.name_space = '\0';
	if (form == RSP_CONTAINER_STATE_DOCKER)
		read_docker(o, &found);
	else if (form == RSP_CONTAINER_STATE_OCI)
		take_labels(member(o, "annotations"), &found);
	else
		read_storage(member(o, "list"), id, &found);
	if (!*found.name && !*found.pod)
		return -ENOENT;
	*ret = found;
	return 0;
}
