/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See files.h. */
#include "lib/files/files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/files/procmaps.h"
#include "lib/files/regular.h"

/* --- requests for files ---------------------------------------------------------------------- */

bool rsp_file_request_ok(const struct rsp_file_request *file)
{
	const char *name = file->name;

	if (strnlen(name, sizeof(file->name)) == sizeof(file->name))
		return false;
	switch (file->kind) {
	case RSP_FILE_BY_BUILD_ID:
	case RSP_FILE_LAID_OUT:
	case RSP_FILE_DOWNLOAD:
		return file->build_id_len > 0 && file->build_id_len <= RSP_BUILD_ID_MAX;
	case RSP_FILE_BESIDE:
	case RSP_FILE_BENEATH:
	case RSP_FILE_IN_SYSTEM:
		return *name && !strchr(name, '/') && strcmp(name, ".") != 0 &&
		       strcmp(name, "..") != 0;
	case RSP_FILE_DWZ:
	case RSP_FILE_DWZ_THERE:
		return *name && !strstr(name, "..");
	default:
		return file->kind > 0 && file->kind < RSP_FILE_KIND_MAX;
	}
}

/* --- a binary -------------------------------------------------------------------------------- */

static int open_in_root_of(__u32 tgid, const char *path)
{
	char root[64];

	snprintf(root, sizeof(root), "/proc/%u/root", tgid);
	return rsp_regular_open_in(root, path);
}

static int open_here(const char *here, const char *path)
{
	char root[64];

	snprintf(root, sizeof(root), "%s/root", here);
	return rsp_regular_open_in(root, path);
}

/*
 * Writes the path /proc/PID/map_files/START-END to ret. Returns false if the process has not mapped
 * the binary.
 */
static bool find_mapping(const struct rsp_ev_binary *binary, char *ret, size_t size)
{
	_cleanup_(rsp_procmaps_done) struct rsp_procmaps maps;
	struct rsp_procmap map;

	rsp_procmaps_open(&maps, binary->tgid);
	while (rsp_procmaps_next(&maps, &map)) {
		if (!map.ino || map.ino != binary->ino || map.dev != binary->dev)
			continue;
		snprintf(ret, size, "/proc/%u/map_files/%llx-%llx", binary->tgid, map.start,
			 map.end);
		return true;
	}
	return false;
}

static int open_mapped(const struct rsp_ev_binary *binary)
{
	char place[96];

	if (!find_mapping(binary, place, sizeof(place)))
		return -ENOENT;
	return rsp_regular_open(place);
}

/* --- debug files of a binary ----------------------------------------------------------------- */

void rsp_file_put_build_id_path(char *ret, size_t size, const char *dir, const __u8 *id, size_t len)
{
	int n = snprintf(ret, size, "%s/%02x/", dir, id[0]);

	for (size_t i = 1; i < len && n > 0 && (size_t)n < size; i++)
		n += snprintf(ret + n, size - (size_t)n, "%02x", id[i]);
	if (n > 0 && (size_t)n < size)
		snprintf(ret + n, size - (size_t)n, ".debug");
}

static int put_link_path(char *ret, size_t size, const char *form, const char *binary,
			 const char *name)
{
	const char *slash = strrchr(binary, '/');
	int n;

	if (!slash)
		return -ENOENT;
	n = snprintf(ret, size, form, (int)(slash - binary), binary, name);
	return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

static int put_debug_path(const struct rsp_file_request *file, const struct rsp_ev_binary *binary,
			  char ret[static PATH_MAX])
{
	static const char *const forms[] = {
		[RSP_FILE_BESIDE] = "%.*s/%s",
		[RSP_FILE_BENEATH] = "%.*s/.debug/%s",
		[RSP_FILE_IN_SYSTEM] = RSP_DEBUG_DIR "%.*s/%s",
	};

	if (file->kind == RSP_FILE_BY_BUILD_ID)
		rsp_file_put_build_id_path(ret, PATH_MAX, RSP_DEBUG_DIR "/.build-id",
					   file->build_id, file->build_id_len);
	else if (file->kind == RSP_FILE_DWZ)
		snprintf(ret, PATH_MAX, RSP_DEBUG_DIR "/.dwz/%s", file->name);
	else
		return put_link_path(ret, PATH_MAX, forms[file->kind], binary->path, file->name);
	return 0;
}

static int open_debug(const struct rsp_file_request *file, const struct rsp_ev_binary *binary,
		      const char *here)
{
	char path[PATH_MAX];
	int r = put_debug_path(file, binary, path), fd;

	if (r < 0)
		return r;
	fd = open_in_root_of(binary->tgid, path);
	return fd >= 0 ? fd : open_here(here, path);
}

/* --- files of a process ---------------------------------------------------------------------- */

static bool has_mount_namespace(const char *process, __u32 ino)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "%s/ns/mnt", process);
	return stat(path, &st) == 0 && st.st_ino == ino;
}

