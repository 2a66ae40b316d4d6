/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See container.h. Components of the path are compared from the leaf on, because containers may run
 * systemd, whose cgroups are below that of the container, or other containers.
 */
#include "container.h"

#include <stdio.h>
#include <string.h>

#include "decode.h"

#define ID_LEN	  64
#define LABEL_LEN 12

/* A part of a path, not NUL-terminated. */
struct part {
	const char *s;
	size_t len;
};

enum what {
	ID,   /* 64 hexadecimal digits */
	NAME, /* of a machine */
	UNIT, /* of a machine, escaped by systemd */
};

struct form {
	const char *parent; /* NULL: any */
	const char *prefix, *suffix;
	enum what what;
	enum rsp_runtime runtime;
};

static const struct form forms[] = {
	{NULL, "docker-", ".scope", ID, RSP_RUNTIME_DOCKER},
	{"docker", "", "", ID, RSP_RUNTIME_DOCKER}, /* without systemd */
	{NULL, "libpod-", ".scope", ID, RSP_RUNTIME_PODMAN},
	{NULL, "libpod-payload-", "", ID, RSP_RUNTIME_PODMAN}, /* --cgroups=split */
	{NULL, "libpod-", "", ID, RSP_RUNTIME_PODMAN},	       /* without systemd */
	{NULL, "cri-containerd-", ".scope", ID, RSP_RUNTIME_CONTAINERD},
	{NULL, "nerdctl-", ".scope", ID, RSP_RUNTIME_CONTAINERD},
	{NULL, "crio-", ".scope", ID, RSP_RUNTIME_CRIO},
	{NULL, "crio-", "", ID, RSP_RUNTIME_CRIO}, /* without systemd */
	{NULL, "machine-", ".scope", UNIT, RSP_RUNTIME_MACHINE},
	{NULL, "systemd-nspawn@", ".service", UNIT, RSP_RUNTIME_MACHINE},
	{NULL, "lxc.payload.", "", NAME, RSP_RUNTIME_LXC},
	{"lxc", "", "", NAME, RSP_RUNTIME_LXC}, /* before LXC 4 */
};

/* Cgroups of pods. The uid follows. kind and others put "kubelet-" before it. */
static const struct {
	const char *prefix, *suffix;
} pods[] = {
	{"kubepods-pod", ".slice"},
	{"kubepods-burstable-pod", ".slice"},
	{"kubepods-besteffort-pod", ".slice"},
	{"pod", ""}, /* without systemd */
	{"machine-libpod_pod_", ".slice"},
	{"user-libpod_pod_", ".slice"},
};

/* containerd without systemd, if Kubernetes uses systemd: one component has the pod and the id. */
#define CRI_MARK ":cri-containerd:"

const char *rsp_runtime_key(enum rsp_runtime runtime)
{
	static const char *const keys[] = {
		[RSP_RUNTIME_DOCKER] = "docker",
		[RSP_RUNTIME_PODMAN] = "podman",
		[RSP_RUNTIME_CONTAINERD] = "containerd",
		[RSP_RUNTIME_CRIO] = "cri-o",
		[RSP_RUNTIME_KUBERNETES] = "kubernetes",
		[RSP_RUNTIME_MACHINE] = "machine",
		[RSP_RUNTIME_LXC] = "lxc",
	};

	return keys[runtime];
}

/* --- parts of a path ------------------------------------------------------------------------- */

/* Takes the last component off the path. Returns false if there is none. */
static bool take_leaf(struct part *path, struct part *ret)
{
	const char *slash;

	while (path->len && path->s[path->len - 1] == '/')
		path->len--;
	if (!path->len)
		return false;
	slash = memrchr(path->s, '/', path->len);
	ret->s = slash ? slash + 1 : path->s;
	ret->len = path->len - (size_t)(ret->s - path->s);
	path->len -= ret->len;
	return true;
}

static bool is_text(struct part part, const char *text)
{
	return part.len == strlen(text) && memcmp(part.s, text, part.len) == 0;
}

/* Takes prefix and suffix off. */
static bool strip(struct part *part, const char *prefix, const char *suffix)
{
	size_t before = strlen(prefix), after = strlen(suffix);

	if (part->len < before + after || memcmp(part->s, prefix, before) != 0 ||
	    memcmp(part->s + part->len - after, suffix, after) != 0)
		return false;
	part->s += before;
	part->len -= before + after;
	return true;
}

static bool consists_of(struct part part, const char *allowed)
{
	for (size_t i = 0; i < part.len; i++)
		if (!part.s[i] || !strchr(allowed, part.s[i]))
			return false;
	return part.len > 0;
}

#define HEX "0123456789abcdef"

static bool take_id(struct part part, char ret[static 65])
{
	if (part.len != ID_LEN || !consists_of(part, HEX))
		return false;
	memcpy(ret, part.s, ID_LEN);
	ret[ID_LEN] = '\0';
	return true;
}

/* As machined allows names: those of hosts. */
static bool take_name(struct part part, char ret[static 65])
{
	if (part.len > 64 || !consists_of(part, "abcdefghijklmnopqrstuvwxyz"
						"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"))
		return false;
	memcpy(ret, part.s, part.len);
	ret[part.len] = '\0';
	return true;
}

/*
 * systemd writes '-' in names as "\x2d". Other escapes stand for characters that no machine has in
 * its name.
 */
static bool take_unit_name(struct part part, char ret[static 65])
{
	static const char dash[] = "\\x2d";
	char text[64];
	size_t len = 0;

	for (size_t i = 0; i < part.len; len++) {
		bool escaped = part.len - i >= strlen(dash) &&
			       memcmp(part.s + i, dash, strlen(dash)) == 0;

		if (len == sizeof(text))
			return false;
		text[len] = escaped ? '-' : part.s[i];
		i += escaped ? strlen(dash) : 1;
	}
	return take_name((struct part){text, len}, ret);
}

