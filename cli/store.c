/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See store.h. */
#include "cli/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/isolated.h"
#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/files/regular.h"
#include "lib/snapshot/stored-name.h"

#define SUFFIX ".rsp"

struct paths {
	char **v;
	size_t cnt, cap;
};

static void paths_done(struct paths *paths)
{
	for (size_t i = 0; i < paths->cnt; i++)
		free(paths->v[i]);
	free(paths->v);
}

static void closedirp(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

/*
 * An ID becomes part of a path, and may come from a snapshot or a user, so only lower-case
 * hexadecimal digits are accepted.
 */
static size_t id_prefix_len(const char *name)
{
	return strspn(name, "0123456789abcdef");
}

static bool is_stored_name(const char *name, const char *prefix)
{
	struct rsp_stored_name parts;

	return rsp_stored_name_parse(name, &parts) == 0 &&
	       strncmp(parts.id, prefix, strlen(prefix)) == 0;
}

static int find_paths(const char *dir, const char *prefix, struct paths *paths)
{
	_cleanup_(closedirp) DIR *d = opendir(dir);
	struct dirent *entry;

	if (!d)
		return errno == ENOENT ? 0 : -errno;
	while (errno = 0, (entry = readdir(d))) {
		char **path;

		if (!is_stored_name(entry->d_name, prefix))
			continue;
		path = rsp_array_add(paths);
		if (!path)
			return -ENOMEM;
		if (asprintf(path, "%s/%s", dir, entry->d_name) < 0) {
			*path = NULL; /* undefined after a failure */
			return -ENOMEM;
		}
	}
	return -errno;
}

/* --- listing ---------------------------------------------------------------------------------- */

static int by_age(const void *a, const void *b)
{
	const struct rsp_stored *x = a, *y = b;

	if (x->taken_ns != y->taken_ns)
		return x->taken_ns < y->taken_ns ? -1 : 1;
	return strcmp(x->path, y->path);
}

int rsp_store_describe(int fd, struct rsp_stored *ret)
{
	struct rsp_snapshot *snap;
	int r;

	r = rsp_snapshot_open_meta_fd(fd, &snap);
	if (r < 0)
		return r;
	*ret = (struct rsp_stored){
		.bytes = snap->file_bytes,
		.taken_ns = (int64_t)snap->meta.until_ns + snap->meta.realtime_offset_ns,
		.truncated = snap->truncated,
		.meta = snap->meta,
	};
	rsp_snapshot_free(snap);
	return 0;
}

static void describe_damaged(const char *path, const struct stat *st, struct rsp_stored *ret)
{
	const char *name = strrchr(path, '/') + 1;
	struct rsp_stored_name parts;

	*ret = (struct rsp_stored){
		.bytes = (uint64_t)st->st_size,
		.taken_ns = st->st_mtim.tv_sec * 1000000000LL + st->st_mtim.tv_nsec,
		.damaged = true,
		.meta = {.exit_status = -1},
	};
	if (rsp_stored_name_parse(name, &parts) < 0)
		return;
	snprintf(ret->meta.id, sizeof(ret->meta.id), "%s", parts.id);
	snprintf(ret->meta.trigger.slo, sizeof(ret->meta.trigger.slo), "%s", parts.slo);
}

/* Another process writes this struct. A hostile snapshot may control that process. */
struct description {
	int fd;
	struct rsp_stored stored;
};

static int describe(void *userdata)
{
	struct description *d = userdata;

	return rsp_store_describe(d->fd, &d->stored) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Reads a bool from memory that may contain a value other than 0 and 1. */
static bool is_set(const bool *flag)
{
	return *(const char *)flag != 0;
}

/*
 * Takes ownership of *path. Skips a file that cannot be opened or is not regular. d: memory shared
 * with the process that reads the file.
 */
static int list_add(struct rsp_store_list *list, char **path, struct description *d)
{
	_cleanup_close_ int fd = rsp_regular_open(*path);
	struct rsp_stored *stored;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return 0;
	d->fd = fd;
	if (rsp_isolated(&(struct rsp_isolated){describe, d, *path, fd, -1, NULL}) != EXIT_SUCCESS)
		describe_damaged(*path, &st, &d->stored);
	stored = rsp_array_add(list);
	if (!stored)
		return -ENOMEM;
	*stored = (struct rsp_stored){
		.bytes = d->stored.bytes,
		.taken_ns = d->stored.taken_ns,
		.truncated = is_set(&d->stored.truncated),
		.damaged = is_set(&d->stored.damaged),
		.meta = d->stored.meta,
	};
	rsp_meta_clean(&stored->meta);
	stored->path = rsp_take_ptr(*path);
	return 0;
}

static int list_paths(struct paths *paths, struct rsp_store_list *list)
{
	struct description *d = mmap(NULL, sizeof(*d), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int r = 0;

	if (d == MAP_FAILED)
		return -errno;
	for (size_t i = 0; r == 0 && i < paths->cnt; i++)
		r = list_add(list, &paths->v[i], d);
	munmap(d, sizeof(*d));
	return r;
}

int rsp_store_list(const char *dir, struct rsp_store_list *ret)
{
	_cleanup_(paths_done) struct paths paths = {0};
	struct rsp_store_list list = {0};
	int r;

	r = find_paths(dir, "", &paths);
	if (r == 0)
		r = list_paths(&paths, &list);
	if (r < 0) {
		rsp_store_list_done(&list);
		return r;
	}
	if (list.cnt > 0)
		qsort(list.v, list.cnt, sizeof(*list.v), by_age);
	*ret = list;
	return 0;
}

void rsp_store_list_done(struct rsp_store_list *list)
{
	for (size_t i = 0; i < list->cnt; i++)
		free(list->v[i].path);
	free(list->v);
}

/* --- finding ---------------------------------------------------------------------------------- */

int rsp_store_find(const char *dir, const char *name, bool may_be_file, char **ret_path)
{
	_cleanup_(paths_done) struct paths paths = {0};
	int r;

	if (may_be_file && (strchr(name, '/') || access(name, F_OK) == 0)) {
		*ret_path = strdup(name);
		return *ret_path ? 0 : -ENOMEM;
	}
	if (!*name || name[id_prefix_len(name)])
		return -ENOENT;
	r = find_paths(dir, name, &paths);
	if (r < 0)
		return r;
	if (paths.cnt != 1)
		return paths.cnt ? -ENOTUNIQ : -ENOENT;
	*ret_path = rsp_take_ptr(paths.v[0]);
	return 0;
}
