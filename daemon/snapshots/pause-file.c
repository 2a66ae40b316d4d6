/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See pause-file.h. The file consists of lines KEY=VALUE. Unknown and invalid lines are ignored. */
#include "daemon/snapshots/pause-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/snapshots/store.h"
#include "lib/base/cleanup.h"
#include "lib/base/text.h"

#define NAME  "paused"
#define DRAFT ".paused"

/* Maximum size of the file. */
#define FILE_MAX 1024

bool rsp_pause_reason_is_valid(const char *reason)
{
	return strlen(reason) < RSP_PAUSE_REASON_MAX && rsp_text_is_clean(reason);
}

static int open_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool parse_number(const char *text, uint64_t max, uint64_t *ret)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || n > max)
		return false;
	*ret = n;
	return true;
}

static void parse_line(const char *line, struct rsp_pause *pause)
{
	uint64_t n;

	if (!strncmp(line, "since=", 6) && parse_number(line + 6, INT64_MAX, &n))
		pause->since_usec = n;
	else if (!strncmp(line, "until=", 6) && parse_number(line + 6, INT64_MAX, &n))
		pause->until_usec = n;
	else if (!strncmp(line, "uid=", 4) && parse_number(line + 4, UINT32_MAX, &n))
		pause->uid = (uid_t)n;
	else if (!strncmp(line, "reason=", 7) && rsp_pause_reason_is_valid(line + 7))
		strcpy(pause->reason, line + 7);
}

static bool is_trusted(const struct stat *st)
{
	return (st->st_uid == 0 || st->st_uid == geteuid()) && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

int rsp_pause_read(const char *path, struct rsp_pause *ret)
{
	_cleanup_close_ int dir = open_directory(path), fd = -1;
	char text[FILE_MAX + 1], *rest = text, *line;
	struct stat st;
	ssize_t n = 0;

	if (dir < 0)
		return dir;
	if (fstatat(dir, NAME, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (!is_trusted(&st))
		return -EPERM;
	*ret = (struct rsp_pause){
		.since_usec = (uint64_t)st.st_mtim.tv_sec * 1000000 +
			      (uint64_t)st.st_mtim.tv_nsec / 1000,
		.uid = st.st_uid,
	};
	if (S_ISREG(st.st_mode))
		fd = openat(dir, NAME, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		n = read(fd, text, FILE_MAX);
	text[n > 0 ? n : 0] = '\0';
	while ((line = strsep(&rest, "\n")))
		parse_line(line, ret);
	return 0;
}

/* --- writing ---------------------------------------------------------------------------------- */

static int write_draft(int dir, const struct rsp_pause *pause)
{
	_cleanup_close_ int fd = -1;
	char text[FILE_MAX];
	int len = snprintf(text, sizeof(text), "since=%llu\nuntil=%llu\nuid=%u\nreason=%s\n",
			   (unsigned long long)pause->since_usec,
			   (unsigned long long)pause->until_usec, (unsigned int)pause->uid,
			   pause->reason);
	ssize_t n;

	if (unlinkat(dir, DRAFT, 0) < 0 && errno != ENOENT)
		return -errno;
	fd = openat(dir, DRAFT, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	n = write(fd, text, (size_t)len);
	if (n != len)
		return n < 0 ? -errno : -ENOSPC;
	return fsync(fd) < 0 ? -errno : 0;
}

int rsp_pause_write(const char *path, const struct rsp_pause *pause)
{
	_cleanup_close_ int dir = -1;
	int r = rsp_store_make(path);

	if (r == 0)
		r = dir = open_directory(path);
	if (r >= 0)
		r = write_draft(dir, pause);

	if (r == 0 && (renameat(dir, DRAFT, dir, NAME) < 0 || fsync(dir) < 0))
		r = -errno;
	if (r < 0 && dir >= 0)
		(void)unlinkat(dir, DRAFT, 0);
	return r;
}

int rsp_pause_remove(const char *path)
{
	_cleanup_close_ int dir = open_directory(path);

	if (dir < 0)
		return dir == -ENOENT ? 0 : dir;
	if (unlinkat(dir, NAME, 0) < 0)
		return errno == ENOENT ? 0 : -errno;
	return fsync(dir) < 0 ? -errno : 0;
}
