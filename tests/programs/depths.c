// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * depths CASE: main() calls outer(), which calls middle(), which calls innermost(). innermost()
 * sleeps a hundred times, and computes. In most cases it is hard to unwind the stack from
 * innermost() to its callers:
 *
 *	plain		ordinary calls; the easy case
 *	signal		middle() raises a signal, and the signal handler calls innermost()
 *	altstack	like signal, but the handler runs on an alternate signal stack
 *	timer		middle() calls await_ticks(), which a timer signal interrupts a hundred
 *			times; the signal handler sleeps
 *	thread		a second thread calls outer()
 *	fork		middle() calls in_child(), whose child process calls innermost()
 *	vfork		a child calls innermost() on the stack of its parent, which waits in vfork()
 *	jit		middle() calls code made at run time, with frame pointers
 *	recursive	middle() calls descend(), which calls itself four times
 *	deleted		the program has removed its own file
 *	memfd		the program's file is in no directory
 *
 * Prints `task TID` for each thread that calls innermost(), `pid N` with the PID of the process
 * that runs main(), and then `done`.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

#include "tests/programs/program.h"

#define SLEEPS 100

typedef void (*function)(void);

/*
 * innermost() and its callers add to this after the call that matters, so the compiler makes no
 * tail call, which would hide the caller from the stack.
 */
static volatile unsigned int calls;

static __attribute__((noinline)) void innermost(void)
{
	const struct timespec pause = {.tv_nsec = 1000000};

	dprintf(STDOUT_FILENO, "task %d\n", (int)gettid());
	for (int i = 0; i < SLEEPS; i++)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	program_work(50000);
	calls++;
}

static __attribute__((noinline)) void middle(function call)
{
	call();
	calls++;
}

static __attribute__((noinline)) void descend(void)
{
	static unsigned int depth;

	if (++depth < 5)
		descend();
	else
		innermost();
	calls++;
}

static __attribute__((noinline)) void outer(function call)
{
	middle(call);
	calls++;
}

/* --- signals --------------------------------------------------------------------------------- */

static void handler(int sig)
{
	innermost();
	calls++;
}

static void handle(int sig, int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	if (sigaction(sig, &action, NULL))
		err(1, "sigaction");
}

static void raise_signal(void)
{
	raise(SIGUSR1);
	calls++;
}

static void use_altstack(void)
{
	stack_t stack = {.ss_size = 1 << 16};

	stack.ss_sp = malloc(stack.ss_size);
	if (!stack.ss_sp || sigaltstack(&stack, NULL))
		err(1, "sigaltstack");
}

static volatile sig_atomic_t ticks;

static void tick(int sig)
{
	const struct timespec pause = {.tv_nsec = 100000};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	ticks++;
}

static void await_ticks(void)
{
	static volatile unsigned int spin;
	struct sigaction action = {.sa_handler = tick};
	struct itimerval often = {.it_interval.tv_usec = 2000, .it_value.tv_usec = 2000};

	if (sigaction(SIGALRM, &action, NULL) || setitimer(ITIMER_REAL, &often, NULL))
		err(1, "setitimer");
	while (ticks < SLEEPS)
		spin = spin + calls * ticks;
	memset(&often, 0, sizeof(often));
	setitimer(ITIMER_REAL, &often, NULL);
}

/* --- processes, threads and programs --------------------------------------------------------- */

static void *run_thread(void *arg)
{
	outer(innermost);
	return arg;
}

static void in_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run_thread, NULL) || pthread_join(thread, NULL))
		errx(1, "no thread");
}

static void in_child(void)
{
	pid_t pid = program_fork();

	if (pid == 0) {
		innermost();
		_exit(0);
	}
	program_join(pid);
}

static void in_vfork_child(void)
{
	pid_t pid = vfork();

	if (pid < 0)
		err(1, "vfork");
	if (pid == 0) {
		innermost();
		_exit(0);
	}
	program_join(pid);
}

/* Copies this program to a memfd, which has no path, and executes the copy. */
static void become_nameless(void)
{
	char *const argv[] = {"depths", "plain", NULL}, *const none[] = {NULL};
	char buf[1 << 16];
	ssize_t len;
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = memfd_create("nameless", MFD_CLOEXEC);

	if (from < 0 || to < 0)
		err(1, "memfd");
	while ((len = read(from, buf, sizeof(buf))) > 0)
		if (write(to, buf, (size_t)len) != len)
			err(1, "write");
	fexecve(to, argv, none);
	err(1, "fexecve");
}

/* --- code made at run time ------------------------------------------------------------------- */

/* push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret */
static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};

static void write_perf_map(const void *function_at)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	f = fopen(path, "wx");
	if (!f ||
	    fprintf(f, "%lx %zx made_at_run_time\n", (unsigned long)function_at, sizeof(code)) <
		    0 ||
	    fclose(f))
		err(1, "%s", path);
}

static void in_jit(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		err(1, "mmap");
	memcpy(page, code, sizeof(code));
	if (mprotect(page, 4096, PROT_READ | PROT_EXEC))
		err(1, "mprotect");
	write_perf_map(page);
	((void (*)(function))(uintptr_t)page)(innermost);
	calls++;
}

int main(int argc, char **argv)
{
	const char *how = argc == 2 ? argv[1] : "";
	function call = innermost;

	if (!strcmp(how, "signal")) {
		handle(SIGUSR1, 0);
		call = raise_signal;
	} else if (!strcmp(how, "altstack")) {
		use_altstack();
		handle(SIGUSR1, SA_ONSTACK);
		call = raise_signal;
	} else if (!strcmp(how, "timer")) {
		call = await_ticks;
	} else if (!strcmp(how, "fork")) {
		call = in_child;
	} else if (!strcmp(how, "vfork")) {
		call = in_vfork_child;
	} else if (!strcmp(how, "jit")) {
		call = in_jit;
	} else if (!strcmp(how, "recursive")) {
		call = descend;
	} else if (!strcmp(how, "deleted")) {
		if (unlink(argv[0]))
			err(1, "%s", argv[0]);
	} else if (!strcmp(how, "memfd")) {
		become_nameless();
	} else if (strcmp(how, "plain") && strcmp(how, "thread")) {
		errx(1, "no case '%s'", how);
	}
	printf("pid %d\n", (int)getpid());
	fflush(stdout);
	if (strcmp(how, "thread"))
		outer(call);
	else
		in_thread();
	puts("done");
	return 0;
}
