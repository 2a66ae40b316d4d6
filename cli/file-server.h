/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens files for a process in the sandbox, which requests them (lib/files/files.h): the binaries
 * that a snapshot refers to, and their debug files. The server opens them with the rights of the
 * user who runs rspctl, and reads only the four bytes that identify ELF files. Snapshot and process
 * may be hostile, so the server opens only regular ELF files, read-only, by their path in the root
 * of the process that had mapped them or in its own root.
 */
#ifndef RSP_CLI_FILE_SERVER_H
#define RSP_CLI_FILE_SERVER_H

#include "lib/files/files.h"

struct rsp_debugdirs;
struct rsp_downloader;

struct rsp_file_server {
	struct rsp_debugdirs *dirs;	   /* NULL: the user gave none */
	struct rsp_downloader *downloader; /* NULL: do not ask servers */
};

/* Serves requests from the socket until the other end is closed. */
void rsp_file_server_run(const struct rsp_file_server *server, int socket);

/* For the process in the sandbox: its stdin is the other end of the socket. */
extern const struct rsp_files rsp_file_server_files;

#endif
