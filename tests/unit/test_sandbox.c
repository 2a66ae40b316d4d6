/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the sandbox. Each test enters the sandbox in a child process, which writes its results to
 * shared memory. Forbidden system calls must fail without effect, and be reported once each.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/sandbox/sandbox.h"

#define MEMORY_BYTES (256UL << 20)
#define FILE_BYTES   (1UL << 20)
#define RESULT_MAX   64
#define UNASSIGNED   999 /* no kernel knows this number */

static struct shared {
	int enter_error;
	bool finished;
	long results[RESULT_MAX];
	size_t result_cnt;
	int reported[RESULT_MAX];
	size_t reported_cnt;
	volatile bool ran; /* set by code that a forbidden call would execute */
} * shared;

static void on_forbidden(int nr, void *userdata)
{
	struct shared *to = userdata;

	if (to->reported_cnt < RESULT_MAX)
		to->reported[to->reported_cnt++] = nr;
}

/* Stores the result of a system call that returned r: 0, or errno if r is -1. */
static void note(long r)
{
	if (shared->result_cnt < RESULT_MAX)
		shared->results[shared->result_cnt++] = r == -1 ? errno : 0;
}

/* Unless it is NULL, the child process calls this before it enters the sandbox. */
static void (*prepare)(void);

static int in_sandbox(void (*body)(void))
{
	int status;
	pid_t pid;

	memset(shared, 0, sizeof(*shared));
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (prepare)
			prepare();
		shared->enter_error = rsp_sandbox_enter(MEMORY_BYTES, FILE_BYTES, on_forbidden,
							shared);
		if (shared->enter_error == 0) {
			body();
			shared->finished = true;
		}
		_exit(EXIT_SUCCESS);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(shared->enter_error, 0);
	return status;
}

static void assert_results(size_t cnt, int error)
{
	assert_true(shared->finished);
	assert_int_equal(shared->result_cnt, cnt);
	for (size_t i = 0; i < cnt; i++)
		if (shared->results[i] != error)
			fail_msg("call %zu: errno %ld, not %d", i, shared->results[i], error);
}

static bool was_reported(int nr)
{
	size_t cnt = 0;

	for (size_t i = 0; i < shared->reported_cnt; i++)
		cnt += shared->reported[i] == nr;
	assert_true(cnt <= 1);
	return cnt == 1;
}

/* --- forbidden ------------------------------------------------------------------------------- */

static void call_unknown(void)
{
	note(syscall(UNASSIGNED));
	note(syscall(SYS_times, NULL));
	note(syscall(UNASSIGNED));
	note(syscall(SYS_times, NULL));
}

static void test_an_unknown_call_fails_and_is_reported_once(void **state)
{
	assert_int_equal(in_sandbox(call_unknown), 0);
	assert_results(4, ENOSYS);
	assert_int_equal(shared->reported_cnt, 2);
	assert_int_equal(shared->reported[0], UNASSIGNED);
	assert_int_equal(shared->reported[1], SYS_times);
}

/* Numbers of system calls from RSP_SANDBOX_NR_MAX on share one entry, so they are reported once. */
static void call_large_numbers(void)
{
	note(syscall(RSP_SANDBOX_NR_MAX));
	note(syscall(RSP_SANDBOX_NR_MAX + 1));
	note(syscall(0x3ffffffe));
}

static void test_large_numbers_fail(void **state)
{
	assert_int_equal(in_sandbox(call_large_numbers), 0);
	assert_results(3, ENOSYS);
	assert_int_equal(shared->reported_cnt, 1);
	assert_int_equal(shared->reported[0], RSP_SANDBOX_NR_MAX);
}

static char victim[] = "/tmp/rsp-test-sandbox-XXXXXX";

static void open_and_change_files(void)
{
	note(open("/dev/null", O_RDONLY));
	note(syscall(SYS_open, "/dev/null", O_RDONLY));
	note(open(victim, O_WRONLY | O_TRUNC));
	note(unlink(victim));
	note(chmod(victim, 0));
	note(truncate(victim, 0));
	note(fchmod(STDIN_FILENO, 0));
	note(fcntl(STDIN_FILENO, F_SETFL, O_APPEND));
	note(ioctl(STDIN_FILENO, TIOCSTI, ""));
}

