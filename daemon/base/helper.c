/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See helper.h. Each request contains its own socket for the answer, so requests may overlap. */
#include "daemon/base/helper.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/base/child.h"
#include "daemon/base/clock.h"
#include "daemon/base/journal.h"
#include "daemon/base/message.h"
#include "daemon/base/privileges.h"
#include "lib/base/cleanup.h"
#include "rsp/unwind.h"

/* The helper has a normal priority, so it may have to wait if all CPUs are busy. */
#define PATIENCE_NS 2000000000ULL

enum kind {
	PROGRAMS = 1, /* sets the two programs of a set; gets no answer */
	AREA,
	KALLSYMS,
	PROBE, /* the request contains the file's descriptor */
	TABLE,
};

struct request {
	__u32 kind;
	__u32 block_cnt, table;
	__u32 set, multi;	       /* only for PROGRAMS */
	struct rsp_helper_probe probe; /* file is unused: the message contains the descriptor */
};

struct answer {
	int error; /* 0: the message contains a descriptor */
};

/* Indexes of the descriptors in a request, except PROGRAMS. */
enum { REPLY, FILE_ };

static struct rsp_helper_programs programs[RSP_HELPER_SET_CNT] = {
	[RSP_HELPER_FUNCTIONS] = {.entry = -1, .return_ = -1},
	[RSP_HELPER_ALLOCATORS] = {.entry = -1, .return_ = -1},
};

/* --- maps, probes and kallsyms ---------------------------------------------------------------- */

static int make_area(__u32 block_cnt)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_INNER_MAP | BPF_F_MMAPABLE);
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "rsp_area", sizeof(__u32),
				RSP_UNWIND_BLOCK_BYTES, block_cnt, &opts);

	return fd < 0 ? -errno : fd;
}

static int make_table(__u32 which)
{
	static const struct {
		enum bpf_map_type type;
		const char *name;
		__u32 key_bytes, value_bytes, entry_max;
	} tables[RSP_MEMORY_TABLE_CNT] = {
		[RSP_MEMORY_SUMS] = {BPF_MAP_TYPE_HASH, "rsp_sums", sizeof(__u64),
				     sizeof(struct rsp_memory_sum), RSP_MEMORY_SUM_MAX},
		[RSP_MEMORY_BLOCKS] = {BPF_MAP_TYPE_HASH, "rsp_blocks", sizeof(__u64),
				       sizeof(struct rsp_memory_block), RSP_MEMORY_BLOCK_MAX},
		[RSP_MEMORY_FILES] = {BPF_MAP_TYPE_HASH, "rsp_files", sizeof(__u64), sizeof(__u32),
				      RSP_MEMORY_FILE_MAX},
		[RSP_MEMORY_NOTICES] = {BPF_MAP_TYPE_RINGBUF, "rsp_notices", 0, 0,
					RSP_MEMORY_NOTICE_BYTES},
	};
	int fd;

	if (which >= RSP_MEMORY_TABLE_CNT)
		return -EINVAL;
	fd = bpf_map_create(tables[which].type, tables[which].name, tables[which].key_bytes,
			    tables[which].value_bytes, tables[which].entry_max, NULL);
	return fd < 0 ? -errno : fd;
}

/* The kernel shows addresses if the process had CAP_SYSLOG when it opened the file. */
static int open_kallsyms(void)
{
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Makes the link by the system call, since only libbpf 1.3 and later have a function for this. */
static int link_multi(int prog, const char *path, const struct rsp_helper_probe *probe)
{
	struct {
		__u32 prog_fd, target_fd, attach_type, flags;
		__aligned_u64 path, offsets, ref_ctr_offsets, cookies;
		__u32 cnt, multi_flags, pid, pad;
	} attr = {
		.prog_fd = (__u32)prog,
		.attach_type = RSP_UPROBE_MULTI,
		.path = (__u64)(unsigned long)path,
		.offsets = (__u64)(unsigned long)probe->offsets,
		.cookies = (__u64)(unsigned long)probe->cookies,
		.cnt = probe->cnt,
		.multi_flags = probe->returns, /* BPF_F_UPROBE_MULTI_RETURN */
		.pid = (__u32)probe->pid,
	};
	int fd = (int)syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));

	return fd < 0 ? -errno : fd;
}

