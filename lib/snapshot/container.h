/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the container of a cgroup's processes from the path of the cgroup, by the names that
 * container runtimes give to cgroups. Any user to whom a cgroup is delegated can make a cgroup with
 * such a name, so the result is not reliable. All strings consist of letters, digits, '.', '-' and
 * '_'.
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
const char *rsp_runtime_key(enum rsp_runtime runtime);

struct rsp_container {
	enum rsp_runtime runtime;
	char id[65];  /* 64 hexadecimal digits; "": the runtime has names instead of IDs */
	char pod[65]; /* uid of the Kubernetes pod, or ID of the podman pod; "": no pod */
	char name[RSP_CONTAINER_NAME_MAX];    /* "": unknown */
	char pod_name[RSP_CONTAINER_POD_MAX]; /* name of the pod in Kubernetes; "": unknown */
	char name_space[RSP_CONTAINER_NAMESPACE_MAX]; /* namespace of the pod; "": unknown */
};

/*
 * Finds the innermost container of a path such as "/system.slice/docker-ID.scope". ret_len: length
 * of the path up to the cgroup of the container; may be NULL. Returns false if the path has no
 * container.
 */
bool rsp_container_of_path(const char *path, struct rsp_container *ret, size_t *ret_len);
/*
 * Like rsp_container_of_path(), for an OBJECT record of a cgroup. Its name may lack the beginning
 * of the path.
 */
bool rsp_container_of_object(const struct rsp_ev_object *obj, struct rsp_container *ret);
/* Makes the OBJECT record of a cgroup. If the path is too long, its beginning is cut off. */
void rsp_container_make_object(__u64 cgroup_id, const char *path, struct rsp_ev_object *ret);

/*
 * Returns whether a name obeys the rules of struct rsp_ev_container. name has size bytes and need
 * not contain a NUL.
 */
bool rsp_container_name_ok(const char *name, size_t size);
/*
 * Adds the names of a CONTAINER record to c. Ignores names that rsp_container_name_ok() rejects,
 * and does not replace c->name. names may be NULL.
 */
void rsp_container_add_names(const struct rsp_ev_container *names, struct rsp_container *c);

/*
 * Writes the names of a container and the path of its cgroup to buf. Equal containers have equal
 * texts.
 */
#define RSP_CONTAINER_PRINTED_BYTES (3 * RSP_NAME_MAX + sizeof(struct rsp_ev_container))
void rsp_container_print(const struct rsp_container *c, const char *path,
			 char buf[static RSP_CONTAINER_PRINTED_BYTES]);
/*
 * Reads a container from a text of rsp_container_print(). Returns the path, which is a part of
 * text; NULL: the text has another form.
 */
const char *rsp_container_parse(const char *text, struct rsp_container *ret);

/*
 * Writes "NAME" or "POD/NAME". If the name of the container is unknown, writes the first 12 digits
 * of its ID instead. Returns buf.
 */
#define RSP_CONTAINER_LABEL_BYTES (RSP_CONTAINER_POD_MAX + RSP_CONTAINER_NAME_MAX)
const char *rsp_container_label(const struct rsp_container *c,
				char buf[static RSP_CONTAINER_LABEL_BYTES]);

/*
 * Writes a text that distinguishes containers of the same name, such as "web (docker, ID
 * 3726184226f5)". Returns buf.
 */
#define RSP_CONTAINER_DESCRIBED_BYTES (RSP_CONTAINER_LABEL_BYTES + RSP_CONTAINER_NAMESPACE_MAX + 48)
const char *rsp_container_describe(const struct rsp_container *c,
				   char buf[static RSP_CONTAINER_DESCRIBED_BYTES]);

/* Size of a list of the containers that an ambiguous text selects. */
#define RSP_CANDIDATES_BYTES 1024
/* Adds a container to the list, which is "" at first, if the list has room. */
void rsp_candidates_add(char list[static RSP_CANDIDATES_BYTES], const struct rsp_container *c);

/*
 * Returns whether a text of the form [[NAMESPACE/]POD/]CONTAINER selects the container. CONTAINER
 * is the name of the container or the beginning of its ID. POD is the name of the pod or the
 * beginning of its uid. At least RSP_CONTAINER_PREFIX_MIN digits of an ID or uid are needed.
 */
#define RSP_CONTAINER_PREFIX_MIN 4
/* maximum size of a text that selects a container, with NUL */
#define RSP_CONTAINER_TEXT_BYTES (RSP_CONTAINER_LABEL_BYTES + RSP_CONTAINER_NAMESPACE_MAX)
bool rsp_container_matches(const struct rsp_container *c, const char *text);

#endif
