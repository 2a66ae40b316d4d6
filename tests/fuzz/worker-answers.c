/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends any messages as a compromised rsp-worker. The caller of rsp_analyse() or of
 * rsp_inquiry_find_function() must get a valid answer or an error.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/base/forbidden.h"
#include "daemon/base/message.h"
#include "daemon/snapshots/analysis.h"
#include "daemon/snapshots/file-requests.h"
#include "daemon/worker/inquiry.h"
#include "daemon/worker/worker-protocol.h"
#include "daemon/worker/worker-spawn.h"
#include "tests/fuzz/input.h"

#define MESSAGES_MAX 40

static struct input messages;
static int file = -1, worker = -1;

/* --- the worker ------------------------------------------------------------------------------- */

static void take_message(struct rsp_worker_message *ret, __u32 number)
{
	__u8 what = take_u8(&messages);

	memset(ret, 0, sizeof(*ret));
	ret->says = what & 3;
	ret->number = what & 4 ? number + take_u8(&messages) : number;
	ret->error = what & 8 ? (__s32)take_u32(&messages) : -(__s32)take_u8(&messages);
	ret->build_id_len = take_u8(&messages);
	if (ret->says == RSP_WORKER_REQUESTS_FILE) {
		ret->file.kind = take_u8(&messages);
		take(&messages, ret->file.name, take_u8(&messages));
	} else {
		take(&messages, ret->headline, what & 16 ? sizeof(ret->headline) : 8);
	}
}

/*
 * Writes all messages before the caller reads any. The stream then ends, so the caller never
 * blocks.
 */
static void put_messages(int socket)
{
	for (__u32 i = 0, number = 1; messages.len > 0 && i < MESSAGES_MAX; i++) {
		struct rsp_worker_message message;
		size_t len = sizeof(message);
		__u8 how = take_u8(&messages);

		if (how == 0xff)
			break; /* the next worker sends the rest of the input */
		take_message(&message, number);
		number += message.says == RSP_WORKER_DONE;
		if (how >= 0xf0)
			len = take_u16(&messages) % sizeof(message);
		(void)rsp_message_send(socket, &message, len, &file, how >= 0xe0 && how < 0xf0,
				       MSG_DONTWAIT);
	}
}

/* In place of daemon/worker/worker-spawn.c. */
int rsp_worker_spawn(const struct rsp_worker_limits *limits, struct rsp_worker_process *ret)
{
	int fds[2];

	must(limits->memory_bytes > 0);
	must(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) == 0);
	put_messages(fds[1]);
	must(shutdown(fds[1], SHUT_WR) == 0);
	/* Requests to the worker stay unread. This end stays open until the next worker starts. */
	if (worker >= 0)
		close(worker);
	worker = fds[1];
	ret->socket = fds[0];
	ret->inlet = fcntl(file, F_DUPFD_CLOEXEC, 3);
	ret->pid = INT_MAX; /* above any limit of the kernel */
	return 0;
}

/* --- in place of daemon/snapshots/file-requests.c and broker.c ------------------------------- */

int rsp_file_requests_grant(struct rsp_file_requests *w, const struct rsp_file_request *request,
			    __u64 until_ns, __u32 *ret_number)
{
	*ret_number = ++w->number;
	return request->kind % 2 ? 0 : -(int)(request->kind + 1);
}

int rsp_broker_open(const struct rsp_broker *broker, const struct rsp_file_request *request)
{
	return -(int)(request->kind + 1);
}

void rsp_file_requests_done(struct rsp_file_requests *w)
{
}

void rsp_forbidden_log(int nr)
{
}

/* ---------------------------------------------------------------------------------------------- */

static void analyse(__u8 how)
{
	const struct rsp_analysis_request request = {.snapshot = file,
						     .naming = file,
						     .redact = how & 2,
						     .choose = how & 4,
						     .headline = true,
						     .uid = how,
						     .patience_s = 60};
	struct rsp_analysis analysis;
	int r = rsp_analyse(&request, &analysis);

	/* The worker of this target writes no result file, so the analysis must fail. */
	must(r < 0 && r > -4096);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	__u64 offset = UINT64_MAX;
	__u8 how;
	int r;

	if (file < 0)
		file = memfd_create("snapshot", MFD_CLOEXEC);
	messages = (struct input){data, len};
	how = take_u8(&messages);
	if (how & 1) {
		analyse(how);
		return 0;
	}
	r = rsp_inquiry_find_function(file, "main", &offset);
	must(r <= 0 && r > -4096 && (r == 0 || offset == UINT64_MAX));
	return 0;
}
