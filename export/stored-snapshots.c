/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See stored-snapshots.h. */
#include "export/stored-snapshots.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/files/regular.h"
#include "lib/report/report.h"
#include "lib/snapshot/container.h"

void rsp_stored_files_done(struct rsp_stored_list *list)
{
	free(list->v);
	*list = (struct rsp_stored_list){0};
}

static void closedirp(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

int rsp_stored_files(const char *dir, struct rsp_stored_list *ret)
{
	_cleanup_(closedirp) DIR *d = opendir(dir);
	_cleanup_(rsp_stored_files_done) struct rsp_stored_list list = {0};
	struct dirent *entry;

	if (!d && errno != ENOENT)
		return -errno;
	while (d && list.cnt < RSP_STORED_FILES_MAX && (errno = 0, (entry = readdir(d)))) {
		struct rsp_stored_file file;

		if (rsp_stored_name_parse(entry->d_name, &file.name) < 0 ||
		    strlen(entry->d_name) >= sizeof(file.file))
			continue;
		strcpy(file.file, entry->d_name);
		if (!rsp_array_add(&list))
			return -ENOMEM;
		list.v[list.cnt - 1] = file;
	}
	*ret = list;
	list = (struct rsp_stored_list){0};
	return 0;
}

/* subject is a text like "Unit=nginx.service Comm=nginx". */
static void take_subject(const char *subject, const char *key, char *ret, size_t size)
{
	size_t len = strlen(key);

	*ret = '\0';
	for (const char *s = subject; *s; s += strcspn(s, " ")) {
		s += strspn(s, " ");
		if (strncmp(s, key, len) != 0)
			continue;
		s += len;
		snprintf(ret, size, "%.*s", (int)strcspn(s, " "), s);
		return;
	}
}

static uint64_t to_realtime(const struct rsp_meta *meta, uint64_t ns)
{
	int64_t sum;

	if (ns > INT64_MAX || __builtin_add_overflow((int64_t)ns, meta->realtime_offset_ns, &sum) ||
	    sum < 0)
		return 0;
	return (uint64_t)sum;
}

static int fill(struct rsp_stored_info *info)
{
	const struct rsp_meta *meta = &info->meta;
	struct rsp_container container;

	take_subject(meta->trigger.subject, "Unit=", info->unit, sizeof(info->unit));
	take_subject(meta->trigger.subject, "Cgroup=", info->cgroup, sizeof(info->cgroup));
	take_subject(meta->trigger.subject, "Comm=", info->comm, sizeof(info->comm));
	info->container[0] = '\0';
	if (rsp_container_of_path(info->cgroup, &container, NULL)) {
		char buf[RSP_CONTAINER_LABEL_BYTES];

		snprintf(info->container, sizeof(info->container), "%s",
			 rsp_container_label(&container, buf));
	}
	info->since_realtime_ns = to_realtime(meta, meta->since_ns);
	info->until_realtime_ns = to_realtime(meta, meta->until_ns);
	return rsp_report_trigger(meta, &info->headline);
}

int rsp_stored_describe(const char *dir, const char *file, struct rsp_stored_info *ret)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_close_ int fd = -1;
	struct rsp_snapshot *snap;
	int r;

	if (asprintf(&path, "%s/%s", dir, file) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	fd = rsp_regular_open(path);
	if (fd < 0)
		return fd == -ESTALE ? -EBADMSG : fd;
	r = rsp_snapshot_open_meta_fd(fd, &snap);
	if (r == -EPROTO || r == -ENOTSUP || r == -E2BIG)
		return -EBADMSG;
	if (r < 0)
		return r;
	*ret = (struct rsp_stored_info){.meta = snap->meta, .bytes = snap->file_bytes};
	rsp_snapshot_free(snap);
	rsp_meta_clean(&ret->meta);
	r = fill(ret);
	return r;
}

void rsp_stored_info_done(struct rsp_stored_info *info)
{
	free(info->headline);
	info->headline = NULL;
}
