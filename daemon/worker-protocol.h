/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What rspd and rsp-worker say to each other, over a SOCK_SEQPACKET socket that is the worker's
 * stdin: one request, and what it needs as descriptors; then, if the request is NAME, any number of
 * wishes for files, each answered by one message; then one reply. Before the reply the worker may
 * report forbidden system calls, which need no answer. rspd trusts nothing that the worker says.
 *
 * Files that strangers can name come over another such socket, the inlet, from the process that
 * opened them, each in a message that is the number (__u32) of its request or its answer. rspd
 * speaks of such a file only after it has been sent, and holds no descriptor of it: to close one
 * can take for ever.
 */
#ifndef RSP_DAEMON_WORKER_PROTOCOL_H
#define RSP_DAEMON_WORKER_PROTOCOL_H

#include "daemon/snapshots/analysis.h"
#include "lib/files/files.h"
#include "rsp/event.h"

enum rsp_worker_command {
	RSP_WORKER_UNWIND = 1, /* empty file for the unwind table (rsp/unwind.h) of an ELF file,
				  which comes over the inlet */
	RSP_WORKER_CUT,	       /* snapshot, empty file for one that is cut down, or of a process */
	RSP_WORKER_NAME,       /* snapshot, empty file for names of functions (SYMBOLS section) */
	RSP_WORKER_HEADLINE,   /* snapshot */
	RSP_WORKER_FIND,       /* ELF file */
	RSP_WORKER_COMMAND_MAX,
};

/* Descriptors of a request, in this order. */
enum { RSP_WORKER_INPUT, RSP_WORKER_OUTPUT, RSP_WORKER_FD_MAX };

/* The only one of UNWIND. */
#define RSP_WORKER_TABLE 0

/* The worker's descriptor of its inlet. */
#define RSP_WORKER_INLET 3

enum rsp_worker_flags {
	RSP_WORKER_REDACT = 1 << 0, /* CUT: leave only what uid may see */
	RSP_WORKER_CHOOSE = 1 << 1, /* CUT: make it one of who suffered most */
};

struct rsp_worker_request {
	__u32 command;
	__u32 number; /* of the request: the reply has the same */
	__u32 cpu_s;  /* CPU time for it */
	__u32 flags;  /* enum rsp_worker_flags */
	__u32 uid;
	char name[256]; /* FIND: of the function */
};

enum rsp_worker_says { RSP_WORKER_DONE = 1, RSP_WORKER_WISHES, RSP_WORKER_FORBIDDEN };

/*
 * Reports of forbidden calls that one worker sends at most: libraries make a few such calls, each
 * is reported once, and a worker that sends more is hostile.
 */
#define RSP_WORKER_FORBIDDEN_MAX 32

struct rsp_worker_message {
	__u32 says;
	__u32 number;
	__s32 error;	    /* DONE: 0 or -errno */
	__u32 build_id_len; /* UNWIND: may be known on error */
	union {
		__u8 build_id[RSP_BUILD_ID_MAX];
		__u64 file_off; /* FIND */
		char headline[RSP_HEADLINE_MAX];
		struct rsp_file_wish wish;
		__s32 syscall; /* FORBIDDEN: the number of the call */
	};
};

/* The answer to a wish; if there is no error, the file of that number has come over the inlet. */
struct rsp_worker_file {
	__s32 error;
	__u32 number;
};

#endif
