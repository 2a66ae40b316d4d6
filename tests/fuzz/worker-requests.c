/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the real main() of rsp-worker, without its sandbox, on any requests about any files. The
 * worker must end.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/records.h"

/* _exit() is the last statement of the worker's main(), so the function can return instead. */
#define _exit return
#define main  worker_main
int worker_main(int argc, char **argv);
#include "worker/main.c"
#undef main
#undef _exit

static struct input requests;
static int input_fd = -1, output_fd = -1;
static __u32 asked;

/* --- replaces the sandbox -------------------------------------------------------------------- */

int rsp_sandbox_enter(size_t memory_bytes, size_t file_bytes, rsp_sandbox_fn *forbidden,
		      void *userdata)
{
	return 0;
}

void rsp_sandbox_limit_cpu(unsigned int seconds)
{
}

/* --- replaces the worker's sockets ----------------------------------------------------------- */

static void take_request(struct rsp_worker_request *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->command = take_u8(&requests) % (RSP_WORKER_COMMAND_MAX + 1);
	ret->flags = take_u8(&requests) & 3;
	ret->uid = take_u8(&requests);
	ret->number = asked = take_u8(&requests) & 1;
	take(&requests, ret->name, take_u8(&requests));
}

/*
 * Answers the worker's request for a file: usually the file exists. Without an answer, the worker
 * would end.
 */
static void take_granted(struct rsp_worker_file *ret)
{
	__u8 what = take_u8(&requests);

	ret->error = what >= 0xf0 || requests.len == 0 ? -ENOENT : 0;
	ret->number = what & 1;
}

static int take_file(__u32 *ret_number, int *ret_fd)
{
	if (requests.len == 0)
		return -EPIPE;
	*ret_number = take_u8(&requests) & 1;
	*ret_fd = fcntl(input_fd, F_DUPFD_CLOEXEC, 3);
	return 0;
}

int rsp_message_receive(int socket, void *data, size_t len, int ret_fds[RSP_MESSAGE_FD_MAX])
{
	ret_fds[0] = ret_fds[1] = -1;
	if (socket == RSP_WORKER_INLET)
		return take_file(data, &ret_fds[0]);
	if (len == sizeof(struct rsp_worker_file)) {
		take_granted(data);
		return 0;
	}
	must(len == sizeof(struct rsp_worker_request));
	if (requests.len == 0)
		return -EPIPE;
	take_request(data);
	must(ftruncate(output_fd, 0) == 0 && lseek(output_fd, 0, SEEK_SET) == 0);
	ret_fds[0] = fcntl(input_fd, F_DUPFD_CLOEXEC, 3);
	ret_fds[1] = fcntl(output_fd, F_DUPFD_CLOEXEC, 3);
	return 0;
}

int rsp_message_send(int socket, const void *data, size_t len, const int *fds, size_t fd_cnt,
		     int flags)
{
	const struct rsp_worker_message *message = data;

	must(len == sizeof(*message) && fd_cnt == 0 && message->number == asked);
	if (message->says == RSP_WORKER_DONE) {
		must(message->error <= 0 && message->build_id_len <= RSP_BUILD_ID_MAX);
		return 0;
	}
	must(message->says == RSP_WORKER_REQUESTS_FILE && rsp_file_request_ok(&message->file));
	return 0;
}

/* --- its files -------------------------------------------------------------------------------- */

static void put_snapshot(struct input *in)
{
	static struct records records;
	struct rsp_snapshot_writer *w;
	int r = rsp_snapshot_writer_new(input_fd, &w);

	records_take(in, &records);
	if (r == 0)
		r = rsp_snapshot_write_meta(w, &records.snap.meta);
	for (size_t i = 0; r == 0 && i < records.snap.section_cnt; i++)
		r = rsp_snapshot_write_section(w, records.sections[i].type,
					       records.sections[i].data, records.sections[i].len);
	must(r == 0 && rsp_snapshot_writer_finish(w) == 0);
	rsp_snapshot_writer_free(w);
	records_done(&records);
}

static void put_input(struct input *in)
{
	bool is_snapshot = take_u8(in);

	if (input_fd < 0) {
		input_fd = memfd_create("input", MFD_CLOEXEC);
		output_fd = memfd_create("output", MFD_CLOEXEC);
	}
	must(ftruncate(input_fd, 0) == 0 && lseek(input_fd, 0, SEEK_SET) == 0);
	if (is_snapshot)
		put_snapshot(in);
	else
		must(write(input_fd, in->bytes, in->len) == (ssize_t)in->len);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	char *argv[] = {"rsp-worker", "0", "0", NULL};
	struct input in = {data, len};
	__u8 first[64];

	take(&in, first, sizeof(first));
	requests = (struct input){first, sizeof(first)};
	put_input(&in);
	(void)worker_main(3, argv);
	return 0;
}
