/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the names of a container from a file that a container runtime wrote. The creator of the
 * container chose most of the content, so the file may be hostile: call this in a sandbox.
 */
#ifndef RSP_LIB_CONTAINERS_STATE_H
#define RSP_LIB_CONTAINERS_STATE_H

#include <stddef.h>

#include "rsp/event.h"

/* A list of 1,500 containers has about this size. */
#define RSP_CONTAINER_STATE_BYTES_MAX (1 << 20)

enum rsp_container_state {
	/* config.v2.json of Docker: the name, and the labels of Kubernetes' cri-dockerd */
	RSP_CONTAINER_STATE_DOCKER = 1,
	/* config.json for an OCI runtime: annotations of containerd, nerdctl and CRI-O */
	RSP_CONTAINER_STATE_OCI,
	/* containers.json of containers/storage, which podman uses: a list of all containers */
	RSP_CONTAINER_STATE_STORAGE,
	RSP_CONTAINER_STATE_MAX,
};

/*
 * Sets the three names in ret. A name that is missing, or that rsp_container_name_ok() rejects,
 * stays empty. id: the ID of the container. Returns 0; -ENOENT: the text contains no name of this
 * container; -EBADMSG: it is not JSON, or nested too deeply; -ENOMEM.
 */
int rsp_container_state_read(enum rsp_container_state form, const char *text, size_t len,
			     const char *id, struct rsp_ev_container *ret);

#endif