static void test_files_are_neither_opened_nor_changed(void **state)
{
	int fd = mkstemp(victim);
	struct stat st;

	assert_true(fd >= 0);
	/* any user may write to the file now, so only the sandbox protects it */
	assert_int_equal(fchmod(fd, 0666), 0);
	assert_int_equal(write(fd, "here", 4), 4);
	assert_int_equal(in_sandbox(open_and_change_files), 0);
	assert_results(9, ENOSYS);
	assert_true(was_reported(SYS_openat));
	assert_true(was_reported(SYS_open));
	assert_true(was_reported(SYS_fcntl));
	assert_true(was_reported(SYS_ioctl));
	assert_int_equal(stat(victim, &st), 0);
	assert_int_equal(st.st_size, 4);
	assert_int_equal(st.st_mode & 0777, 0666);
	unlink(victim);
	close(fd);
}

static void *thread(void *arg)
{
	shared->ran = true;
	return NULL;
}

static void make_processes(void)
{
	char *argv[] = {(char *)"sh", (char *)"-c", (char *)"exit 7", NULL};
	pthread_t id;
	pid_t pid = fork();

	note(pid);
	if (pid == 0)
		shared->ran = true;
	note(syscall(SYS_vfork));
	note(syscall(SYS_clone3, NULL, 0));
	note(execve("/bin/sh", argv, NULL));
	/* pthread_create() returns the error. */
	errno = pthread_create(&id, NULL, thread, NULL);
	note(-1);
}

static void test_no_process_is_made(void **state)
{
	assert_int_equal(in_sandbox(make_processes), 0);
	assert_true(shared->finished);
	assert_false(shared->ran);
	assert_int_equal(shared->result_cnt, 5);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(shared->results[i], ENOSYS);
	/* glibc may convert ENOSYS of the forbidden call to another error. */
	assert_true(shared->results[4] != 0);
	assert_true(was_reported(SYS_clone));
	assert_true(was_reported(SYS_execve));
}

static void reach_out(void)
{
	note(socket(AF_UNIX, SOCK_STREAM, 0));
	note(kill(1, 0));
	note(syscall(SYS_setuid, 0));
	note(syscall(SYS_ptrace, 0, 0, 0, 0));
	note(prctl(PR_SET_PDEATHSIG, 0));
	note(setrlimit(RLIMIT_AS, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}));
	note(personality(READ_IMPLIES_EXEC));
	note(syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), SIGKILL));
	note(syscall(SYS_tgkill, 1, 1, SIGABRT));
	note(syscall(SYS_process_vm_writev, 1, NULL, 0, NULL, 0, 0));
}

static void test_nothing_else_is_reached(void **state)
{
	assert_int_equal(in_sandbox(reach_out), 0);
	assert_results(10, ENOSYS);
	assert_true(was_reported(SYS_socket));
	assert_true(was_reported(SYS_prctl));
}

static void make_executable(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return;
	note((long)mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	note((long)mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
			-1, 0));
	note(mprotect(p, 4096, PROT_READ | PROT_EXEC));
	note(syscall(SYS_mprotect, p, 4096, 0xffffffff00000000 | PROT_EXEC));
	note(syscall(SYS_pkey_mprotect, p, 4096, PROT_READ | PROT_EXEC, -1));
}

static void test_memory_is_never_executable(void **state)
{
	assert_int_equal(in_sandbox(make_executable), 0);
	assert_results(5, ENOSYS);
	assert_true(was_reported(SYS_mmap));
	assert_true(was_reported(SYS_mprotect));
}

static void look_where_files_lie(void)
{
	char path[64];

	note(readlink("/proc/self/exe", path, sizeof(path)));
	note(syscall(SYS_getcwd, path, sizeof(path)));
}

static void test_expected_refusals_are_not_reported(void **state)
{
	assert_int_equal(in_sandbox(look_where_files_lie), 0);
	assert_results(2, EACCES);
	assert_int_equal(shared->reported_cnt, 0);
}

static int file; /* opened before the sandbox */

static void look_for_files(void)
{
	struct stat st;

	note(syscall(SYS_newfstatat, AT_FDCWD, "/", &st, 0));
	note(syscall(SYS_newfstatat, AT_FDCWD, "/", &st, AT_SYMLINK_NOFOLLOW));
	note(syscall(SYS_newfstatat, AT_FDCWD, "/", &st, AT_EMPTY_PATH));
	note(syscall(SYS_newfstatat, file, "", &st, 0));
	note(syscall(SYS_newfstatat, file, "", &st, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW));
	note(syscall(SYS_stat, "/", &st));
	note(access("/", F_OK));
}