/* --- containers ------------------------------------------------------------------------------ */

/* Kubernetes writes uids as UUIDs, those of static pods without '-'; in units '-' is '_'. */
static bool take_pod(struct part part, char ret[static 65])
{
	static const char kubelet[] = "kubelet-";

	strip(&part, kubelet, "");
	for (size_t i = 0; i < sizeof(pods) / sizeof(pods[0]); i++) {
		struct part uid = part;

		if (!strip(&uid, pods[i].prefix, pods[i].suffix) || uid.len < 32 ||
		    uid.len > ID_LEN || !consists_of(uid, HEX "-_"))
			continue;
		memcpy(ret, uid.s, uid.len);
		ret[uid.len] = '\0';
		for (char *c = ret; (c = strchr(c, '_'));)
			*c = '-';
		return true;
	}
	return false;
}

/* libvirt registers virtual machines, too. Their processes are outside. */
static bool is_virtual_machine(const struct rsp_container *c)
{
	return c->runtime == RSP_RUNTIME_MACHINE && strncmp(c->name, "qemu-", 5) == 0;
}

static bool fits(const struct form *form, struct part part, struct part parent,
		 struct rsp_container *ret)
{
	if ((form->parent && !is_text(parent, form->parent)) ||
	    !strip(&part, form->prefix, form->suffix))
		return false;
	*ret = (struct rsp_container){.runtime = form->runtime};
	if (form->what == ID)
		return take_id(part, ret->id);
	if (form->what == NAME)
		return take_name(part, ret->name);
	return take_unit_name(part, ret->name) && !is_virtual_machine(ret);
}

static bool is_pod_and_id(struct part part, struct rsp_container *ret)
{
	const char *mark = memmem(part.s, part.len, CRI_MARK, strlen(CRI_MARK));
	struct part pod = {part.s, mark ? (size_t)(mark - part.s) : 0};

	if (!mark)
		return false;
	*ret = (struct rsp_container){.runtime = RSP_RUNTIME_CONTAINERD};
	part.s = mark + strlen(CRI_MARK);
	part.len -= pod.len + strlen(CRI_MARK);
	return take_pod(pod, ret->pod) && take_id(part, ret->id);
}

static bool is_container(struct part part, struct part parent, struct rsp_container *ret)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (!fits(&forms[i], part, parent, ret))
			continue;
		if (*ret->id)
			take_pod(parent, ret->pod);
		return true;
	}
	if (is_pod_and_id(part, ret))
		return true;
	*ret = (struct rsp_container){.runtime = RSP_RUNTIME_KUBERNETES};
	return take_id(part, ret->id) && take_pod(parent, ret->pod);
}

bool rsp_container_of_path(const char *path, struct rsp_container *ret, size_t *ret_len)
{
	struct part rest = {path, strlen(path)}, part, child = {"", 0};
	struct rsp_container found;

	while (take_leaf(&rest, &part)) {
		struct part above = rest, parent = {"", 0};

		take_leaf(&above, &parent);
		/* systemd-nspawn itself runs beside the container's "payload" */
		if (is_container(part, parent, &found) &&
		    (found.runtime != RSP_RUNTIME_MACHINE || !is_text(child, "supervisor"))) {
			*ret = found;
			if (ret_len)
				*ret_len = rest.len + part.len;
			return true;
		}
		child = part;
	}
	return false;
}

bool rsp_container_of_object(const struct rsp_ev_object *obj, struct rsp_container *ret)
{
	char path[2 * RSP_NAME_MAX];

	return obj->type == RSP_OBJ_CGROUP &&
	       rsp_container_of_path(rsp_object_name(obj, path, sizeof(path)), ret, NULL);
}

void rsp_container_make_object(__u64 cgroup_id, const char *path, struct rsp_ev_object *ret)
{
	struct part rest = {path, strlen(path)}, part;

	*ret = (struct rsp_ev_object){
		.hdr = {.kind = RSP_EV_OBJECT, .size = sizeof(*ret)},
		/* Kernel programs make ids from addresses, too. A multiple keeps ids distinct. */
		.id = (cgroup_id + 1) * 0x9e3779b97f4a7c15ULL,
		.ino = cgroup_id,
		.type = RSP_OBJ_CGROUP,
	};
	while (take_leaf(&rest, &part)) {
		if (ret->name_len + part.len + 1 > sizeof(ret->name)) {
			ret->hdr.flags = RSP_OBJ_TRUNCATED;
			return;
		}
		memcpy(ret->name + ret->name_len, part.s, part.len);
		ret->name_len += (__u32)part.len + 1;
	}
}

const char *rsp_container_label(const struct rsp_container *c,
				char buf[static RSP_CONTAINER_LABEL_BYTES])
{
	if (*c->name)
		return c->name;
	snprintf(buf, RSP_CONTAINER_LABEL_BYTES, "%.*s", LABEL_LEN, c->id);
	return buf;
}

static bool begins_with(const char *s, const char *text, size_t len)
{
	return len >= RSP_CONTAINER_PREFIX_MIN && strncmp(s, text, len) == 0;
}

bool rsp_container_matches(const struct rsp_container *c, const char *text)
{
	const char *slash = strchr(text, '/');

	if (slash && !begins_with(c->pod, text, (size_t)(slash - text)))
		return false;
	if (slash)
		text = slash + 1;
	return (*c->name && strcmp(c->name, text) == 0) || begins_with(c->id, text, strlen(text));
}
