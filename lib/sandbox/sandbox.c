/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See sandbox.h. */
#include "lib/sandbox/sandbox.h"

#include <asm/ioctls.h>
#include <asm/termbits.h> /* TCGETS2 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#define NOBODY 65534

/*
 * Enough for the standard files, the worker's socket, the files of a request, files that arrived
 * too early, and one binary with all its debug files.
 */
#define OPEN_FILES_MAX 24

/* --- identity --------------------------------------------------------------------------------- */

/*
 * Root becomes nobody. This may fail, because a service may lack the right (EPERM), or a container
 * may lack the user nobody (EINVAL). Any other user keeps its identity, and gets its own user
 * namespace if possible.
 */
static int become_nobody(void)
{
	if (geteuid() != 0) {
		unshare(CLONE_NEWUSER);
		return 0;
	}
	if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
	    setresuid(NOBODY, NOBODY, NOBODY) < 0)
		return errno == EPERM || errno == EINVAL ? 0 : -errno;
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

int rsp_sandbox_become_nobody(void)
{
	int r = become_nobody();

	return r < 0 ? r : drop_capabilities();
}

/* --- resources -------------------------------------------------------------------------------- */

/* The hard limit stays if it is already lower. The soft limit becomes the hard limit. */
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
 * The priority stays. Until the unwind table of a binary is loaded, stacks in this binary are
 * incomplete. On a busy machine, a process with low priority would make the table too late.
 */