static void test_no_path_is_looked_at(void **state)
{
	file = memfd_create("test-sandbox", MFD_CLOEXEC);
	assert_true(file >= 0);
	assert_int_equal(in_sandbox(look_for_files), 0);
	close(file);
	assert_results(7, ENOSYS);
	assert_true(was_reported(SYS_newfstatat));
}

static void look_at_open_files(void)
{
	struct stat by_fd, by_path = {0};

	note(syscall(SYS_fstat, file, &by_fd));
	note(syscall(SYS_newfstatat, file, "", &by_path, AT_EMPTY_PATH));
	note(by_fd.st_ino == by_path.st_ino && by_fd.st_dev == by_path.st_dev ? 0 : -1);
}

static void look_at_closed_file(void)
{
	struct stat st;

	note(syscall(SYS_newfstatat, 9999, "", &st, AT_EMPTY_PATH));
}

static void test_open_files_are_looked_at(void **state)
{
	file = memfd_create("test-sandbox", MFD_CLOEXEC);
	assert_true(file >= 0);
	assert_int_equal(in_sandbox(look_at_open_files), 0);
	close(file);
	assert_results(3, 0);
	assert_int_equal(shared->reported_cnt, 0);
	assert_int_equal(in_sandbox(look_at_closed_file), 0);
	assert_results(1, EBADF);
}

#ifdef __x86_64__
/* Makes a system call of i386, in which the number 20 is getpid(). */
static void call_other_architecture(void)
{
	long r;

	__asm__ volatile("int $0x80" : "=a"(r) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
	note(r);
}

static void call_x32(void)
{
	note(syscall(0x40000000 | SYS_getpid));
}

static void test_another_architecture_ends_the_process(void **state)
{
	static void (*const calls[])(void) = {call_other_architecture, call_x32};

	for (size_t i = 0; i < 2; i++) {
		int status = in_sandbox(calls[i]);

		assert_false(shared->finished);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
	}
}
#endif

/* --- signals --------------------------------------------------------------------------------- */

static volatile sig_atomic_t signal_cnt;

static void count_signal(int signal)
{
	signal_cnt++;
}

/* Makes a forbidden call with all signals blocked, as glibc's getrandom() does. */
static void call_with_signals_blocked(void)
{
	sigset_t all, before, now;

	sigfillset(&all);
	note(sigprocmask(SIG_SETMASK, &all, &before));
	note(syscall(SYS_times, NULL) == -1 && errno == ENOSYS ? 0 : -1);
	note(sigprocmask(SIG_SETMASK, NULL, &now));
	note(sigismember(&now, SIGUSR1) && sigismember(&now, SIGPROF) ? 0 : -1);
	note(sigismember(&before, SIGUSR1) ? -1 : 0);
	note(sigprocmask(SIG_SETMASK, &before, NULL));
	note(sigprocmask(SIG_BLOCK, NULL, &now));
	note(sigismember(&now, SIGUSR1) == sigismember(&before, SIGUSR1) ? 0 : -1);
}

static void test_a_call_with_signals_blocked(void **state)
{
	assert_int_equal(in_sandbox(call_with_signals_blocked), 0);
	assert_results(8, 0);
	assert_int_equal(shared->reported_cnt, 1);
	assert_true(was_reported(SYS_times));
}

static void block_one_signal(void)
{
	const struct itimerval soon = {.it_value = {.tv_usec = 1000}};
	struct sigaction action = {.sa_handler = count_signal};
	sigset_t prof, now;
	struct timespec t;

	sigemptyset(&prof);
	sigaddset(&prof, SIGPROF);
	note(sigaction(SIGPROF, &action, NULL));
	note(sigprocmask(SIG_BLOCK, &prof, NULL));
	note(setitimer(ITIMER_PROF, &soon, NULL));
	/* Uses 100 ms of CPU time. The timer expires after 1 ms, but its signal is blocked. */
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec == 0 && t.tv_nsec < 100000000);
	note(signal_cnt == 0 ? 0 : -1);
	note(sigprocmask(SIG_UNBLOCK, &prof, NULL));
	note(signal_cnt == 1 ? 0 : -1);
	note(sigprocmask(SIG_BLOCK, NULL, &now));
	note(sigismember(&now, SIGPROF) ? -1 : 0);
}

