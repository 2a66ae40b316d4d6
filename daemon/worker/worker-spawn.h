/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program rsp-worker is in the same directory as the program of this process. */
#ifndef RSP_DAEMON_WORKER_SPAWN_H
#define RSP_DAEMON_WORKER_SPAWN_H

#include <stddef.h>
#include <sys/types.h>

struct rsp_worker_limits {
	size_t memory_bytes; /* limit for the address space */
	size_t file_bytes;   /* limit for each file that the worker writes */
};

struct rsp_worker_process {
	int socket; /* rspd's end of the socket that is the worker's stdin */
	int inlet;  /* rspd's end of the inlet, only used to send */
	pid_t pid;
};

/* The caller must close the descriptors and reap the child. Returns 0 or -errno. */
int rsp_worker_spawn(const struct rsp_worker_limits *limits, struct rsp_worker_process *ret);

#endif