static int limit_resources(size_t memory_bytes, size_t file_bytes)
{
	int r = 0;

#ifndef __SANITIZE_ADDRESS__ /* AddressSanitizer reserves terabytes */
	r = limit(RLIMIT_AS, memory_bytes);
	if (r == 0)
		/* the soft limit of the recorder is lower, so this raises it */
		r = limit(RLIMIT_DATA, memory_bytes);
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

/* --- forbidden system calls ------------------------------------------------------------------- */

/*
 * The filter stops a forbidden call before it begins, and raises SIGSYS. The handler makes the call
 * fail with ENOSYS, because libraries expect this error on older kernels.
 *
 * The process survives a forbidden call. An attacker who controls the process gains nothing from
 * this, because the call does nothing. A hostile process can disable the timer of
 * rsp_sandbox_limit_cpu(), but its parent can always kill it. If the parent ends, the kernel kills
 * the process, because prctl() is forbidden.
 */

/* The registers of the system call, as the kernel saved them when it raised SIGSYS. */
#if defined(__x86_64__)
enum { REG_ARG0 = REG_RDI, REG_ARG1 = REG_RSI, REG_ARG2 = REG_RDX, REG_ARG3 = REG_R10 };
#define REGISTER(context, reg) ((context)->uc_mcontext.gregs[reg])
#define RESULT(context)	       REGISTER(context, REG_RAX)
#else
#error "which registers hold arguments and result of a system call? See syscall(2)."
#endif

/* glibc's <signal.h> lacks this si_code, and the kernel's header conflicts with glibc's. */
#ifndef SYS_SECCOMP
#define SYS_SECCOMP 1
#endif

/* The kernel's mask of signals has 64 bits; glibc's sigset_t has more. */
typedef uint64_t kernel_sigset;

static rsp_sandbox_fn *on_forbidden;
static void *on_forbidden_userdata;
static uint64_t noticed[RSP_SANDBOX_NR_MAX / 64];

static void notice(int nr)
{
	unsigned int i = (unsigned int)nr < RSP_SANDBOX_NR_MAX ? (unsigned int)nr
							       : RSP_SANDBOX_NR_MAX - 1;
	uint64_t bit = 1ULL << i % 64;

	/* Set the bit first, because the callback may itself make a forbidden call. */
	if (noticed[i / 64] & bit)
		return;
	noticed[i / 64] |= bit;
	if (on_forbidden)
		on_forbidden(nr, on_forbidden_userdata);
}

/*
 * Emulates rt_sigprocmask(), and keeps SIGSYS unblocked: if SIGSYS were blocked, the next forbidden
 * call would kill the process. Some functions of glibc block all signals: getrandom() since 2.41,
 * abort(), fork().
 */
static long change_signal_mask(ucontext_t *context)
{
	const kernel_sigset *set = (const kernel_sigset *)REGISTER(context, REG_ARG1);
	kernel_sigset *old_set = (kernel_sigset *)REGISTER(context, REG_ARG2);
	kernel_sigset old, change, mask;

	if (REGISTER(context, REG_ARG3) != sizeof(mask))
		return -EINVAL;
	memcpy(&old, &context->uc_sigmask, sizeof(old));
	mask = old;
	if (set) {
		memcpy(&change, set, sizeof(change));
		switch ((int)REGISTER(context, REG_ARG0)) {
		case SIG_BLOCK:
			mask |= change;
			break;
		case SIG_UNBLOCK:
			mask &= ~change;
			break;
		case SIG_SETMASK:
			mask = change;
			break;
		default:
			return -EINVAL;
		}
	}
	mask &= ~(1ULL << (SIGSYS - 1));
	memcpy(&context->uc_sigmask, &mask, sizeof(mask));
	if (old_set)
		memcpy(old_set, &old, sizeof(old));
	return 0;
}

/*
 * glibc implements fstat() with newfstatat(). The filter cannot read the path. AT_EMPTY_PATH alone
 * is not sufficient: the kernel uses the path unless it is empty.
 */
static bool is_fstat(const ucontext_t *context)
{
	const char *path = (const char *)REGISTER(context, REG_ARG1);

	return (int)REGISTER(context, REG_ARG3) == AT_EMPTY_PATH && path && !*path;
}

static long do_fstat(const ucontext_t *context)
{
	long r = syscall(SYS_fstat, (int)REGISTER(context, REG_ARG0),
			 (void *)REGISTER(context, REG_ARG2));

	return r < 0 ? -errno : r;
}

static void on_sigsys(int signal, siginfo_t *info, void *userdata)
{
	ucontext_t *context = userdata;
	int saved_errno = errno;

	if (info->si_code != SYS_SECCOMP) /* another process sent this signal */
		return;
	if (info->si_syscall == SYS_rt_sigprocmask) {
		RESULT(context) = change_signal_mask(context);
	} else if (info->si_syscall == SYS_newfstatat && is_fstat(context)) {
		RESULT(context) = do_fstat(context);
	} else {
		notice(info->si_syscall);
		RESULT(context) = -ENOSYS;
	}
	errno = saved_errno;
}

static int catch_forbidden(void)
{
	/* Without SA_NODEFER, a forbidden call within the handler would kill the process. */
	const struct sigaction action = {.sa_sigaction = on_sigsys,
					 .sa_flags = SA_SIGINFO | SA_NODEFER};
	sigset_t sigsys;

	sigemptyset(&sigsys);
	sigaddset(&sigsys, SIGSYS);
	if (sigaction(SIGSYS, &action, NULL) < 0 || sigprocmask(SIG_UNBLOCK, &sigsys, NULL) < 0)
		return -errno;
	return 0;
}

/* --- allowed system calls --------------------------------------------------------------------- */

struct rule {
	int nr;
	uint32_t action;
	unsigned int arg_cnt;
	struct scmp_arg_cmp args[2];
};

/* Most arguments are ints, and the kernel ignores their upper half, which may have any value. */
#define ARG(n, mask, value)                                                                        \
	{                                                                                          \
		n, SCMP_CMP_MASKED_EQ, mask, value                                                 \
	}
#define ARG_IS(n, value) ARG(n, UINT32_MAX, (uint32_t)(value))

#define ALLOW(name)                                                                                \
	{                                                                                          \
		.nr = SCMP_SYS(name), .action = SCMP_ACT_ALLOW                                     \
	}
#define ALLOW_IF(name, ...)                                                                        \
	{                                                                                          \
		.nr = SCMP_SYS(name), .action = SCMP_ACT_ALLOW, .arg_cnt = 1, .args = {            \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}
/* The call fails with EACCES, without a report. Libraries work without it. */
#define REFUSE(name)                                                                               \
	{                                                                                          \
		.nr = SCMP_SYS(name), .action = SCMP_ACT_ERRNO(EACCES)                             \
	}

/*
 * The allowed system calls cannot open a file, cannot create a process, a socket or executable
 * memory, and cannot change a limit. on_sigsys() executes the allowed cases of rt_sigprocmask and
 * newfstatat.
 */
static const struct rule rules[] = {
	/* Memory that is not executable. malloc() grows its arenas with mprotect(). */
	ALLOW_IF(mmap, ARG(2, PROT_EXEC, 0)),
	ALLOW_IF(mprotect, ARG(2, PROT_EXEC, 0)),
	ALLOW(brk),
	ALLOW(munmap),
	ALLOW(mremap),
	ALLOW(madvise),
	/* Open files. */
	ALLOW(recvmsg),
	ALLOW(sendmsg),
	ALLOW(read),
	ALLOW(pread64),
	ALLOW(write),
	ALLOW(writev), /* glibc uses it to write the reason of an abort() */
	ALLOW(lseek),
	ALLOW(ftruncate), /* for a snapshot to which rspctl adds names */
	ALLOW(fstat),
	ALLOW(close),
	ALLOW_IF(fcntl, ARG_IS(1, F_GETFD)), /* libelf tests whether a file is open */
	ALLOW_IF(ioctl, ARG_IS(1, TCGETS)),  /* stdio tests whether a file is a terminal */
	ALLOW_IF(ioctl, ARG_IS(1, TCGETS2)), /* as TCGETS, since glibc 2.43 */
	/* Properties of the machine. */
	ALLOW(sysinfo),				   /* glibc's qsort() reads the size of memory */
	ALLOW_IF(sched_getaffinity, ARG_IS(0, 0)), /* glibc counts CPUs */
	ALLOW(getrandom),			   /* json-c seeds its hash tables */
	/* The clock: on some machines, reading it takes a system call. */
	ALLOW(clock_gettime),
	ALLOW(gettimeofday),
	ALLOW(time),
	/* Locks, and the signals that abort() and AddressSanitizer use. */
	ALLOW(futex),
	/* the kernel uses it to continue a futex call after SIGSTOP and SIGCONT */
	ALLOW(restart_syscall),
	ALLOW(sched_yield),
	ALLOW(getpid),
	ALLOW(gettid),
	ALLOW(sigaltstack),
	/* the handler of SIGSYS must not change */
	ALLOW_IF(rt_sigaction, {0, SCMP_CMP_NE, SIGSYS}),
	ALLOW(rt_sigreturn),
	ALLOW(setitimer),
	ALLOW(exit_group),
	/* libdw calls these to find the path of the file. */
	REFUSE(readlink),
	REFUSE(readlinkat),
	REFUSE(getcwd),
};

static int add_rule(scmp_filter_ctx filter, const struct rule *rule)
{
	return seccomp_rule_add_array(filter, rule->action, rule->nr, rule->arg_cnt, rule->args);
}

static int add_rules(scmp_filter_ctx filter)
{
	const struct rule abort_self = {
		SCMP_SYS(tgkill), SCMP_ACT_ALLOW, 2, {ARG_IS(0, getpid()), ARG_IS(2, SIGABRT)}};
	int r = add_rule(filter, &abort_self);

	for (size_t i = 0; r == 0 && i < sizeof(rules) / sizeof(rules[0]); i++)
		r = add_rule(filter, &rules[i]);
	return r;
}

static int forbid_the_rest(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_TRAP);
	int r;

	if (!filter)
		return -ENOMEM;
	/*
	 * A call of another architecture has other numbers, so the filter could allow the wrong
	 * call. KILL_THREAD kills the process, because it has one thread. KILL_PROCESS is not
	 * always available: if seccomp() is forbidden, as in some containers, libseccomp uses
	 * prctl() instead.
	 */
	r = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_THREAD);
	/* If seccomp_load() fails, it must return the kernel's error, not always -ECANCELED. */
	if (r == 0)
		r = seccomp_attr_set(filter, SCMP_FLTATR_API_SYSRAWRC, 1);
	if (r == 0)
		r = add_rules(filter);
	if (r == 0)
		r = seccomp_load(filter);
	seccomp_release(filter);
	return r;
}

/* ---------------------------------------------------------------------------------------------- */

int rsp_sandbox_enter(size_t memory_bytes, size_t file_bytes, rsp_sandbox_fn *forbidden,
		      void *userdata)
{
	int r = rsp_sandbox_become_nobody();

	if (r == 0)
		r = limit_resources(memory_bytes, file_bytes);
	if (r < 0)
		return r;
	/*
	 * The change of identity must come first: it clears PR_SET_PDEATHSIG, and would fail after
	 * PR_SET_DUMPABLE.
	 */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return -errno;
	on_forbidden = forbidden;
	on_forbidden_userdata = userdata;
	r = catch_forbidden();
	return r < 0 ? r : forbid_the_rest();
}
