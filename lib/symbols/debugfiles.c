/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See debugfiles.h. */
#include "debugfiles.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "debuginfod.h"
#include "elf.h"
#include "elffiles.h"
#include "lib/base/array.h"
#include "lib/files/regular.h"

/* Each is opened once, to learn what it is of. */
#define DIR_FILES_MAX 65536

/* A file of any name in one of the directories. */
struct found {
	char *path;
	__u8 build_id[RSP_BUILD_ID_MAX];
	size_t build_id_len;
};

struct rsp_debugfiles {
	const struct rsp_files *files;
	const char *const *dirs;
	size_t dir_cnt;
	struct {
		struct found *v;
		size_t cnt, cap;
	} found;
	struct rsp_debuginfod *servers; /* NULL: not to be asked */
};

/* --- the directories that the user named ----------------------------------------------------- */

static void close_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

static int add_found(struct rsp_debugfiles *d, const char *dir, const char *name)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_close_ int fd = -1;
	struct found found = {0}, *slot;

	if (asprintf(&path, "%s/%s", dir, name) < 0) {
		path = NULL; /* undefined after a failure */
		return -ENOMEM;
	}
	fd = rsp_regular_open(path);
	if (fd < 0 || rsp_elf_read_build_id(fd, found.build_id, &found.build_id_len) < 0)
		return 0;
	slot = rsp_array_add(&d->found);
	if (!slot)
		return -ENOMEM;
	found.path = rsp_take_ptr(path);
	*slot = found;
	return 0;
}

static int read_dir(struct rsp_debugfiles *d, const char *path)
{
	_cleanup_(close_dir) DIR *dir = opendir(path);
	struct dirent *entry;
	int r = 0;

	if (!dir)
		return -errno;
	for (size_t i = 0; r == 0 && i < DIR_FILES_MAX && (entry = readdir(dir)); i++)
		if (entry->d_type != DT_DIR)
			r = add_found(d, path, entry->d_name);
	return r;
}

int rsp_debugfiles_new(const struct rsp_files *files, const char *const *dirs, size_t dir_cnt,
		       bool servers, struct rsp_debugfiles **ret)
{
	struct rsp_debugfiles *d = calloc(1, sizeof(*d));
	int r = 0;

	if (!d)
		return -ENOMEM;
	d->files = files;
	d->dirs = dirs;
	d->dir_cnt = dir_cnt;
	if (servers)
		d->servers = rsp_debuginfod_new();
	for (size_t i = 0; i < dir_cnt && r == 0; i++)
		r = read_dir(d, dirs[i]);
	if (r < 0) {
		rsp_debugfiles_free(d);
		return r;
	}
	*ret = d;
	return 0;
}

struct rsp_debugfiles *rsp_debugfiles_free(struct rsp_debugfiles *d)
{
	if (!d)
		return NULL;
	for (size_t i = 0; i < d->found.cnt; i++)
		free(d->found.v[i].path);
	free(d->found.v);
	rsp_debuginfod_free(d->servers);
	free(d);
	return NULL;
}

/* --- by build-id ----------------------------------------------------------------------------- */

/* Takes fd, or the error in its place. */
static int prove(int fd, const struct rsp_debug_wish *wish)
{
	if (fd < 0 || rsp_elffiles_is(fd, wish->build_id, wish->build_id_len))
		return fd;
	close(fd);
	return -ESTALE;
}

static int open_named(const struct rsp_debugfiles *d, const struct rsp_debug_wish *wish)
{
	static const char *const layouts[] = {"/.build-id", ""};
	char sub[PATH_MAX], path[PATH_MAX];
	int fd = -ENOENT;

	for (size_t i = 0; i < d->dir_cnt && fd < 0; i++) {
		for (size_t l = 0; l < 2 && fd < 0; l++) {
			snprintf(sub, sizeof(sub), "%s%s", d->dirs[i], layouts[l]);
			rsp_file_put_build_id_path(path, sizeof(path), sub, wish->build_id,
						   wish->build_id_len);
			fd = prove(rsp_regular_open(path), wish);
		}
	}
	for (size_t i = 0; i < d->found.cnt && fd < 0; i++) {
		const struct found *f = &d->found.v[i];

		if (f->build_id_len == wish->build_id_len &&
		    memcmp(f->build_id, wish->build_id, wish->build_id_len) == 0)
			fd = prove(rsp_regular_open(f->path), wish);
	}
	return fd;
}