/*
 * After a process has ended, its perf map may still be in the root of the process in the directory
 * here, if both were in the same mount namespace.
 */
static int open_perf_map(const struct rsp_file_request *file, const char *here)
{
	char root[64], path[64];
	int fd;

	snprintf(path, sizeof(path), "/tmp/perf-%u.map", file->ns_tgid);
	snprintf(root, sizeof(root), "/proc/%u/root", file->tgid);
	fd = rsp_regular_open_no_link_in(root, path);
	if (fd < 0 && has_mount_namespace(here, file->mntns)) {
		snprintf(root, sizeof(root), "%s/root", here);
		fd = rsp_regular_open_no_link_in(root, path);
	}
	return fd;
}

/*
 * "[anon:…]" is a name that a process gave to executable memory without a file. "[vdso]" belongs to
 * the kernel, and does not count.
 */
static bool is_fileless_code(const struct rsp_procmap *map)
{
	return map->executable && !map->ino &&
	       (!map->name[0] || strncmp(map->name, "[anon:", 6) == 0);
}

struct ranges {
	struct rsp_code_range *v;
	size_t cnt, cap;
};

static void free_ranges(struct ranges *ranges)
{
	free(ranges->v);
}

static int read_code(__u32 tgid, struct ranges *ret)
{
	_cleanup_(rsp_procmaps_done) struct rsp_procmaps maps;
	struct rsp_code_range *slot;
	struct rsp_procmap map;

	rsp_procmaps_open(&maps, tgid);
	while (rsp_procmaps_next(&maps, &map)) {
		if (!is_fileless_code(&map))
			continue;
		slot = rsp_array_add(ret);
		if (!slot)
			return -ENOMEM;
		*slot = (struct rsp_code_range){map.start, map.end};
	}
	return 0;
}

/* The whole of /proc/PID/maps would reveal more than necessary. */
static int open_code(__u32 tgid)
{
	_cleanup_close_ int fd = memfd_create("rsp-code", MFD_CLOEXEC);
	_cleanup_(free_ranges) struct ranges ranges = {0};
	size_t len;
	int r;

	if (fd < 0)
		return -errno;
	r = read_code(tgid, &ranges);
	if (r < 0)
		return r;
	len = ranges.cnt * sizeof(*ranges.v);
	if (len && write(fd, ranges.v, len) != (ssize_t)len)
		return -EIO;
	return rsp_take_fd(&fd);
}

/* --------------------------------------------------------------------------------------------- */

static int open_directly(const struct rsp_file_request *file, const struct rsp_ev_binary *binary,
			 void *userdata)
{
	return rsp_file_open(file, binary, "/proc/self");
}

const struct rsp_files rsp_files_direct = {.open = open_directly};

int rsp_file_open(const struct rsp_file_request *file, const struct rsp_ev_binary *binary,
		  const char *here)
{
	if (!rsp_file_request_ok(file) || file->kind >= RSP_FILE_LISTED)
		return -EINVAL;
	if (file->kind == RSP_FILE_PERF_MAP)
		return open_perf_map(file, here);
	if (file->kind == RSP_FILE_CODE)
		return open_code(file->tgid);
	if (!binary)
		return -EINVAL;
	switch (file->kind) {
	case RSP_FILE_IN_ROOT:
		return open_in_root_of(binary->tgid, binary->path);
	case RSP_FILE_MAPPED:
		return open_mapped(binary);
	case RSP_FILE_HERE:
		return open_here(here, binary->path);
	default:
		return open_debug(file, binary, here);
	}
}
