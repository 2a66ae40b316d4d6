/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The worker itself: see worker.h and worker-protocol.h. Whoever takes it over by a hostile file
 * finds a process without capabilities, files, children or executable memory of its own making,
 * which may read the file at hand, write to the memfd at hand, and tell the recorder a lie.
 */
#include "worker.h"

#include <errno.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <signal.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/unwind/table.h"
#include "worker-protocol.h"

#define NOBODY 65534

/* CPU time for one file: the largest of a Debian system take a quarter of a second. */
#define FILE_CPU_SECONDS 5

/* The largest .eh_frame, its entries and the largest table, twice while they grow, come to half. */
#define MEMORY_BYTES (1UL << 30)

#define OPEN_FILES_MAX 8 /* three, and those of a request */

/* --- giving up ----------------------------------------------------------------------------------
 */

/*
 * Not possible in a service that has no right to become somebody else: then it stays who it is,
 * without capabilities all the same.
 */
static int become_nobody(void)
{
	if (geteuid() != 0)
		return 0;
	if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
	    setresuid(NOBODY, NOBODY, NOBODY) < 0)
		return errno == EPERM ? 0 : -errno;
	return 0;
}

static int drop_capabilities(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || syscall(SYS_capset, &header, none) < 0)
		return -errno;
	return 0;
}

static int limit(int resource, rlim_t max)
{
	struct rlimit limit = {.rlim_cur = max, .rlim_max = max};

	return setrlimit((__rlimit_resource_t)resource, &limit) < 0 ? -errno : 0;
}

/*
 * The priority stays the ordinary one: until a table is there, all stacks of its code end early,
 * and on a machine that is busy somebody nice would not make it. The work is a few milliseconds for
 * each binary, once.
 */
static int limit_resources(void)
{
	int r = 0;

#ifndef __SANITIZE_ADDRESS__ /* reserves terabytes */
	r = limit(RLIMIT_AS, MEMORY_BYTES);
#endif
	if (r == 0)
		r = limit(RLIMIT_NOFILE, OPEN_FILES_MAX);
	if (r == 0)
		r = limit(RLIMIT_FSIZE, (rlim_t)RSP_UNWIND_BLOCK_MAX * RSP_UNWIND_BLOCK_BYTES);
	if (r == 0)
		r = limit(RLIMIT_CORE, 0);
	if (r == 0)
		r = limit(RLIMIT_NPROC, 0);
	return r;
}

/* Beside mmap, which may not make memory executable. What is not here ends the process. */
static const unsigned int allowed[] = {
	SYS_recvmsg,	/* requests */
	SYS_sendto,	/* replies */
	SYS_pread64,	/* the file */
	SYS_fstat,	/* its size */
	SYS_newfstatat, /* by which glibc does fstat() */
	SYS_sysinfo,	/* by which its qsort() learns how much memory there is */
	SYS_write,	/* the table */
	SYS_close,	 SYS_setitimer,	  SYS_brk,	    SYS_munmap,
	SYS_mremap,	 SYS_madvise,	  SYS_exit_group,
#ifdef __SANITIZE_ADDRESS__ /* its allocator, and the first line of what it has to report */
	SYS_futex,	 SYS_getpid,	  SYS_gettid,	    SYS_mprotect,
	SYS_sched_yield, SYS_sigaltstack, SYS_rt_sigaction, SYS_rt_sigprocmask,
#endif
};

#define ALLOWED_CNT (sizeof(allowed) / sizeof(allowed[0]))

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (__u32)offsetof(struct seccomp_data, field))
#define JUMP(how, value, if_true, if_false)                                                        \
	BPF_JUMP(BPF_JMP | (how) | BPF_K, value, if_true, if_false)
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)

