/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See cgroups.h. A cgroup's id is the inode number of its directory. */
#include "daemon/base/cgroups.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

/* Large machines have a few thousand cgroups. */
#define CGROUP_MAX 65536

/*
 * Inode number of the root of the whole hierarchy. A mount in a container may show only a part of
 * it, whose root has another inode number.
 */
#define ROOT_INO 1

static bool is_whole(const char *dir)
{
	struct stat st;

	return stat(dir, &st) == 0 && st.st_ino == ROOT_INO;
}

/*
 * mounts: path of a process's table of mounts; root: the root directory of that process; whole:
 * accept only a mount of the whole hierarchy.
 */
static int find_hierarchy(const char *mounts, const char *root, bool whole, char **ret)
{
	FILE *f = setmntent(mounts, "re");
	struct mntent *mount;
	int r = -ENOENT;

	if (!f)
		return -errno;
	while (r == -ENOENT && (mount = getmntent(f))) {
		_cleanup_free_ char *dir = NULL;

		if (strcmp(mount->mnt_type, "cgroup2") != 0)
			continue;
		if (asprintf(&dir, "%s%s", root, mount->mnt_dir) < 0)
			r = -ENOMEM;
		else if (!whole || is_whole(dir)) {
			*ret = rsp_take_ptr(dir);
			r = 0;
		}
	}
	endmntent(f);
	return r;
}

/*
 * Finds a mount, preferably of the whole hierarchy. If rspd's container shares the machine's PID
 * namespace, process 1 has a mount of the whole hierarchy.
 */
static int find_best_hierarchy(char **ret)
{
	int r = find_hierarchy("/proc/self/mounts", "", true, ret);

	if (r == -ENOENT)
		r = find_hierarchy("/proc/1/mounts", "/proc/1/root", true, ret);
	return r < 0 && r != -ENOMEM ? find_hierarchy("/proc/self/mounts", "", false, ret) : r;
}

/* Keeps the result of the search, since a machine may have thousands of mounts. */
static int hierarchy(const char **ret)
{
	static char *known;
	int r = known ? 0 : find_best_hierarchy(&known);

	*ret = known;
	return r;
}

/* Writes the path of a slice, for example "/a.slice/a-b.slice" for "a-b.slice". */
static int place_slice(const char *unit, char *ret_path, size_t len)
{
	size_t at = 0, stem = strlen(unit) - strlen(".slice");

	if (strcmp(unit, "-.slice") == 0)
		return snprintf(ret_path, len, "/") < (int)len ? 0 : -ENAMETOOLONG;
	for (size_t i = 1; i <= stem && at < len; i++)
		if (i == stem || unit[i] == '-')
			at += (size_t)snprintf(ret_path + at, len - at, "/%.*s.slice", (int)i,
					       unit);
	return at && at < len ? 0 : -ENAMETOOLONG;
}

int rsp_cgroups_place_unit(const char *unit, char *ret_path, size_t len)
{
	const char *suffix = strrchr(unit, '.');
	const char *slice = strcmp(unit, "init.scope") == 0 ? "" : "/system.slice";

	if (!suffix || suffix == unit || strchr(unit, '/') || strlen(unit) > NAME_MAX)
		return -EINVAL;
	if (strcmp(suffix, ".slice") == 0)
		return place_slice(unit, ret_path, len);
	return snprintf(ret_path, len, "%s/%s", slice, unit) < (int)len ? 0 : -ENAMETOOLONG;
}

static unsigned int level_of(const char *path)
{
	unsigned int level = 0;

	for (; *path; path++)
		level += path[0] == '/' && path[1] && path[1] != '/';
	return level;
}

int rsp_cgroups_directory(const char *path, char **ret)
{
	const char *top;
	char *dir;
	int r;

	if (path[0] != '/' || strstr(path, "/.."))
		return -EINVAL;
	r = hierarchy(&top);
	if (r < 0)
		return r;
	if (asprintf(&dir, "%s%s", top, path) < 0)
		return -ENOMEM;
	*ret = dir;
	return 0;
}

int rsp_cgroups_open(const char *path, __u64 *ret_id, unsigned int *ret_level)
{
	_cleanup_free_ char *dir = NULL;
	_cleanup_close_ int fd = -1;
	struct stat st;
	int r;

	r = rsp_cgroups_directory(path, &dir);
	if (r < 0)
		return r;
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	*ret_id = st.st_ino;
	*ret_level = level_of(path);
	return rsp_take_fd(&fd);
}

/* Reads only directories (FTS_NOSTAT), since each directory has dozens of files. */
static int begin_walk(char *top, FTS **ret)
{
	char *const tops[] = {top, NULL};

	*ret = fts_open(tops, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV | FTS_NOSTAT, NULL);
	return *ret ? 0 : -errno;
}

int rsp_cgroups_walk(const char *path, rsp_cgroups_fn fn, void *userdata)
{
	_cleanup_free_ char *dir = NULL;
	const char *top;
	size_t cnt = 0;
	FTSENT *entry;
	FTS *fts;
	int r;

	r = hierarchy(&top);
	if (r == 0)
		r = rsp_cgroups_directory(path, &dir);
	if (r == 0)
		r = begin_walk(dir, &fts);
	if (r < 0)
		return r;
	while (r == 0 && cnt < CGROUP_MAX && (entry = fts_read(fts))) {
		if (entry->fts_info != FTS_D)
			continue;
		cnt++;
		r = fn(entry->fts_ino, entry->fts_path + strlen(top), userdata);
	}
	fts_close(fts);
	return r == 0 && !cnt ? -ENOENT : r;
}

struct ids {
	__u64 *v;
	size_t cnt, cap;
};

static int add_id(__u64 id, const char *path, void *userdata)
{
	struct ids *ids = userdata;
	__u64 *slot = rsp_array_add(ids);

	(void)path;
	if (!slot)
		return -ENOMEM;
	*slot = id;
	return 0;
}

int rsp_cgroups_list(const char *path, __u64 **ret_ids, size_t *ret_cnt)
{
	struct ids ids = {0};
	int r = rsp_cgroups_walk(path, add_id, &ids);

	if (r < 0) {
		free(ids.v);
		return r;
	}
	*ret_ids = ids.v;
	*ret_cnt = ids.cnt;
	return 0;
}
