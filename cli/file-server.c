/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See file-server.h. */
#include "cli/file-server.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/downloader.h"
#include "daemon/base/message.h"
#include "lib/base/cleanup.h"
#include "lib/symbols/debugdirs.h"

/* tgid and path identify the binary in the snapshot to which the file belongs. */
struct message {
	struct rsp_file_request file;
	__u32 tgid;
	char path[PATH_MAX];
};

struct answer {
	__s32 error; /* 0: a file descriptor comes with this message; otherwise -errno */
};

/* --- the server ------------------------------------------------------------------------------- */

static int open_beside_binary(const struct message *message)
{
	_cleanup_free_ struct rsp_ev_binary *binary = calloc(1, sizeof(*binary) + PATH_MAX);

	if (!binary)
		return -ENOMEM;
	binary->tgid = message->tgid;
	memcpy(binary->path, message->path, PATH_MAX);
	return rsp_file_open(&message->file, binary, "/proc/self");
}

/*
 * Refuses requests for files of running processes, such as mapped files: a saved snapshot may be
 * from another machine or from an earlier time.
 */
static int open_requested(const struct rsp_file_server *server, const struct message *message)
{
	const struct rsp_file_request *file = &message->file;

	switch (file->kind) {
	case RSP_FILE_IN_ROOT:
	case RSP_FILE_HERE:
	case RSP_FILE_BY_BUILD_ID:
	case RSP_FILE_BESIDE:
	case RSP_FILE_BENEATH:
	case RSP_FILE_IN_SYSTEM:
	case RSP_FILE_DWZ:
		return open_beside_binary(message);
	case RSP_FILE_LISTED:
	case RSP_FILE_LAID_OUT:
	case RSP_FILE_DWZ_THERE:
		return server->dirs ? rsp_debugdirs_open(server->dirs, file) : -ENODATA;
	case RSP_FILE_DOWNLOAD:
		return server->downloader ? rsp_downloader_open(server->downloader, file->build_id,
								file->build_id_len)
					  : -ENOENT;
	default:
		return -EACCES;
	}
}

static bool is_elf(int fd)
{
	struct stat st;
	char magic[4];

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
	       memcmp(magic, "\177ELF", sizeof(magic)) == 0;
}

static int grant(const struct rsp_file_server *server, const struct message *message)
{
	_cleanup_close_ int fd = -EINVAL;

	if (!rsp_file_request_ok(&message->file) ||
	    strnlen(message->path, sizeof(message->path)) == sizeof(message->path))
		return -EINVAL;
	fd = open_requested(server, message);
	if (fd >= 0 && !is_elf(fd))
		return -ESTALE;
	return rsp_take_fd(&fd);
}

void rsp_file_server_run(const struct rsp_file_server *server, int socket)
{
	int fds[RSP_MESSAGE_FD_MAX];
	struct message message;

	while (rsp_message_receive(socket, &message, sizeof(message), fds) == 0) {
		_cleanup_close_ int fd = grant(server, &message);
		const struct answer answer = {.error = fd < 0 ? fd : 0};

		/* A hostile client could send descriptors to use up the server's limit. */
		for (size_t i = 0; i < RSP_MESSAGE_FD_MAX; i++)
			rsp_cleanup_close(&fds[i]);
		if (rsp_message_send(socket, &answer, sizeof(answer), &fd, fd >= 0, 0) < 0)
			return;
	}
}

/* --- in the sandbox --------------------------------------------------------------------------- */

static int open_by_request(const struct rsp_file_request *file, const struct rsp_ev_binary *binary,
			   void *userdata)
{
	struct message message = {.file = *file};
	int fds[RSP_MESSAGE_FD_MAX], r;
	struct answer answer;

	if (binary && strlen(binary->path) >= sizeof(message.path))
		return -ENAMETOOLONG;
	if (binary) {
		message.tgid = binary->tgid;
		strcpy(message.path, binary->path);
	}
	r = rsp_message_send(STDIN_FILENO, &message, sizeof(message), NULL, 0, 0);
	if (r == 0)
		r = rsp_message_receive(STDIN_FILENO, &answer, sizeof(answer), fds);
	if (r < 0)
		return r;
	if (fds[0] >= 0)
		return fds[0];
	return answer.error < 0 ? answer.error : -ENOENT;
}

const struct rsp_files rsp_file_server_files = {.open = open_by_request};
