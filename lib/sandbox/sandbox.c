/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See sandbox.h. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <asm/ioctls.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#define NOBODY 65534

/* Three, those of a request, and those of one binary with all its debug files. */
#define OPEN_FILES_MAX 16

/* --- identity --------------------------------------------------------------------------------- */

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

/* --- resources -------------------------------------------------------------------------------- */

/* Nobody can raise what is lower already. */
static int limit(int resource, rlim_t max)
{
	struct rlimit limit;

	if (getrlimit((__rlimit_resource_t)resource, &limit) < 0)
		return -errno;
	if (limit.rlim_max > max)
		limit.rlim_max = max;
	limit.rlim_cur = limit.rlim_max;
	return setrlimit((__rlimit_resource_t)resource, &limit) < 0 ? -errno : 0;
}

/*
 * The priority stays the ordinary one: until a table is there, all stacks of its code end early,
 * and on a machine that is busy somebody nice would not make it. The work is a few milliseconds for
 * each binary, once.
 */
static int limit_resources(size_t memory_bytes, size_t file_bytes)
{
	int r = 0;

#ifndef __SANITIZE_ADDRESS__ /* reserves terabytes */
	r = limit(RLIMIT_AS, memory_bytes);
	if (r == 0)
		r = limit(RLIMIT_DATA, memory_bytes); /* the recorder's own is less */
#endif
	if (r == 0)
		r = limit(RLIMIT_NOFILE, OPEN_FILES_MAX);
	if (r == 0)
		r = limit(RLIMIT_FSIZE, file_bytes);
	if (r == 0)
		r = limit(RLIMIT_CORE, 0);
	if (r == 0)
		r = limit(RLIMIT_NPROC, 0);
	return r;
}

void rsp_sandbox_limit_cpu(unsigned int seconds)
{
	setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = seconds}}, NULL);
}

/* --- system calls ----------------------------------------------------------------------------- */

/* Allowed, or refused with an error, if (args[arg] & mask) == value. */
struct rule {
	__u32 nr;
	__u32 error;
	__u32 arg, mask, value;
};

/* What is not here ends the process. */
#define ALLOW_IF(nr, arg, mask, value)                                                             \
	{                                                                                          \
		nr, 0, arg, mask, value                                                            \
	}
#define ALLOW(nr) ALLOW_IF(nr, 0, 0, 0)
#define REFUSE(nr)                                                                                 \
	{                                                                                          \
		nr, EACCES, 0, 0, 0                                                                \
	}

static const struct rule rules[] = {
	ALLOW_IF(SYS_mmap, 2, PROT_EXEC, 0),
	ALLOW(SYS_recvmsg),
	ALLOW(SYS_sendmsg),
	ALLOW(SYS_pread64),
	ALLOW(SYS_write),
	ALLOW(SYS_lseek),
	ALLOW(SYS_ftruncate), /* a snapshot that names are added to */
	ALLOW(SYS_fstat),
	ALLOW(SYS_newfstatat), /* by which glibc does fstat() */
	ALLOW(SYS_close),
	ALLOW_IF(SYS_fcntl, 1, ~0U, F_GETFD), /* by which libelf asks whether there is a file */
	ALLOW_IF(SYS_ioctl, 1, ~0U, TCGETS),  /* by which stdio asks whether it is a terminal */
	ALLOW(SYS_sysinfo),   /* by which glibc's qsort() learns how much memory there is */
	ALLOW(SYS_getrandom), /* by which json-c seeds its tables */
	ALLOW(SYS_setitimer),
	ALLOW(SYS_brk),
	ALLOW(SYS_munmap),
	ALLOW(SYS_mremap),
	ALLOW(SYS_madvise),
	ALLOW(SYS_exit_group),
	/* libdw would like to know where the file lies. */
	REFUSE(SYS_readlink),
	REFUSE(SYS_readlinkat),
	REFUSE(SYS_getcwd),
#ifdef __SANITIZE_ADDRESS__ /* its allocator, and the first line of what it has to report */
	ALLOW(SYS_futex),
	ALLOW(SYS_getpid),
	ALLOW(SYS_gettid),
	ALLOW(SYS_mprotect),
	ALLOW(SYS_sched_yield),
	ALLOW(SYS_sigaltstack),
	ALLOW(SYS_rt_sigaction),
	ALLOW(SYS_rt_sigprocmask),
#endif
};

#define RULE_CNT (sizeof(rules) / sizeof(rules[0]))

#define LOAD(off)    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (__u32)(off))
#define AND(value)   BPF_STMT(BPF_ALU | BPF_AND | BPF_K, value)
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define EQUALS(value, if_true, if_false)                                                           \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, if_true, if_false)

enum { HEAD_CNT = 4, RULE_LEN = 6 };

/* Of an argument the lower half is looked at: none of these has more. */
static void put_rule(const struct rule *rule, struct sock_filter ret[RULE_LEN])
{
	__u32 arg_off = (__u32)(offsetof(struct seccomp_data, args) + rule->arg * sizeof(__u64));

	ret[0] = (struct sock_filter)EQUALS(rule->nr, 0, 5);
	ret[1] = (struct sock_filter)LOAD(arg_off);
	ret[2] = (struct sock_filter)AND(rule->mask);
	ret[3] = (struct sock_filter)EQUALS(rule->value, 1, 0);
	ret[4] = (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS);
	ret[5] = (struct sock_filter)RETURN(rule->error ? SECCOMP_RET_ERRNO | rule->error
							: SECCOMP_RET_ALLOW);
}

static int forbid_the_rest(void)
{
	const struct sock_filter head[HEAD_CNT] = {
		LOAD(offsetof(struct seccomp_data, arch)),
		EQUALS(AUDIT_ARCH_X86_64, 1, 0),
		RETURN(SECCOMP_RET_KILL_PROCESS),
		LOAD(offsetof(struct seccomp_data, nr)),
	};
	struct sock_filter filter[HEAD_CNT + RULE_LEN * RULE_CNT + 1];
	struct sock_fprog program = {.filter = filter, .len = sizeof(filter) / sizeof(filter[0])};

	for (size_t i = 0; i < HEAD_CNT; i++)
		filter[i] = head[i];
	for (size_t i = 0; i < RULE_CNT; i++)
		put_rule(&rules[i], &filter[HEAD_CNT + RULE_LEN * i]);
	filter[HEAD_CNT + RULE_LEN * RULE_CNT] = (struct sock_filter)RETURN(
		SECCOMP_RET_KILL_PROCESS);
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) < 0 ? -errno : 0;
}

/* ---------------------------------------------------------------------------------------------- */

int rsp_sandbox_enter(size_t memory_bytes, size_t file_bytes)
{
	int r = become_nobody();

	if (r == 0)
		r = drop_capabilities();
	if (r == 0)
		r = limit_resources(memory_bytes, file_bytes);
	if (r < 0)
		return r;
	/* Becoming somebody else has cleared the first, and would have been in the second's way. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return -errno;
	return forbid_the_rest();
}
