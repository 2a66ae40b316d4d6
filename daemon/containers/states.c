/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See states.h. */
#include "daemon/containers/states.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/worker/inquiry.h"
#include "lib/base/cleanup.h"
#include "lib/containers/state.h"
#include "lib/files/copy.h"
#include "lib/files/regular.h"

struct place {
	enum rsp_runtime runtime;
	enum rsp_container_state form;
	const char *path; /* '@' stands for the id */
};

#define STORAGES(dir)                                                                              \
	{RSP_RUNTIME_PODMAN, RSP_CONTAINER_STATE_STORAGE, dir "-containers/containers.json"},      \
	/* newer versions, for podman run --rm */                                                  \
	{                                                                                          \
		RSP_RUNTIME_PODMAN, RSP_CONTAINER_STATE_STORAGE,                                   \
			dir "-containers/volatile-containers.json"                                 \
	}
#define TASK "/io.containerd.runtime.v2.task/"

/* Paths for containers that root started. The paths of a runtime are tried in this order. */
static const struct place roots[] = {
	STORAGES("/var/lib/containers/storage/overlay"),
	STORAGES("/var/lib/containers/storage/vfs"),
	STORAGES("/var/lib/containers/storage/btrfs"),
	{RSP_RUNTIME_CONTAINERD, RSP_CONTAINER_STATE_OCI,
	 "/run/containerd" TASK "k8s.io/@/config.json"},
	{RSP_RUNTIME_CONTAINERD, RSP_CONTAINER_STATE_OCI,
	 "/run/k3s/containerd" TASK "k8s.io/@/config.json"},
	{RSP_RUNTIME_CONTAINERD, RSP_CONTAINER_STATE_OCI,
	 "/run/containerd" TASK "default/@/config.json"}, /* nerdctl */
	{RSP_RUNTIME_CRIO, RSP_CONTAINER_STATE_OCI,
	 "/run/containers/storage/overlay-containers/@/userdata/config.json"},
	{RSP_RUNTIME_CRIO, RSP_CONTAINER_STATE_OCI,
	 "/var/lib/containers/storage/overlay-containers/@/userdata/config.json"},
	{RSP_RUNTIME_DOCKER, RSP_CONTAINER_STATE_DOCKER,
	 "/var/lib/docker/containers/@/config.v2.json"},
};

static const struct place homes[] = {
	STORAGES("/.local/share/containers/storage/overlay"),
	STORAGES("/.local/share/containers/storage/vfs"),
	{RSP_RUNTIME_DOCKER, RSP_CONTAINER_STATE_DOCKER,
	 "/.local/share/docker/containers/@/config.v2.json"},
};

/*
 * rspd's own root directory differs from the machine's in a container, and in a service, whose /run
 * may lack directories of other users.
 */
static const char *machine_root(void)
{
	return access("/proc/1/root/etc", F_OK) == 0 ? "/proc/1/root" : "/";
}

/* Reads /etc/passwd directly, because getpwuid() may ask a server on a network. */
static int find_home(const char *root, uid_t uid, char *ret, size_t size)
{
	int fd = rsp_regular_open_in(root, "/etc/passwd"), r = -ENOENT;
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	struct passwd *pw;

	if (!f) {
		rsp_cleanup_close(&fd);
		return -ENOENT;
	}
	while (r < 0 && (pw = fgetpwent(f)))
		if (pw->pw_uid == uid && pw->pw_dir[0] == '/' && strlen(pw->pw_dir) < size) {
			strcpy(ret, pw->pw_dir);
			r = 0;
		}
	fclose(f);
	return r;
}

static int write_path(const char *home, const char *below, const char *id, char *ret, size_t size)
{
	const char *at = strchr(below, '@');
	int before = at ? (int)(at - below) : (int)strlen(below);
	int len = snprintf(ret, size, "%s%.*s%s%s", home, before, below, at ? id : "",
			   at ? at + 1 : "");

	return len < (int)size ? 0 : -ENAMETOOLONG;
}

/* Unlike the file, the copy cannot change or block while rsp-worker reads it. */
static int open_state(const char *root, const char *path, uid_t owner)
{
	_cleanup_close_ int fd = rsp_regular_open_no_link_in(root, path);
	struct stat st;

	if (fd < 0)
		return rsp_take_fd(&fd);
	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_uid != owner)
		return -EACCES;
	return rsp_file_copy(fd, RSP_CONTAINER_STATE_BYTES_MAX);
}

static bool may_be_of(const struct place *place, enum rsp_runtime runtime)
{
	return runtime == RSP_RUNTIME_KUBERNETES ? place->form != RSP_CONTAINER_STATE_STORAGE
						 : runtime == place->runtime;
}

static int read_place(const struct place *place, const char *root, const char *home, uid_t owner,
		      const char *id, struct rsp_ev_container *ret)
{
	_cleanup_close_ int fd = -1;
	char path[PATH_MAX];
	int r = write_path(home, place->path, id, path, sizeof(path));

	if (r < 0)
		return r;
	fd = open_state(root, path, owner);
	return fd < 0 ? fd : rsp_inquiry_name_container(fd, place->form, id, ret);
}

int rsp_states_name(const struct rsp_container *c, uid_t owner, struct rsp_ev_container *ret)
{
	const struct place *places = owner ? homes : roots;
	size_t cnt = owner ? sizeof(homes) / sizeof(homes[0]) : sizeof(roots) / sizeof(roots[0]);
	const char *root = machine_root();
	char home[PATH_MAX] = "";
	int r = owner ? find_home(root, owner, home, sizeof(home)) : 0, result = -ENOENT;

	for (size_t i = 0; i < cnt && r == 0; i++) {
		int error = may_be_of(&places[i], c->runtime)
				    ? read_place(&places[i], root, home, owner, c->id, ret)
				    : -ENOENT;

		if (error == 0)
			return 0;
		if (error != -ENOENT)
			result = error;
	}
	return result;
}
