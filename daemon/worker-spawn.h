/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts rsp-worker, which lies beside this program: see worker-protocol.h. */
#ifndef RSP_DAEMON_WORKER_SPAWN_H
#define RSP_DAEMON_WORKER_SPAWN_H

#include <stddef.h>
#include <sys/types.h>

struct rsp_worker_limits {
	size_t memory_bytes; /* of address space */
	size_t file_bytes;   /* of a file that it writes */
};

struct rsp_worker_process {
	int socket; /* our end of its stdin */
	int inlet;  /* our end of its inlet: only ever sent to */
	pid_t pid;
};

/* Descriptors and child are the caller's, to be closed and reaped. 0 or -errno. */
int rsp_worker_spawn(const struct rsp_worker_limits *limits, struct rsp_worker_process *ret);

#endif
