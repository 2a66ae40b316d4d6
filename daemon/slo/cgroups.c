/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See cgroups.h. A cgroup's id is the inode number of its directory. */
#include "cgroups.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <mntent.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

/* Large machines have some thousands. */
#define CGROUP_MAX 65536

static int find_hierarchy(char **ret)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	struct mntent *mount;
	int r = -ENOENT;

	if (!f)
		return -errno;
	while (r == -ENOENT && (mount = getmntent(f))) {
		if (strcmp(mount->mnt_type, "cgroup2") != 0)
			continue;
		*ret = strdup(mount->mnt_dir);
		r = *ret ? 0 : -ENOMEM;
	}
	endmntent(f);
	return r;
}

/* Without stats only directories are looked at, of which each has dozens of files. */
static int begin_walk(const char *top, bool stats, FTS **ret)
{
	char *const tops[] = {(char *)top, NULL};

	*ret = fts_open(tops, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV | (stats ? 0 : FTS_NOSTAT),
			NULL);
	return *ret ? 0 : -errno;
}

/* The next directory; NULL: that was all. */
static FTSENT *walk(FTS *fts, size_t *cnt)
{
	FTSENT *entry;

	while (*cnt < CGROUP_MAX && (entry = fts_read(fts)))
		if (entry->fts_info == FTS_D) {
			++*cnt;
			return entry;
		}
	return NULL;
}

int rsp_cgroups_find_unit(const char *unit, char **ret_path)
{
	_cleanup_free_ char *top = NULL, *best = NULL;
	int best_level = 0, r;
	FTSENT *entry;
	size_t cnt = 0;
	FTS *fts = NULL;

	if (!*unit || strchr(unit, '/') || !strchr(unit, '.'))
		return -EINVAL;
	r = find_hierarchy(&top);
	if (r == 0)
		r = begin_walk(top, false, &fts);
	if (r < 0)
		return r;
	while (r == 0 && (entry = walk(fts, &cnt))) {
		if (strcmp(entry->fts_name, unit) != 0 || entry->fts_level == 0 ||
		    (best && entry->fts_level >= best_level))
			continue;
		free(best);
		best = strdup(entry->fts_path + strlen(top));
		best_level = entry->fts_level;
		r = best ? 0 : -ENOMEM;
	}
	fts_close(fts);
	if (r < 0)
		return r;
	if (!best)
		return -ENOENT;
	*ret_path = rsp_take_ptr(best);
	return 0;
}

static unsigned int level_of(const char *path)
{
	unsigned int level = 0;

	for (; *path; path++)
		level += path[0] == '/' && path[1] && path[1] != '/';
	return level;
}

static int directory_of(const char *path, char **ret)
{
	_cleanup_free_ char *top = NULL;
	char *dir;
	int r;

	if (path[0] != '/' || strstr(path, "/.."))
		return -EINVAL;
	r = find_hierarchy(&top);
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

	r = directory_of(path, &dir);
	if (r < 0)
		return r;
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	*ret_id = st.st_ino;
	*ret_level = level_of(path);
	return rsp_take_fd(&fd);
}

int rsp_cgroups_list(const char *path, __u64 **ret_ids, size_t *ret_cnt, unsigned int *ret_level)
{
	_cleanup_free_ char *dir = NULL;
	struct {
		__u64 *v;
		size_t cnt, cap;
	} ids = {0};
	FTSENT *entry;
	size_t cnt = 0;
	struct stat st;
	FTS *fts;
	int r;

	r = directory_of(path, &dir);
	if (r < 0)
		return r;
	if (stat(dir, &st) < 0)
		return -errno;
	r = begin_walk(dir, true, &fts);
	if (r < 0)
		return r;
	while (r == 0 && (entry = walk(fts, &cnt))) {
		__u64 *id = rsp_array_add(&ids);

		if (id)
			*id = entry->fts_statp->st_ino;
		else
			r = -ENOMEM;
	}
	fts_close(fts);
	if (r == 0 && !ids.cnt)
		r = -ENOENT;
	if (r < 0) {
		free(ids.v);
		return r;
	}
	*ret_ids = ids.v;
	*ret_cnt = ids.cnt;
	*ret_level = level_of(path);
	return 0;
}
