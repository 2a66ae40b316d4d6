/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See elffiles.h. */
#include "lib/symbols/elffiles.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "lib/base/cleanup.h"
#include "lib/symbols/elf.h"

bool rsp_elffiles_is(int fd, const __u8 *build_id, size_t len)
{
	__u8 found[RSP_BUILD_ID_MAX];
	size_t found_len;

	return len > 0 && rsp_elf_read_build_id(fd, found, &found_len) == 0 && found_len == len &&
	       memcmp(found, build_id, len) == 0;
}

static bool same_inode(int fd, const struct rsp_ev_binary *binary)
{
	struct stat st;

	if (!binary->ino || fstat(fd, &st) < 0)
		return false;
	return st.st_ino == binary->ino &&
	       (major(st.st_dev) << 20 | minor(st.st_dev)) == binary->dev;
}

static bool is_proved(int fd, const struct rsp_ev_binary *binary, bool elsewhere)
{
	if (binary->build_id_len)
		return rsp_elffiles_is(fd, binary->build_id, binary->build_id_len);
	return !elsewhere && same_inode(fd, binary);
}

static int open_proved(const struct rsp_files *files, enum rsp_file_kind kind,
		       const struct rsp_ev_binary *binary, bool elsewhere)
{
	const struct rsp_file_request file = {.kind = kind, .binary = binary->number};
	_cleanup_close_ int fd = files->open(&file, binary, files->userdata);

	if (fd < 0 || is_proved(fd, binary, elsewhere))
		return rsp_take_fd(&fd);
	return -ESTALE;
}

int rsp_elffiles_open(const struct rsp_files *files, const struct rsp_ev_binary *binary,
		      bool elsewhere)
{
	int fd = open_proved(files, RSP_FILE_IN_ROOT, binary, elsewhere);

	if (fd < 0 && !elsewhere)
		fd = open_proved(files, RSP_FILE_MAPPED, binary, false);
	return fd >= 0 ? fd : open_proved(files, RSP_FILE_HERE, binary, elsewhere);
}