static int read_uprobe(const char *file, const char *format, __u32 *ret)
{
	char path[80];
	FILE *f;
	int n;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/uprobe/%s", file);
	f = fopen(path, "re");
	if (!f)
		return -errno;
	n = fscanf(f, format, ret);
	fclose(f);
	return n == 1 ? 0 : -EINVAL;
}

static int open_uprobe(const char *path, const struct rsp_helper_probe *probe)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.config1 = (__u64)(unsigned long)path,
		.config2 = probe->offsets[0],
	};
	__u32 bit = 0;
	int fd, r = read_uprobe("type", "%u", &attr.type);

	if (r == 0)
		r = read_uprobe("format/retprobe", "config:%u", &bit);
	if (r < 0)
		return r;
	attr.config = (__u64)probe->returns << bit;
	/*
	 * perf_event_open() requires a CPU if the event is for all processes. For a uprobe, any CPU
	 * will do.
	 */
	fd = (int)syscall(SYS_perf_event_open, &attr, probe->pid ? probe->pid : -1,
			  probe->pid ? -1 : 0, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* The link keeps the event alive. */
static int link_single(int prog, const char *path, const struct rsp_helper_probe *probe)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .perf_event.bpf_cookie = probe->cookies[0]);
	_cleanup_close_ int event = open_uprobe(path, probe), fd = -1;

	if (event < 0)
		return rsp_take_fd(&event);
	fd = bpf_link_create(prog, event, BPF_PERF_EVENT, &opts);
	if (fd < 0 || ioctl(event, PERF_EVENT_IOC_ENABLE, 0) < 0)
		return -errno;
	return rsp_take_fd(&fd);
}

static int add_probe(const struct rsp_helper_probe *probe)
{
	const struct rsp_helper_programs *set = &programs[probe->set];
	int prog = probe->returns ? set->return_ : set->entry;
	char path[64];

	if (probe->cnt > 1 && !set->multi)
		return -EOPNOTSUPP;
	/*
	 * The path leads to the open file itself, so the kernel probes the file that rspd checked.
	 */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", probe->file);
	return set->multi ? link_multi(prog, path, probe) : link_single(prog, path, probe);
}

/* --- in the helper ---------------------------------------------------------------------------- */

static int perform(const struct request *request, int file)
{
	struct rsp_helper_probe probe = request->probe;

	probe.file = file;
	switch (request->kind) {
	case AREA:
		return make_area(request->block_cnt);
	case KALLSYMS:
		return open_kallsyms();
	case PROBE:
		if (probe.set >= RSP_HELPER_SET_CNT || probe.cnt < 1 ||
		    probe.cnt > RSP_HELPER_FUNCTION_MAX)
			return -EINVAL;
		return add_probe(&probe);
	case TABLE:
		return make_table(request->table);
	default:
		return -EINVAL;
	}
}

