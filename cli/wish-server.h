/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files for a process in the sandbox: it wishes (lib/files/files.h) for binaries of which a
 * snapshot tells, and for their debug files. The server opens them with the rights of the user who
 * runs rspctl, and reads no more of them than the four bytes that tell that they are ELF. Snapshot
 * and process may be hostile: it opens regular ELF files, by their path in the root of the process
 * that had them mapped, or here; nothing else, and nothing for writing.
 */
#ifndef RSP_CLI_WISH_SERVER_H
#define RSP_CLI_WISH_SERVER_H

#include "lib/files/files.h"

struct rsp_debugdirs;
struct rsp_downloader;

struct rsp_wish_server {
	struct rsp_debugdirs *dirs;	   /* NULL: the user named none */
	struct rsp_downloader *downloader; /* NULL: no server is to be asked */
};

/* Grants wishes that come from socket, until its other end is closed. */
void rsp_wish_server_run(const struct rsp_wish_server *server, int socket);

/* In the sandbox, whose stdin is the other end. */
extern const struct rsp_files rsp_wish_files;

#endif
