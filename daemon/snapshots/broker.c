/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See broker.h. */
#include "daemon/snapshots/broker.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "daemon/capture/binaries.h"
#include "lib/base/cleanup.h"
#include "lib/files/copy.h"
#include "lib/files/regular.h"

static bool is_elf(int fd)
{
	char magic[4];

	return pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
	       memcmp(magic, "\177ELF", sizeof(magic)) == 0;
}

/* Returns 0 (root) if the file does not exist. */
static uid_t owner_of(__u32 tgid, const char *below)
{
	struct stat st;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u%s", tgid, below);
	return stat(path, &st) == 0 ? st.st_uid : 0;
}

/*
 * A file that was overwritten in place has the same inode. If there is a build-id, the worker
 * compares it later; otherwise, this function compares the file's attributes.
 */
static bool is_same(const struct rsp_broker *broker, const struct stat *st,
		    const struct rsp_ev_binary *binary)
{
	return binary->ino && st->st_ino == binary->ino &&
	       (major(st->st_dev) << 20 | minor(st->st_dev)) == binary->dev &&
	       (binary->build_id_len ||
		rsp_binaries_is_unchanged(broker->binaries, binary->number, st));
}

/*
 * A process that made its own root directory may put a link to another user's file at a path at
 * which debug files are searched, and rspd may open all files. So the file must belong to the
 * process's user, or be readable by everyone and belong to root or the owner of the process's root
 * directory.
 */
static bool is_of_process(const struct stat *st, __u32 tgid)
{
	if (st->st_uid == owner_of(tgid, ""))
		return true;
	return st->st_mode & S_IROTH && (st->st_uid == 0 || st->st_uid == owner_of(tgid, "/root/"));
}

/*
 * Refuses hard links, which may lead to another user's file. The worker checks the owner of the
 * file (lib/symbols/jit.c).
 */
static bool is_perf_map(const struct stat *st)
{
	return st->st_nlink == 1 && st->st_size <= RSP_PERF_MAP_BYTES_MAX;
}

static bool is_requested_file(const struct rsp_broker *broker, int fd, const struct stat *st,
			      const struct rsp_file_request *file,
			      const struct rsp_ev_binary *binary)
{
	switch (file->kind) {
	case RSP_FILE_IN_ROOT:
	case RSP_FILE_MAPPED:
	case RSP_FILE_HERE:
		return is_same(broker, st, binary) && is_elf(fd);
	case RSP_FILE_PERF_MAP:
		return is_perf_map(st);
	default:
		return is_of_process(st, binary->tgid) && is_elf(fd);
	}
}

static bool is_readable(__u32 mode, uid_t owner, uid_t uid)
{
	return mode & (owner == uid ? S_IRUSR : S_IROTH);
}

/*
 * rspd knows the file system of the inode itself, even through an overlay, but only for file kinds
 * up to RSP_FILE_HERE.
 */
static bool is_known_local(const struct rsp_broker *broker, const struct rsp_file_request *file)
{
	return file->kind <= RSP_FILE_HERE && rsp_binaries_is_local(broker->binaries, file->binary);
}

/*
 * If a mapped file cannot be opened any more, uses the descriptor that was kept when the file was
 * mapped.
 */
static int open_requested(const struct rsp_broker *broker, const struct rsp_file_request *file,
			  const struct rsp_ev_binary *binary, const char *here)
{
	int fd = rsp_file_open(file, binary, here), kept;

	if (fd >= 0 || file->kind != RSP_FILE_MAPPED)
		return fd;
	kept = rsp_binaries_kept(broker->binaries, file->binary);
	return kept < 0 ? fd : rsp_regular_reopen(kept);
}

static int open_file(const struct rsp_broker *broker, const struct rsp_file_request *file,
		     const struct rsp_ev_binary *binary, const char *here)
{
	_cleanup_close_ int fd = open_requested(broker, file, binary, here);
	struct stat st;
	int r;

	if (fd < 0)
		return rsp_take_fd(&fd);
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!is_requested_file(broker, fd, &st, file, binary) ||
	    (broker->only_readable && !is_readable(st.st_mode, st.st_uid, broker->uid)))
		return -EACCES;
	r = is_known_local(broker, file) ? 0 : rsp_file_detach(&fd);
	return r < 0 ? r : rsp_take_fd(&fd);
}

/* Does not read the copy: only the worker decompresses it. */
static int put_symbols(const struct rsp_broker *broker, __u32 number)
{
	struct rsp_symbols_origin origin;
	const void *symbols = rsp_binaries_symbols(broker->binaries, number, &origin);
	_cleanup_close_ int fd = -1;

	if (!symbols)
		return -ENOENT;
	if (broker->only_readable && !is_readable(origin.mode, origin.uid, broker->uid))
		return -EACCES;
	fd = memfd_create("rsp-symbols", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, symbols, origin.len) != (ssize_t)origin.len)
		return -EIO;
	return rsp_take_fd(&fd);
}

uid_t rsp_broker_owner(const struct rsp_broker *broker, const struct rsp_file_request *file)
{
	const struct rsp_ev_binary *binary;

	if (file->kind == RSP_FILE_PERF_MAP || file->kind == RSP_FILE_CODE)
		return owner_of(file->tgid, "");
	binary = rsp_binaries_find(broker->binaries, file->binary);
	return binary ? owner_of(binary->tgid, "") : 0;
}

int rsp_broker_open(const struct rsp_broker *broker, const struct rsp_file_request *file)
{
	/*
	 * The machine's root directory and rspd's own may differ: a service may have its own /tmp
	 * and /home.
	 */
	static const char *const heres[] = {"/proc/1", "/proc/self"};
	const struct rsp_ev_binary *binary = NULL;
	int fd = -ENOENT;

	if (!rsp_file_request_ok(file))
		return -EINVAL;
	if (file->kind == RSP_FILE_CODE) {
		if (broker->only_readable && owner_of(file->tgid, "") != broker->uid)
			return -EACCES;
		return rsp_file_open(file, NULL, heres[0]);
	}
	if (file->kind == RSP_FILE_SYMBOLS)
		return put_symbols(broker, file->binary);
	if (file->kind != RSP_FILE_PERF_MAP) {
		binary = rsp_binaries_find(broker->binaries, file->binary);
		if (!binary)
			return -ENOENT;
	}
	for (size_t i = 0; i < sizeof(heres) / sizeof(heres[0]) && fd < 0; i++)
		fd = open_file(broker, file, binary, heres[i]);
	return fd;
}