static int forbid_the_rest(void)
{
	const struct sock_filter head[] = {
		LOAD(arch),
		JUMP(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0),
		RETURN(SECCOMP_RET_KILL_PROCESS),
		LOAD(nr),
		JUMP(BPF_JEQ, SYS_mmap, 0, 4),
		LOAD(args[2]), /* the lower half, which holds all flags */
		JUMP(BPF_JSET, PROT_EXEC, 0, 1),
		RETURN(SECCOMP_RET_KILL_PROCESS),
		RETURN(SECCOMP_RET_ALLOW),
	};
	enum { HEAD_CNT = sizeof(head) / sizeof(head[0]) };
	struct sock_filter filter[HEAD_CNT + 2 * ALLOWED_CNT + 1], *end = filter + HEAD_CNT;
	struct sock_fprog program = {.filter = filter};

	memcpy(filter, head, sizeof(head));
	for (size_t i = 0; i < ALLOWED_CNT; i++) {
		*end++ = (struct sock_filter)JUMP(BPF_JEQ, allowed[i], 0, 1);
		*end++ = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	}
	*end++ = (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS);
	program.len = (unsigned short)(end - filter);
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) < 0 ? -errno : 0;
}

static int give_up_everything(void)
{
	int r = become_nobody();

	if (r == 0)
		r = drop_capabilities();
	if (r == 0)
		r = limit_resources();
	if (r < 0)
		return r;
	prctl(PR_SET_NAME, "rspd-unwind", 0, 0, 0);
	/* Becoming somebody else has cleared the first, and would have been in the second's way. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return -errno;
	return forbid_the_rest();
}

/* --- requests -----------------------------------------------------------------------------------
 */

/* SIGPROF ends the process. 0 seconds: it does not. */
static void limit_cpu(int seconds)
{
	setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = seconds}}, NULL);
}

static int write_all(int fd, const void *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0)
			return -errno;
		data = (const char *)data + n;
		len -= (size_t)n;
	}
	return 0;
}

static struct rsp_worker_reply work(__u32 number, const int fds[RSP_WORKER_FD_CNT])
{
	_cleanup_(rsp_unwind_table_done) struct rsp_unwind_table table = {0};
	struct rsp_worker_reply reply = {.number = number};

	limit_cpu(FILE_CPU_SECONDS);
	reply.error = rsp_unwind_table_build(fds[RSP_WORKER_FILE], &table);
	if (reply.error == 0)
		reply.error = write_all(fds[RSP_WORKER_TABLE], table.blocks, table.len);
	limit_cpu(0);
	reply.build_id_len = table.build_id_len;
	memcpy(reply.build_id, table.build_id, sizeof(reply.build_id));
	return reply;
}

/* False: there are no more. */
static bool receive(struct rsp_worker_request *ret, int ret_fds[RSP_WORKER_FD_CNT])
{
	union {
		char buf[CMSG_SPACE(RSP_WORKER_FD_CNT * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = {ret, sizeof(*ret)};
	struct msghdr msg = {.msg_iov = &iov,
			     .msg_iovlen = 1,
			     .msg_control = &control,
			     .msg_controllen = sizeof(control)};
	struct cmsghdr *cmsg;

	if (recvmsg(STDIN_FILENO, &msg, MSG_CMSG_CLOEXEC) != (ssize_t)sizeof(*ret))
		return false;
	cmsg = CMSG_FIRSTHDR(&msg);
	if (!cmsg || cmsg->cmsg_len != CMSG_LEN(RSP_WORKER_FD_CNT * sizeof(int)))
		return false;
	memcpy(ret_fds, CMSG_DATA(cmsg), RSP_WORKER_FD_CNT * sizeof(int));
	return true;
}

int rsp_worker_main(void)
{
	struct rsp_worker_request request;
	int fds[RSP_WORKER_FD_CNT];

	if (give_up_everything() < 0)
		return EXIT_FAILURE;
	while (receive(&request, fds)) {
		struct rsp_worker_reply reply = work(request.number, fds);

		for (int i = 0; i < RSP_WORKER_FD_CNT; i++)
			close(fds[i]);
		if (send(STDIN_FILENO, &reply, sizeof(reply), MSG_NOSIGNAL) < 0)
			break;
	}
	/* What libraries do at exit may be forbidden by now. */
	_exit(EXIT_SUCCESS);
}
