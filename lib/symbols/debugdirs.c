/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See debugdirs.h. */
#include "lib/symbols/debugdirs.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/files/regular.h"

/* Each file is opened once, to read its build-id. */
#define DIR_FILES_MAX 65536

struct rsp_debugdirs {
	const char *const *dirs;
	size_t dir_cnt;
	struct {
		char **v;
		size_t cnt, cap;
	} listed; /* paths of all files in all directories */
};

static void close_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

static int add_file(struct rsp_debugdirs *d, const char *dir, const char *name)
{
	char **path = rsp_array_add(&d->listed);

	if (!path)
		return -ENOMEM;
	if (asprintf(path, "%s/%s", dir, name) < 0) {
		*path = NULL; /* asprintf() leaves it undefined on failure */
		return -ENOMEM;
	}
	return 0;
}

static int list_dir(struct rsp_debugdirs *d, const char *path)
{
	_cleanup_(close_dir) DIR *dir = opendir(path);
	struct dirent *entry;
	int r = 0;

	if (!dir)
		return -errno;
	for (size_t i = 0; r == 0 && i < DIR_FILES_MAX && (entry = readdir(dir)); i++)
		if (entry->d_type != DT_DIR)
			r = add_file(d, path, entry->d_name);
	return r;
}

int rsp_debugdirs_new(const char *const *dirs, size_t cnt, struct rsp_debugdirs **ret)
{
	struct rsp_debugdirs *d = calloc(1, sizeof(*d));
	int r = 0;

	if (!d)
		return -ENOMEM;
	d->dirs = dirs;
	d->dir_cnt = cnt;
	for (size_t i = 0; i < cnt && r == 0; i++)
		r = list_dir(d, dirs[i]);
	if (r < 0) {
		rsp_debugdirs_free(d);
		return r;
	}
	*ret = d;
	return 0;
}

struct rsp_debugdirs *rsp_debugdirs_free(struct rsp_debugdirs *d)
{
	if (!d)
		return NULL;
	for (size_t i = 0; i < d->listed.cnt; i++)
		free(d->listed.v[i]);
	free(d->listed.v);
	free(d);
	return NULL;
}

static int open_listed(const struct rsp_debugdirs *d, const struct rsp_file_request *file)
{
	return file->nth < d->listed.cnt ? rsp_regular_open(d->listed.v[file->nth]) : -ENODATA;
}

static int open_laid_out(const struct rsp_debugdirs *d, const struct rsp_file_request *file)
{
	static const char *const layouts[] = {"/.build-id", ""};
	char sub[PATH_MAX], path[PATH_MAX];

	if (file->nth / 2 >= d->dir_cnt)
		return -ENODATA;
	snprintf(sub, sizeof(sub), "%s%s", d->dirs[file->nth / 2], layouts[file->nth % 2]);
	rsp_file_put_build_id_path(path, sizeof(path), sub, file->build_id, file->build_id_len);
	return rsp_regular_open(path);
}

static int open_dwz(const struct rsp_debugdirs *d, const struct rsp_file_request *file)
{
	char path[PATH_MAX];

	if (file->nth >= d->dir_cnt)
		return -ENODATA;
	snprintf(path, sizeof(path), "%s/.dwz/%s", d->dirs[file->nth], file->name);
	return rsp_regular_open(path);
}

int rsp_debugdirs_open(const struct rsp_debugdirs *d, const struct rsp_file_request *file)
{
	if (!rsp_file_request_ok(file))
		return -EINVAL;
	switch (file->kind) {
	case RSP_FILE_LISTED:
		return open_listed(d, file);
	case RSP_FILE_LAID_OUT:
		return open_laid_out(d, file);
	case RSP_FILE_DWZ_THERE:
		return open_dwz(d, file);
	default:
		return -EINVAL;
	}
}