static void test_signals_are_blocked_and_delivered(void **state)
{
	assert_int_equal(in_sandbox(block_one_signal), 0);
	assert_results(8, 0);
	assert_int_equal(shared->reported_cnt, 0);
}

static void block_wrongly(void)
{
	uint64_t set = 0;

	note(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &set, NULL, 4));
	note(syscall(SYS_rt_sigprocmask, 77, &set, NULL, 8));
}

static void test_wrong_masks_are_refused(void **state)
{
	assert_int_equal(in_sandbox(block_wrongly), 0);
	assert_results(2, EINVAL);
}

static void take_sigsys(void)
{
	struct sigaction action = {.sa_handler = SIG_IGN};

	note(sigaction(SIGSYS, &action, NULL));
	note(syscall(SYS_times, NULL));
}

static void test_the_handler_stays(void **state)
{
	assert_int_equal(in_sandbox(take_sigsys), 0);
	assert_results(2, ENOSYS);
}

static void test_sigsys_is_unblocked(void **state)
{
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	assert_int_equal(in_sandbox(call_unknown), 0);
	sigprocmask(SIG_SETMASK, &before, NULL);
	assert_results(4, ENOSYS);
}

/*
 * Makes seccomp() fail, as in some containers. Does not use libseccomp, which would remember the
 * results of seccomp() from before.
 */
static void refuse_seccomp(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.filter = filter, .len = sizeof(filter) / sizeof(filter[0])};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) < 0 ||
	    syscall(SYS_seccomp, 0, 1, NULL) != -1 || errno != EPERM)
		_exit(EXIT_FAILURE);
}

static void test_without_the_seccomp_call(void **state)
{
	prepare = refuse_seccomp;
	assert_int_equal(in_sandbox(call_unknown), 0);
	prepare = NULL;
	assert_results(4, ENOSYS);
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		_exit(EXIT_FAILURE);
	close(fd);
}

/*
 * Maps only root in pid's user namespace. Only a process outside of the namespace may write these
 * maps.
 */
static _Noreturn void map_root_alone(pid_t pid, const int go[2])
{
	char path[64], byte;

	close(go[1]);
	if (read(go[0], &byte, 1) < 0)
		_exit(EXIT_FAILURE);
	snprintf(path, sizeof(path), "/proc/%d/uid_map", (int)pid);
	put(path, "0 0 1");
	snprintf(path, sizeof(path), "/proc/%d/gid_map", (int)pid);
	put(path, "0 0 1");
	_exit(EXIT_SUCCESS);
}

/*
 * Enters a user namespace that maps only root, as some containers do. The user nobody does not
 * exist there.
 */
static void be_alone(void)
{
	pid_t self = getpid(), helper;
	int go[2], status;

	if (pipe(go) < 0)
		_exit(EXIT_FAILURE);
	helper = fork();
	if (helper == 0)
		map_root_alone(self, go);
	if (helper < 0 || unshare(CLONE_NEWUSER) < 0)
		_exit(EXIT_FAILURE);
	close(go[0]);
	close(go[1]);
	if (waitpid(helper, &status, 0) != helper || status != 0)
		_exit(EXIT_FAILURE);
}

