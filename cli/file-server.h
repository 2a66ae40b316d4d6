/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens files for a process in the sandbox (lib/files/files.h): the binaries that a snapshot refers
 * to, and their debug files. The server opens files with the rights of the user who runs rspctl.
 * The snapshot and the process in the sandbox may be hostile. Therefore the server passes on only
 * regular ELF files, opened for reading.
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

/*
 * Functions with which the process in the sandbox requests files. The stdin of this process is the
 * client's end of the socket.
 */
extern const struct rsp_files rsp_file_server_files;

#endif