static int get(const struct rsp_debugfiles *d, const struct rsp_debug_wish *wish,
	       const struct rsp_file_wish *file)
{
	return d->files->open(file, wish->binary, d->files->userdata);
}

/* As get(), by name; one that is too long is none. */
static int get_named(const struct rsp_debugfiles *d, const struct rsp_debug_wish *wish,
		     enum rsp_file_kind kind, const char *name)
{
	struct rsp_file_wish file = {.kind = kind, .binary = wish->binary->number};

	if (strlen(name) >= sizeof(file.name))
		return -ENOENT;
	strcpy(file.name, name);
	return get(d, wish, &file);
}

static int open_by_build_id(const struct rsp_debugfiles *d, const struct rsp_debug_wish *wish)
{
	struct rsp_file_wish file = {
		.kind = RSP_FILE_BY_BUILD_ID,
		.binary = wish->binary->number,
		.build_id_len = (__u32)wish->build_id_len,
	};
	int fd;

	if (!wish->build_id_len || wish->build_id_len > sizeof(file.build_id))
		return -ENOENT;
	fd = open_named(d, wish);
	if (fd >= 0)
		return fd;
	memcpy(file.build_id, wish->build_id, wish->build_id_len);
	return prove(get(d, wish, &file), wish);
}

/* --- by name --------------------------------------------------------------------------------- */

/* The checksum of .gnu_debuglink, which is that of zip files. */
static bool has_crc(int fd, __u32 want)
{
	__u32 table[256], crc = ~0U;
	__u8 buf[65536];
	off_t off = 0;
	ssize_t n;

	for (__u32 i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
	}
	while ((n = pread(fd, buf, sizeof(buf), off)) > 0 && off < (off_t)RSP_ELF_BYTES_MAX) {
		for (ssize_t i = 0; i < n; i++)
			crc = table[(crc ^ buf[i]) & 0xff] ^ crc >> 8;
		off += n;
	}
	return n == 0 && ~crc == want;
}

static int open_by_link(const struct rsp_debugfiles *d, const struct rsp_debug_wish *wish)
{
	static const enum rsp_file_kind kinds[] = {RSP_FILE_BESIDE, RSP_FILE_BENEATH,
						   RSP_FILE_IN_SYSTEM};

	for (size_t i = 0; wish->link && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		_cleanup_close_ int fd = get_named(d, wish, kinds[i], wish->link);

		if (fd < 0)
			continue;
		/* For a checksum the whole file is read: only if there is no build-id. */
		if (wish->build_id_len ? rsp_elffiles_is(fd, wish->build_id, wish->build_id_len)
				       : has_crc(fd, wish->link_crc))
			return rsp_take_fd(&fd);
	}
	return -ENOENT;
}

int rsp_debugfiles_open(const struct rsp_debugfiles *d, const struct rsp_debug_wish *wish)
{
	int fd = open_by_build_id(d, wish);

	if (fd < 0)
		fd = open_by_link(d, wish);
	if (fd < 0 && d->servers && wish->build_id_len)
		fd = prove(rsp_debuginfod_open(d->servers, wish->build_id, wish->build_id_len),
			   wish);
	return fd < 0 ? -ENOENT : fd;
}

#define DWZ_DIR "/.dwz/"

/*
 * dwz puts what several debug files have in common into DIR/.dwz/…, and names it relative to one of
 * them.
 */
int rsp_debugfiles_open_alt(const struct rsp_debugfiles *d, const struct rsp_debug_wish *wish)
{
	const char *beneath = strstr(wish->link, DWZ_DIR);
	int fd = open_by_build_id(d, wish);
	char path[PATH_MAX];

	for (size_t i = 0; i < d->dir_cnt && fd < 0 && beneath; i++) {
		snprintf(path, sizeof(path), "%s%s", d->dirs[i], beneath);
		fd = prove(rsp_regular_open(path), wish);
	}
	if (fd < 0 && beneath)
		fd = prove(get_named(d, wish, RSP_FILE_DWZ, beneath + strlen(DWZ_DIR)), wish);
	return fd < 0 ? -ENOENT : fd;
}
