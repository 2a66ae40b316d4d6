/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens files that rsp-worker requests. Assumes that an attacker controls the worker. The worker
 * gets the binaries in stacks, their debug files, copies of symbols, and the files in which
 * processes describe the code that they generated.
 */
#ifndef RSP_DAEMON_BROKER_H
#define RSP_DAEMON_BROKER_H

#include <stdbool.h>
#include <sys/types.h>

#include "lib/files/files.h"

struct rsp_binaries;

struct rsp_broker {
	const struct rsp_binaries *binaries;
	bool only_readable; /* open only files that uid could read */
	uid_t uid;
};

/*
 * Returns the user of the process to which the file belongs, or root if the process has ended or
 * the binary is unknown. Never blocks.
 */
uid_t rsp_broker_owner(const struct rsp_broker *broker, const struct rsp_file_request *file);

/*
 * Returns a file descriptor, which the caller must close; -EACCES: not allowed; -ENOENT: the binary
 * is unknown; or the -errno of the last path that was tried. May block forever.
 */
int rsp_broker_open(const struct rsp_broker *broker, const struct rsp_file_request *file);

#endif