static void close_fds(int fds[RSP_MESSAGE_FD_MAX])
{
	for (size_t i = 0; i < RSP_MESSAGE_FD_MAX; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* Takes ownership of the descriptors in fds. */
static void handle(const struct request *request, int fds[RSP_MESSAGE_FD_MAX])
{
	_cleanup_close_ int made = -1;
	struct answer answer = {0};

	if (request->kind == PROGRAMS && request->set < RSP_HELPER_SET_CNT &&
	    programs[request->set].entry < 0) {
		programs[request->set] = (struct rsp_helper_programs){fds[0], fds[1],
								      request->multi};
		return;
	}
	made = perform(request, fds[FILE_]);
	answer.error = made < 0 ? made : 0;
	(void)rsp_message_send(fds[REPLY], &answer, sizeof(answer), &made, made >= 0, MSG_DONTWAIT);
	close_fds(fds);
}

static _Noreturn void serve(int socket, pid_t parent)
{
	int fds[RSP_MESSAGE_FD_MAX];
	struct request request;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || /* the parent ended before the prctl() */
	    rsp_privileges_keep(RSP_PRIVILEGES_HELP) < 0)
		_exit(EXIT_FAILURE);
	prctl(PR_SET_NAME, "rspd-helper");
	if (dup2(socket, STDIN_FILENO) < 0 || close_range(STDERR_FILENO + 1, ~0U, 0) < 0)
		_exit(EXIT_FAILURE);
	while (rsp_message_receive(STDIN_FILENO, &request, sizeof(request), fds) == 0)
		handle(&request, fds);
	_exit(EXIT_SUCCESS);
}

/* --- in the caller ---------------------------------------------------------------------------- */

static struct {
	int socket; /* -1: no helper was started */
	sd_event *event;
	struct rsp_child *child;
} helper = {.socket = -1};

/* If the request has no file, file is -1. */
static int ask(const struct request *request, int file)
{
	int fds[RSP_MESSAGE_FD_MAX] = {-1, -1}, pair[2], r;
	struct answer answer = {.error = -EIO};

	if (helper.socket < 0)
		return perform(request, file);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	fds[REPLY] = pair[1];
	fds[FILE_] = file;
	r = rsp_message_send(helper.socket, request, sizeof(*request), fds, file < 0 ? 1 : 2,
			     MSG_DONTWAIT);
	close(pair[1]);
	if (r == 0)
		r = rsp_message_await(pair[0], rsp_now_ns() + PATIENCE_NS);
	if (r == 0)
		r = rsp_message_receive(pair[0], &answer, sizeof(answer), fds);
	close(pair[0]);
	if (r < 0)
		return r;
	return fds[0] >= 0 ? fds[0] : answer.error;
}

int rsp_helper_make_area(__u32 block_cnt)
{
	return ask(&(struct request){.kind = AREA, .block_cnt = block_cnt}, -1);
}

int rsp_helper_make_table(enum rsp_memory_table which)
{
	return ask(&(struct request){.kind = TABLE, .table = which}, -1);
}

int rsp_helper_open_kallsyms(void)
{
	return ask(&(struct request){.kind = KALLSYMS}, -1);
}

int rsp_helper_add_probe(const struct rsp_helper_probe *probe)
{
	return ask(&(struct request){.kind = PROBE, .probe = *probe}, probe->file);
}

int rsp_helper_set_programs(enum rsp_helper_set set, const struct rsp_helper_programs *p)
{
	const struct request request = {.kind = PROGRAMS, .multi = p->multi, .set = set};
	const int fds[] = {p->entry, p->return_};

	programs[set] = *p;
	if (helper.socket < 0)
		return 0;
	return rsp_message_send(helper.socket, &request, sizeof(request), fds, 2, MSG_DONTWAIT);
}

static void on_end(const siginfo_t *info, void *userdata)
{
	rsp_log(LOG_ERR, "the process that makes maps and probes has died");
	sd_event_exit(helper.event, -EIO);
}

int rsp_helper_start(sd_event *event)
{
	pid_t parent = getpid(), pid;
	int fds[2], r;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		serve(fds[1], parent);
	r = pid < 0 ? -errno : 0;
	close(fds[1]);
	if (r == 0)
		r = rsp_child_watch(event, pid, on_end, NULL, &helper.child);
	if (r < 0) {
		close(fds[0]);
		return r;
	}
	helper.event = event;
	helper.socket = fds[0];
	return 0;
}

void rsp_helper_stop(void)
{
	helper.child = rsp_child_abandon(helper.child);
	if (helper.socket >= 0)
		close(helper.socket);
	helper.socket = -1;
}
