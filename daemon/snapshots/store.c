/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See store.h. Each operation keeps the directory open, so that it uses only one directory, even if
 * the path changes meanwhile.
 */
#include "daemon/snapshots/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/snapshot/snapshot.h"

/*
 * Name of the lock file. Only the owner may open it: any other user with access to the directory
 * could hold the lock forever.
 */
#define LOCK_NAME ".lock"

struct file {
	char name[NAME_MAX + 1];
	struct rsp_stored_name parts;
	struct timespec mtime;
	uint64_t bytes, disk_bytes;
	bool to_delete;
};

struct files {
	struct file *v; /* oldest first */
	size_t cnt, cap;
};

static void files_done(struct files *files)
{
	free(files->v);
}

static void closedirp(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

/* --- the directory ---------------------------------------------------------------------------- */

int rsp_store_make(const char *path)
{
	_cleanup_free_ char *parents = strdup(path);

	if (!parents)
		return -ENOMEM;
	for (char *p = parents; (p = strchr(p + 1, '/'));) {
		*p = '\0';
		if (mkdir(parents, 0755) < 0 && errno != EEXIST)
			return -errno;
		*p = '/';
	}
	if (mkdir(path, 0750) < 0)
		return errno == EEXIST ? 0 : -errno;
	return 0;
}

static int open_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int open_lock(int dir)
{
	int fd = openat(dir, LOCK_NAME, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
			0600);

	return fd < 0 ? -errno : fd;
}

/*
 * If a process of root has stored a snapshot, root owns the lock file, and the directory's owner
 * replaces the file.
 */
static int lock(int dir)
{
	_cleanup_close_ int fd = open_lock(dir);

	if (fd == -EACCES && unlinkat(dir, LOCK_NAME, 0) == 0)
		fd = open_lock(dir);
	if (fd < 0)
		return rsp_take_fd(&fd);
	while (flock(fd, LOCK_EX) < 0)
		if (errno != EINTR)
			return -errno;
	return rsp_take_fd(&fd);
}

/* Returns the first error of fn or 0. */
static int walk(int dir, int (*fn)(int dir, const char *name, void *userdata), void *userdata)
{
	_cleanup_close_ int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_(closedirp) DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!stream)
		return -errno;
	rsp_take_fd(&fd); /* stream owns the descriptor now */
	while (errno = 0, (entry = readdir(stream))) {
		int r = fn(dir, entry->d_name, userdata);

		if (r < 0)
			return r;
	}
	return -errno;
}

