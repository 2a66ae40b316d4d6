/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See container.h. The search begins at the leaf, because a container may run systemd or other
 * containers, whose cgroups are below its own.
 */
#include "lib/snapshot/container.h"

#include <stdio.h>
#include <string.h>

#include "lib/snapshot/decode.h"

#define ID_LEN	  64
#define LABEL_LEN 12

#define MACHINE_LEN 64

/* A part of a path, not NUL-terminated. */
struct part {
	const char *s;
	size_t len;
};

enum what {
	BY_ID,	 /* 64 hexadecimal digits */
	BY_NAME, /* the name of a machine */
	BY_UNIT, /* the name of a machine, escaped by systemd */
};

struct form {
	const char *parent; /* name of the parent directory; NULL: any */
	const char *prefix, *suffix;
	enum what what;
	enum rsp_runtime runtime;
};

static const struct form forms[] = {
	{NULL, "docker-", ".scope", BY_ID, RSP_RUNTIME_DOCKER},
	{"docker", "", "", BY_ID, RSP_RUNTIME_DOCKER}, /* without systemd */
	{NULL, "libpod-", ".scope", BY_ID, RSP_RUNTIME_PODMAN},
	{NULL, "libpod-payload-", "", BY_ID, RSP_RUNTIME_PODMAN}, /* --cgroups=split */
	{NULL, "libpod-", "", BY_ID, RSP_RUNTIME_PODMAN},	  /* without systemd */
	{NULL, "cri-containerd-", ".scope", BY_ID, RSP_RUNTIME_CONTAINERD},
	{NULL, "nerdctl-", ".scope", BY_ID, RSP_RUNTIME_CONTAINERD},
	{NULL, "crio-", ".scope", BY_ID, RSP_RUNTIME_CRIO},
	{NULL, "crio-", "", BY_ID, RSP_RUNTIME_CRIO}, /* without systemd */
	{NULL, "machine-", ".scope", BY_UNIT, RSP_RUNTIME_MACHINE},
	{NULL, "systemd-nspawn@", ".service", BY_UNIT, RSP_RUNTIME_MACHINE},
	{NULL, "lxc.payload.", "", BY_NAME, RSP_RUNTIME_LXC},
	{"lxc", "", "", BY_NAME, RSP_RUNTIME_LXC}, /* before LXC 4 */
};

/*
 * Text before and after the uid of a pod. Some tools, such as kind (Kubernetes in Docker), put
 * "kubelet-" before this text.
 */
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

/*
 * Separates the uid of a pod and the ID of a container, if Kubernetes uses systemd and containerd
 * does not.
 */
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

/*
 * Removes the last component from the path and returns it in *ret. Returns false if there is none.
 */
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

#define HEX  "0123456789abcdef"
#define NAME "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"

static bool take_id(struct part part, char ret[static 65])
{
	if (part.len != ID_LEN || !consists_of(part, HEX))
		return false;
	memcpy(ret, part.s, ID_LEN);
	ret[ID_LEN] = '\0';
	return true;
}

static bool take_name(struct part part, char ret[static RSP_CONTAINER_NAME_MAX])
{
	if (part.len > MACHINE_LEN || !consists_of(part, NAME))
		return false;
	memcpy(ret, part.s, part.len);
	ret[part.len] = '\0';
	return true;
}

/*
 * In the name of a unit, systemd writes '-' as "\x2d". Any other escape stands for a character that
 * no name of a machine contains.
 */
static bool take_unit_name(struct part part, char ret[static RSP_CONTAINER_NAME_MAX])
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

/*
 * Kubernetes writes uids as UUIDs; the uids of static pods have no '-'. In names of units, '_'
 * stands for '-'.
 */
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

/* libvirt also registers virtual machines with machined. A virtual machine is not a container. */
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
	if (form->what == BY_ID)
		return take_id(part, ret->id);
	if (form->what == BY_NAME)
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
		/*
		 * systemd-nspawn itself runs in the child cgroup "supervisor", and its container in
		 * "payload"
		 */
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
		/*
		 * The factor is odd, so different cgroups get different ids. The factor is large,
		 * so these ids rarely equal ids from BPF programs.
		 */
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

/* --- names ----------------------------------------------------------------------------------- */

