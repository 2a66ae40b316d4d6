/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names the functions in stacks of processes (records.h) that made code at run time. Each perf map
 * and each list of executable memory contains any bytes.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/symbols/jit.h"
#include "tests/fuzz/records.h"

static int fds[2] = {-1, -1};

static int open_file(const struct rsp_file_request *file, const struct rsp_ev_binary *binary,
		     void *userdata)
{
	must(file->kind == RSP_FILE_PERF_MAP || file->kind == RSP_FILE_CODE);
	return fcntl(fds[file->kind == RSP_FILE_CODE], F_DUPFD_CLOEXEC, 3);
}

static void put_file(int *fd, struct input *in)
{
	char bytes[1024];
	size_t len = take_u16(in) % sizeof(bytes);

	if (*fd < 0)
		*fd = memfd_create("file", MFD_CLOEXEC);
	take(in, bytes, len);
	must(ftruncate(*fd, 0) == 0 && pwrite(*fd, bytes, len, 0) == (ssize_t)len);
}

static void name_stacks(const struct rsp_trace *trace, struct rsp_jit *jit)
{
	for (size_t i = 0; i < rsp_trace_stack_cnt(trace); i++) {
		const struct rsp_ev_stack *stack = rsp_trace_stack_at(trace, i);

		for (__u32 k = 0; k < stack->frame_cnt; k++) {
			const char *name;

			must(rsp_jit_name(jit, stack, stack->frames[k], &name) == 0);
			must(!name || strlen(name) < 2048);
		}
	}
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static const struct rsp_files files = {.open = open_file};
	static struct records records;
	struct input in = {data, len};
	struct rsp_trace *trace;
	struct rsp_jit *jit;

	put_file(&fds[0], &in);
	put_file(&fds[1], &in);
	records_take(&in, &records);
	must(rsp_trace_new(&records.snap, &trace) == 0);
	must(rsp_jit_new(trace, &files, &jit) == 0);
	name_stacks(trace, jit);
	rsp_jit_free(jit);
	rsp_trace_free(trace);
	records_done(&records);
	return 0;
}