static int add_file(int dir, const char *name, void *userdata)
{
	struct rsp_stored_name parts;
	struct files *files = userdata;
	struct file *file;
	struct stat st;

	if (rsp_stored_name_parse(name, &parts) < 0 || strlen(name) > NAME_MAX ||
	    fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
		return 0;
	file = rsp_array_add(files);
	if (!file)
		return -ENOMEM;
	strcpy(file->name, name);
	file->parts = parts;
	file->mtime = st.st_mtim;
	file->bytes = (uint64_t)st.st_size;
	file->disk_bytes = (uint64_t)st.st_blocks * 512;
	return 0;
}

static int by_age(const void *a, const void *b)
{
	const struct file *x = a, *y = b;

	if (x->mtime.tv_sec != y->mtime.tv_sec)
		return x->mtime.tv_sec < y->mtime.tv_sec ? -1 : 1;
	if (x->mtime.tv_nsec != y->mtime.tv_nsec)
		return x->mtime.tv_nsec < y->mtime.tv_nsec ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int list(int dir, struct files *files)
{
	int r = walk(dir, add_file, files);

	if (r == 0 && files->cnt > 0)
		qsort(files->v, files->cnt, sizeof(*files->v), by_age);
	return r;
}

static int get_free(int dir, uint64_t *ret)
{
	struct statvfs vfs;

	if (fstatvfs(dir, &vfs) < 0)
		return -errno;
	*ret = (uint64_t)vfs.f_bavail * vfs.f_frsize;
	return 0;
}

/* --- making room ------------------------------------------------------------------------------ */

/* Use of the store without the files that are marked for deletion. */
struct room {
	uint64_t bytes, free_bytes; /* free_bytes includes the space of files marked for deletion */
	size_t files;
};

static struct room measure(const struct files *files, const char *slo, uint64_t free_bytes)
{
	struct room room = {.free_bytes = free_bytes};

	for (size_t i = 0; i < files->cnt; i++) {
		const struct file *file = &files->v[i];

		if (file->to_delete)
			room.free_bytes += file->disk_bytes;
		else if (!slo || strcmp(file->parts.slo, slo) == 0) {
			room.bytes += file->bytes;
			room.files++;
		}
	}
	return room;
}

static bool fits(const struct room *room, const struct rsp_store_limits *limits, size_t size)
{
	return (!limits->max_use_bytes || room->bytes + size <= limits->max_use_bytes) &&
	       (!limits->max_files || room->files < limits->max_files) &&
	       room->free_bytes >= limits->keep_free_bytes + size;
}

/* Returns 0; -ENOSPC: the new file would not fit even if all other files were deleted. */
static int mark_for_deletion(struct files *files, const char *slo,
			     const struct rsp_store_limits *limits, size_t size,
			     uint64_t free_bytes)
{
	struct room room = measure(files, slo, free_bytes);

	for (size_t i = 0; i < files->cnt && !fits(&room, limits, size); i++) {
		struct file *file = &files->v[i];

		if (file->to_delete || (slo && strcmp(file->parts.slo, slo) != 0))
			continue;
		file->to_delete = true;
		room.bytes -= file->bytes;
		room.free_bytes += file->disk_bytes;
		room.files--;
	}
	return fits(&room, limits, size) ? 0 : -ENOSPC;
}

/* Deletes no file if that would not make enough room. */
static int make_room(int dir, const struct rsp_store_put *put, unsigned int *ret_deleted_cnt)
{
	_cleanup_(files_done) struct files files = {0};
	struct rsp_store_limits slo_limits = put->slo_limits;
	uint64_t free_bytes = 0;
	int r;

	/*
	 * The limit for free space is for all files together, so only the second check applies it.
	 */
	slo_limits.keep_free_bytes = 0;
	r = list(dir, &files);
	if (r == 0)
		r = get_free(dir, &free_bytes);
	if (r == 0 && put->slo)
		r = mark_for_deletion(&files, put->slo, &slo_limits, put->size, UINT64_MAX / 2);
	if (r == 0)
		r = mark_for_deletion(&files, NULL, &put->limits, put->size, free_bytes);
	for (size_t i = 0; r == 0 && i < files.cnt; i++) {
		if (!files.v[i].to_delete)
			continue;
		if (unlinkat(dir, files.v[i].name, 0) == 0)
			(*ret_deleted_cnt)++;
		else if (errno != ENOENT)
			r = -errno;
	}
	return r;
}

/* --- files left by a crash -------------------------------------------------------------------- */

/* The lock of a file is free only if the process that wrote the file has ended. */
static int remove_abandoned(int dir, const char *name, void *userdata)
{
	_cleanup_close_ int fd = -1;
	struct stat st;

	if (strncmp(name, RSP_TEMPORARY_PREFIX, strlen(RSP_TEMPORARY_PREFIX)) != 0)
		return 0;
	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0)
		unlinkat(dir, name, 0);
	return 0;
}

/* --- putting ---------------------------------------------------------------------------------- */

static bool is_too_big(const struct rsp_store_limits *limits, size_t size)
{
	return limits->max_use_bytes && size > limits->max_use_bytes;
}

static int save(int dir, const struct rsp_store_put *put, const char *name)
{
	struct stat st;
	void *bytes;
	int r;

	if (fstat(dir, &st) < 0)
		return -errno;
	bytes = mmap(NULL, put->size, PROT_READ, MAP_SHARED, put->fd, 0);
	if (bytes == MAP_FAILED)
		return -errno;
	r = rsp_snapshot_save_at(dir, name, bytes, put->size, st.st_gid);
	munmap(bytes, put->size);
	return r;
}

static int name_file(const struct rsp_store_put *put, char **ret_path)
{
	struct rsp_stored_name parts;
	char *path;

	if (asprintf(&path, "%s/%s%s%s.rsp", put->dir, put->id, put->slo ? "." : "",
		     put->slo ? put->slo : "") < 0)
		return -ENOMEM;
	/*
	 * Parse the name as a reader will. For example, the file name of ID "a.b" would also mean
	 * ID "a" of SLO "b".
	 */
	if (rsp_stored_name_parse(path + strlen(put->dir) + 1, &parts) < 0 ||
	    strcmp(parts.id, put->id) != 0) {
		free(path);
		return -EINVAL;
	}
	*ret_path = path;
	return 0;
}

int rsp_store_put(const struct rsp_store_put *put, char **ret_path, unsigned int *ret_deleted_cnt)
{
	_cleanup_close_ int dir = -1, locked = -1;
	_cleanup_free_ char *path = NULL;
	unsigned int deleted_cnt = 0;
	int r;

	if (is_too_big(&put->limits, put->size) ||
	    (put->slo && is_too_big(&put->slo_limits, put->size)))
		return -E2BIG;
	r = name_file(put, &path);
	if (r == 0)
		r = rsp_store_make(put->dir);
	if (r < 0)
		return r;
	dir = open_directory(put->dir);
	if (dir < 0)
		return dir;
	locked = lock(dir);
	if (locked < 0)
		return locked;
	/* Remove files of killed children first, in case the disk is full. */
	r = walk(dir, remove_abandoned, NULL);
	if (r == 0)
		r = make_room(dir, put, &deleted_cnt);
	if (r == 0)
		r = save(dir, put, path + strlen(put->dir) + 1);
	if (r < 0)
		return r;
	*ret_path = rsp_take_ptr(path);
	*ret_deleted_cnt = deleted_cnt;
	return 0;
}

const char *rsp_store_error_text(int error)
{
	switch (error) {
	case -E2BIG:
		return "it is larger than MaxUse= allows";
	case -ENOSPC:
		return "No space left on device: free some space, or lower KeepFree=";
	default:
		return strerror(-error);
	}
}

/* --- the rest --------------------------------------------------------------------------------- */

void rsp_store_clean(const char *path)
{
	_cleanup_close_ int dir = open_directory(path);

	if (dir >= 0)
		walk(dir, remove_abandoned, NULL);
}

int rsp_store_delete(const char *path, const char *id, struct rsp_stored_name *ret)
{
	_cleanup_(files_done) struct files files = {0};
	_cleanup_close_ int dir = open_directory(path);
	const struct file *found = NULL;
	int r;

	if (dir < 0)
		return dir;
	r = list(dir, &files);
	if (r < 0)
		return r;
	for (size_t i = 0; *id && i < files.cnt; i++) {
		if (strncmp(files.v[i].parts.id, id, strlen(id)) != 0)
			continue;
		if (found)
			return -ENOTUNIQ;
		found = &files.v[i];
	}
	if (!found)
		return -ENOENT;
	if (unlinkat(dir, found->name, 0) < 0)
		return -errno;
	*ret = found->parts;
	return 0;
}

/* The directory is made only when the first snapshot is stored, so its nearest parent is opened. */
static int open_nearest(const char *path)
{
	_cleanup_free_ char *parent = strdup(path);
	char *slash;
	int dir = -ENOMEM;

	while (parent && (dir = open_directory(parent)) == -ENOENT) {
		slash = strrchr(parent, '/');
		if (!slash)
			return open_directory(".");
		slash[slash == parent] = '\0';
	}
	return dir;
}

static int get_usage_of_none(const char *path, struct rsp_store_usage *ret)
{
	_cleanup_close_ int dir = open_nearest(path);

	*ret = (struct rsp_store_usage){0};
	return dir < 0 ? dir : get_free(dir, &ret->free_bytes);
}

int rsp_store_get_usage(const char *path, struct rsp_store_usage *ret)
{
	_cleanup_(files_done) struct files files = {0};
	_cleanup_close_ int dir = open_directory(path);
	uint64_t free_bytes = 0;
	struct room room;
	int r;

	if (dir == -ENOENT)
		return get_usage_of_none(path, ret);
	if (dir < 0)
		return dir;
	r = list(dir, &files);
	if (r == 0)
		r = get_free(dir, &free_bytes);
	if (r < 0)
		return r;
	room = measure(&files, NULL, free_bytes);
	*ret = (struct rsp_store_usage){
		.bytes = room.bytes, .free_bytes = free_bytes, .files = (uint32_t)room.files};
	return 0;
}
