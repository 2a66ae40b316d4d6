/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The protocol between rspd and rsp-worker, over a SOCK_SEQPACKET socket that is the worker's
 * stdin. rspd sends one request with its descriptors. If the request is NAME or SUMMARY, the worker
 * sends any number of requests for files, and rspd answers each with one message. Then the worker
 * sends one reply. Before the reply the worker may report forbidden system calls, which need no
 * answer. rspd trusts no message of the worker.
 *
 * The ELF file of UNWIND, and the files that the worker requests, come over a second socket, the
 * inlet. The process that opened such a file sends it to the inlet, with the number (__u32) of the
 * request or answer. Only then does rspd send a message that refers to the file. rspd holds no
 * descriptor of the file, since closing the file can block forever.
 */
#ifndef RSP_DAEMON_WORKER_PROTOCOL_H
#define RSP_DAEMON_WORKER_PROTOCOL_H

#include <linux/types.h>

#include "lib/files/files.h"
#include "rsp/allocator.h"
#include "rsp/event.h"

enum rsp_worker_command {
	/*
	 * The ELF file comes over the inlet. Descriptors: an empty file for its unwind table
	 * (rsp/unwind.h), and optionally one for a copy of its symbols (lib/symbols/symcopy.h).
	 */
	RSP_WORKER_UNWIND = 1,
	/*
	 * descriptors: snapshot; empty file for the new snapshot, redacted or about a chosen
	 * process
	 */
	RSP_WORKER_CUT,
	/* descriptors: snapshot; empty file for names of functions (SYMBOLS section) */
	RSP_WORKER_NAME,
	RSP_WORKER_HEADLINE,  /* descriptor: snapshot */
	RSP_WORKER_FIND,      /* descriptor: ELF file */
	RSP_WORKER_ALLOCATOR, /* descriptor: ELF file */
	/*
	 * descriptors: snapshot of all processes; empty file for its summary. The worker may
	 * request copies of symbols.
	 */
	RSP_WORKER_SUMMARY,
	RSP_WORKER_CONTAINER, /* descriptor: file of a container runtime */
	RSP_WORKER_COMMAND_MAX,
};

/* Maximum number of bytes of a report's first sentence, including the NUL. */
#define RSP_HEADLINE_MAX 512

/* Descriptors of a request, in this order. */
enum { RSP_WORKER_INPUT, RSP_WORKER_OUTPUT, RSP_WORKER_FD_MAX };

/*
 * Descriptors of UNWIND. RSP_WORKER_SYMBOLS may be missing. If the ELF file has no symbols, the
 * file for symbols stays empty.
 */
enum { RSP_WORKER_TABLE, RSP_WORKER_SYMBOLS };

/* The worker's descriptor of its inlet. */
#define RSP_WORKER_INLET 3

enum rsp_worker_flags {
	RSP_WORKER_REDACT = 1 << 0, /* CUT: keep only data that uid may see */
	RSP_WORKER_CHOOSE = 1 << 1, /* CUT: make the snapshot about the most affected process */
};

struct rsp_worker_request {
	__u32 command;
	__u32 number; /* the reply has the same number */
	__u32 cpu_s;  /* limit of CPU time */
	__u32 flags;  /* enum rsp_worker_flags; CONTAINER: enum rsp_container_state */
	__u32 uid;
	char name[256]; /* FIND: name of the function; CONTAINER: id of the container */
	__u64 cpu_ns;	/* SUMMARY: CPU time of the previous summary */
};

enum rsp_worker_says { RSP_WORKER_DONE = 1, RSP_WORKER_REQUESTS_FILE, RSP_WORKER_FORBIDDEN };

/* Maximum number of reports of forbidden calls by one worker. */
#define RSP_WORKER_FORBIDDEN_MAX 32

struct rsp_worker_message {
	__u32 says;
	__u32 number;
	__s32 error;	    /* DONE: 0 or -errno */
	__u32 build_id_len; /* UNWIND: set even on error, if the build-id is known */
	union {
		__u8 build_id[RSP_BUILD_ID_MAX];
		__u64 file_off;		      /* FIND */
		__u64 offsets[RSP_ALLOC_CNT]; /* ALLOCATOR: see rsp_allocator_find() */
		char headline[RSP_HEADLINE_MAX];
		struct rsp_ev_container container; /* CONTAINER: rspd uses only the names */
		struct rsp_file_request file;
		__s32 syscall; /* FORBIDDEN: the number of the system call */
	};
};

/* If error is 0, the file with this number has been sent to the inlet. */
struct rsp_worker_file {
	__s32 error;
	__u32 number;
};

#endif