bool rsp_container_name_ok(const char *name, size_t size)
{
	struct part part = {name, strnlen(name, size)};

	return part.len < size && !strchr(".-_", *name) && consists_of(part, NAME);
}

static void take_known(const char *name, size_t size, char *ret)
{
	if (rsp_container_name_ok(name, size))
		memcpy(ret, name, size);
}

void rsp_container_add_names(const struct rsp_ev_container *names, struct rsp_container *c)
{
	if (!names)
		return;
	if (!*c->name)
		take_known(names->name, sizeof(names->name), c->name);
	take_known(names->pod, sizeof(names->pod), c->pod_name);
	take_known(names->name_space, sizeof(names->name_space), c->name_space);
}

/* Writes words separated by spaces. Names contain no space, and the path is the last word. */
void rsp_container_print(const struct rsp_container *c, const char *path,
			 char buf[static RSP_CONTAINER_PRINTED_BYTES])
{
	snprintf(buf, RSP_CONTAINER_PRINTED_BYTES, "%s %s %s %s", c->name_space, c->pod_name,
		 c->name, path);
}

/*
 * Removes the first word from the text, and copies it to ret. Returns false if no space follows the
 * word, or if the word is too long.
 */
static bool take_word(const char **text, size_t size, char *ret)
{
	size_t len = strcspn(*text, " ");

	if (len >= size || !(*text)[len])
		return false;
	memcpy(ret, *text, len);
	ret[len] = '\0';
	*text += len + 1;
	return true;
}

const char *rsp_container_parse(const char *text, struct rsp_container *ret)
{
	struct rsp_ev_container names;

	if (!take_word(&text, sizeof(names.name_space), names.name_space) ||
	    !take_word(&text, sizeof(names.pod), names.pod) ||
	    !take_word(&text, sizeof(names.name), names.name) ||
	    !rsp_container_of_path(text, ret, NULL))
		return NULL;
	rsp_container_add_names(&names, ret);
	return text;
}

const char *rsp_container_label(const struct rsp_container *c,
				char buf[static RSP_CONTAINER_LABEL_BYTES])
{
	bool has_name = *c->name;

	snprintf(buf, RSP_CONTAINER_LABEL_BYTES, "%s%s%.*s", c->pod_name, *c->pod_name ? "/" : "",
		 has_name ? RSP_CONTAINER_NAME_MAX : LABEL_LEN, has_name ? c->name : c->id);
	return buf;
}

const char *rsp_container_describe(const struct rsp_container *c,
				   char buf[static RSP_CONTAINER_DESCRIBED_BYTES])
{
	char label[RSP_CONTAINER_LABEL_BYTES];

	snprintf(buf, RSP_CONTAINER_DESCRIBED_BYTES, "%s%s%s (%s%s%.*s)", c->name_space,
		 *c->name_space ? "/" : "", rsp_container_label(c, label),
		 rsp_runtime_key(c->runtime), *c->id ? ", ID " : "", LABEL_LEN, c->id);
	return buf;
}

void rsp_candidates_add(char list[static RSP_CANDIDATES_BYTES], const struct rsp_container *c)
{
	char described[RSP_CONTAINER_DESCRIBED_BYTES];
	size_t len = strlen(list);

	rsp_container_describe(c, described);
	if (len + strlen(", ") + strlen(described) < RSP_CANDIDATES_BYTES)
		sprintf(list + len, "%s%s", len ? ", " : "", described);
}

static bool begins_with(const char *s, struct part text)
{
	return text.len >= RSP_CONTAINER_PREFIX_MIN && strncmp(s, text.s, text.len) == 0;
}

static bool is_name(const char *name, struct part text)
{
	return *name && is_text(text, name);
}

bool rsp_container_matches(const struct rsp_container *c, const char *text)
{
	struct part rest = {text, strlen(text)}, own, pod, name_space;

	/* checked here, because take_leaf() ignores slashes at the end */
	if (!rest.len || text[0] == '/' || text[rest.len - 1] == '/' || !take_leaf(&rest, &own))
		return false;
	if (!is_name(c->name, own) && !begins_with(c->id, own))
		return false;
	if (!take_leaf(&rest, &pod))
		return true;
	if (!is_name(c->pod_name, pod) && !begins_with(c->pod, pod))
		return false;
	return !take_leaf(&rest, &name_space) ||
	       (is_name(c->name_space, name_space) && !take_leaf(&rest, &own));
}