/* Returns whether be_alone() works here: it needs root, and the system may forbid it. */
static bool can_be_alone(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		be_alone();
		_exit(EXIT_SUCCESS);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static void test_without_nobody(void **state)
{
	if (geteuid() != 0 || !can_be_alone())
		skip();
	prepare = be_alone;
	assert_int_equal(in_sandbox(call_unknown), 0);
	prepare = NULL;
	assert_results(4, ENOSYS);
}

static void call_abort(void)
{
	abort();
}

static void test_abort(void **state)
{
	int status = in_sandbox(call_abort);

	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	assert_int_equal(shared->reported_cnt, 0);
}

/* --- allowed --------------------------------------------------------------------------------- */

static void do_what_is_allowed(void)
{
	char *large = malloc(32 << 20);
	struct sigaction action;
	struct timespec ts;
	sigset_t mask;
	struct stat st;
	cpu_set_t cpus;
	char byte;

	note(large ? 0 : -1);
	if (large)
		memset(large, 1, 32 << 20);
	free(large);
	note(mprotect(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096,
		      PROT_READ | PROT_WRITE));
	note(write(file, "x", 1));
	note(pread(file, &byte, 1, 0));
	note(lseek(file, 0, SEEK_SET));
	note(read(file, &byte, 1));
	note(fstat(file, &st));
	note(ftruncate(file, 0));
	note(fcntl(file, F_GETFD));
	note(isatty(file) || errno != ENOTTY ? -1 : 0);
	note(sched_getaffinity(0, sizeof(cpus), &cpus));
	note(sysconf(_SC_PHYS_PAGES) > 0 ? 0 : -1);
	note(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &ts));
	note(syscall(SYS_time, NULL));
	note(syscall(SYS_getrandom, &byte, 1, 0));
	note(syscall(SYS_futex, &file, 1 /* FUTEX_WAKE */, 1, NULL, NULL, 0));
	note(syscall(SYS_getpid));
	note(syscall(SYS_gettid));
	note(sched_yield());
	note(sigaction(SIGABRT, NULL, &action));
	note(sigprocmask(SIG_BLOCK, NULL, &mask));
	note(close(file));
}

static void test_allowed_calls_work(void **state)
{
	file = memfd_create("test-sandbox", MFD_CLOEXEC);
	assert_true(file >= 0);
	assert_int_equal(in_sandbox(do_what_is_allowed), 0);
	close(file);
	assert_results(22, 0);
	assert_int_equal(shared->reported_cnt, 0);
}

/* --- limits ---------------------------------------------------------------------------------- */

static void take_memory(void)
{
	note((long)mmap(NULL, MEMORY_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

static void test_memory_is_bounded(void **state)
{
#ifdef __SANITIZE_ADDRESS__
	/* no limit on memory, because AddressSanitizer reserves terabytes of address space */
	skip();
#endif
	assert_int_equal(in_sandbox(take_memory), 0);
	assert_results(1, ENOMEM);
}

static void write_much(void)
{
	static const char zeroes[FILE_BYTES];

	note(write(file, zeroes, sizeof(zeroes)));
	note(write(file, zeroes, 1));
}

static void test_files_are_bounded(void **state)
{
	struct stat st;
	int status;

	file = memfd_create("test-sandbox", MFD_CLOEXEC);
	assert_true(file >= 0);
	status = in_sandbox(write_much);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
	assert_int_equal(fstat(file, &st), 0);
	assert_int_equal(st.st_size, FILE_BYTES);
	close(file);
}

static void spin(void)
{
	static volatile bool forever = true;

	rsp_sandbox_limit_cpu(1);
	while (forever)
		;
}

static void test_cpu_time_is_bounded(void **state)
{
	int status = in_sandbox(spin);

	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_unknown_call_fails_and_is_reported_once),
		cmocka_unit_test(test_large_numbers_fail),
		cmocka_unit_test(test_files_are_neither_opened_nor_changed),
		cmocka_unit_test(test_no_process_is_made),
		cmocka_unit_test(test_nothing_else_is_reached),
		cmocka_unit_test(test_memory_is_never_executable),
		cmocka_unit_test(test_expected_refusals_are_not_reported),
		cmocka_unit_test(test_no_path_is_looked_at),
		cmocka_unit_test(test_open_files_are_looked_at),
#ifdef __x86_64__
		cmocka_unit_test(test_another_architecture_ends_the_process),
#endif
		cmocka_unit_test(test_a_call_with_signals_blocked),
		cmocka_unit_test(test_signals_are_blocked_and_delivered),
		cmocka_unit_test(test_wrong_masks_are_refused),
		cmocka_unit_test(test_the_handler_stays),
		cmocka_unit_test(test_sigsys_is_unblocked),
		cmocka_unit_test(test_without_the_seccomp_call),
		cmocka_unit_test(test_without_nobody),
		cmocka_unit_test(test_abort),
		cmocka_unit_test(test_allowed_calls_work),
		cmocka_unit_test(test_memory_is_bounded),
		cmocka_unit_test(test_files_are_bounded),
		cmocka_unit_test(test_cpu_time_is_bounded),
	};

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		return EXIT_FAILURE;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
