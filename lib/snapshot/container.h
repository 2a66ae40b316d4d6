/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The path of a cgroup -> the container that its processes are in, by the names that container
 * runtimes give to cgroups. Any user to whom a cgroup is delegated can make a cgroup with such a
 * name, so the result is a claim, not a proof. All strings consist of letters, digits, '.', '-' and
 * '_'.
 */
#ifndef RSP_LIB_CONTAINER_H
#define RSP_LIB_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

struct rsp_ev_object;

enum rsp_runtime {
	RSP_RUNTIME_DOCKER,
	RSP_RUNTIME_PODMAN,
	RSP_RUNTIME_CONTAINERD,
	RSP_RUNTIME_CRIO,
	RSP_RUNTIME_KUBERNETES, /* a pod's; the path does not name the runtime below Kubernetes */
	RSP_RUNTIME_MACHINE,	/* systemd-nspawn, or another that registers with machined */
	RSP_RUNTIME_LXC,
};
const char *rsp_runtime_key(enum rsp_runtime runtime); /* "docker" */

struct rsp_container {
	enum rsp_runtime runtime;
	char id[65];   /* 64 hexadecimal digits; "": the runtime has only names */
	char pod[65];  /* uid of the Kubernetes pod, or id of the podman pod; "": none */
	char name[65]; /* of a MACHINE or LXC; else "" */
};

/*
 * Finds the innermost container of a path such as "/system.slice/docker-ID.scope". ret_len: length
 * of the part of the path that names the container; NULL: not needed. Returns whether there is one.
 */
bool rsp_container_of_path(const char *path, struct rsp_container *ret, size_t *ret_len);
/* The same for a CGROUP object, whose name may lack the beginning of the path. */
bool rsp_container_of_object(const struct rsp_ev_object *obj, struct rsp_container *ret);
/* Makes the CGROUP object of a cgroup. A path that is too long loses its beginning. */
void rsp_container_make_object(__u64 cgroup_id, const char *path, struct rsp_ev_object *ret);

/* Returns the name or the first 12 digits of the id. It lives in c or buf. */
#define RSP_CONTAINER_LABEL_BYTES 65
const char *rsp_container_label(const struct rsp_container *c,
				char buf[static RSP_CONTAINER_LABEL_BYTES]);

/*
 * Whether text selects the container: its name, or the first digits of its id, at least
 * RSP_CONTAINER_PREFIX_MIN. Either may follow the first digits of the pod and '/'.
 */
#define RSP_CONTAINER_PREFIX_MIN 4
#define RSP_CONTAINER_TEXT_BYTES 130 /* of the longest text that selects one, with NUL */
bool rsp_container_matches(const struct rsp_container *c, const char *text);

#endif
