/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the container of a cgroup's processes from the path of the cgroup, by the names that
 * container runtimes give to cgroups. Any user to whom a cgroup is delegated can make a cgroup with
 * such a name, so the result is a claim, not a proof. A path does not contain the name that people
 * use for the container, except for machines; CONTAINER records contain it. All strings consist of
 * letters, digits, '.', '-' and '_'.
 */
#ifndef RSP_LIB_CONTAINER_H
#define RSP_LIB_CONTAINER_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#include "rsp/event.h"

enum rsp_runtime {
	RSP_RUNTIME_DOCKER,
	RSP_RUNTIME_PODMAN,
	RSP_RUNTIME_CONTAINERD,
	RSP_RUNTIME_CRIO,
	RSP_RUNTIME_KUBERNETES, /* container of a pod; the path does not name the runtime */
	RSP_RUNTIME_MACHINE,	/* systemd-nspawn, or another program known to machined */
	RSP_RUNTIME_LXC,
};
const char *rsp_runtime_key(enum rsp_runtime runtime); /* "docker" */

struct rsp_container {
	enum rsp_runtime runtime;
	char id[65];  /* 64 hexadecimal digits; "": the runtime has only names */
	char pod[65]; /* uid of the Kubernetes pod, or id of the podman pod; "": none */
	char name[RSP_CONTAINER_NAME_MAX];    /* "": unknown */
	char pod_name[RSP_CONTAINER_POD_MAX]; /* name of the pod in Kubernetes; "": unknown */
	char name_space[RSP_CONTAINER_NAMESPACE_MAX]; /* namespace of the pod; "": unknown */
};

/*
 * Finds the innermost container of a path such as "/system.slice/docker-ID.scope". ret_len: length
 * of the part of the path that names the container; NULL: not needed. Returns false if the path has
 * no container.
 */
bool rsp_container_of_path(const char *path, struct rsp_container *ret, size_t *ret_len);
/*
 * Like rsp_container_of_path(), for a CGROUP object, whose name may lack the beginning of the path.
 */
bool rsp_container_of_object(const struct rsp_ev_object *obj, struct rsp_container *ret);
/* Makes the CGROUP object of a cgroup. A path that is too long loses its beginning. */
void rsp_container_make_object(__u64 cgroup_id, const char *path, struct rsp_ev_object *ret);

/*
 * Returns whether a name obeys the rules of struct rsp_ev_container. The name may lack a NUL within
 * its size bytes.
 */
bool rsp_container_name_ok(const char *name, size_t size);
/*
 * Adds the names of a record. Ignores names that are not ok, and keeps the name of a machine. names
 * may be NULL.
 */
void rsp_container_add_names(const struct rsp_ev_container *names, struct rsp_container *c);

/*
 * Writes a container to buf as one text, so that equal containers have equal texts: its names, and
 * the path of its cgroup without the cgroups below.
 */
#define RSP_CONTAINER_PRINTED_BYTES (3 * RSP_NAME_MAX + sizeof(struct rsp_ev_container))
void rsp_container_print(const struct rsp_container *c, const char *path,
			 char buf[static RSP_CONTAINER_PRINTED_BYTES]);
/*
 * The inverse of rsp_container_print(). Returns the path, which lies in text; NULL: text has
 * another form.
 */
const char *rsp_container_parse(const char *text, struct rsp_container *ret);

/*
 * Writes "NAME" or "POD/NAME". If the name is unknown, the first 12 digits of the id take its
 * place.
 */
#define RSP_CONTAINER_LABEL_BYTES (RSP_CONTAINER_POD_MAX + RSP_CONTAINER_NAME_MAX)
const char *rsp_container_label(const struct rsp_container *c,
				char buf[static RSP_CONTAINER_LABEL_BYTES]);

/*
 * Writes "web (docker, ID 3726184226f5)" or "default/shop-1/web (containerd, ID 3726184226f5)",
 * which distinguishes containers of the same name. Returns buf.
 */
#define RSP_CONTAINER_DESCRIBED_BYTES (RSP_CONTAINER_LABEL_BYTES + RSP_CONTAINER_NAMESPACE_MAX + 48)
const char *rsp_container_describe(const struct rsp_container *c,
				   char buf[static RSP_CONTAINER_DESCRIBED_BYTES]);

/* A list of the containers that a text selects, if there are several; for people. */
#define RSP_CANDIDATES_BYTES 1024
/* Adds a container to the list, which is "" at first. Leaves it out if there is no room. */
void rsp_candidates_add(char list[static RSP_CANDIDATES_BYTES], const struct rsp_container *c);

/*
 * Returns whether text selects the container. text is the name of the container, or at least
 * RSP_CONTAINER_PREFIX_MIN of the first digits of its id. The pod and '/' may precede this: the
 * pod's name or the first digits of its uid. The namespace and '/' may precede the pod.
 */
#define RSP_CONTAINER_PREFIX_MIN 4
/* size of the longest text that selects a container, with NUL */
#define RSP_CONTAINER_TEXT_BYTES (RSP_CONTAINER_LABEL_BYTES + RSP_CONTAINER_NAMESPACE_MAX)
bool rsp_container_matches(const struct rsp_container *c, const char *text);

#endif
