/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allocate MODE: uses memory in known amounts, in functions of its own.
 *
 *	heap     calls each allocation function of the C library, and frees some of the blocks
 *	pages    maps and touches pages and grows the heap, and touches pages in a child process
 *	children executes this program with mode probed in two child processes
 *	probed   waits until free() begins with a breakpoint (a uprobe), then works like heap
 *	unprobed succeeds if free() does not begin with a breakpoint
 *	forget   allocates 64 bytes, and executes itself with mode heap
 *	churn    allocates and frees a block 100,000 times
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/programs/program.h"

#define INT3	   0xcc
#define DEADLINE_S 20

#define NOINLINE __attribute__((noinline, noclone))

static void *volatile sink[64];

/* take() returns a value and its callers add it up, so the compiler makes no tail calls. */
NOINLINE static int take(void *block)
{
	static unsigned int at;

	if (!block)
		abort();
	sink[at++ % 64] = block;
	return 1;
}

NOINLINE static int by_malloc(void)
{
	int cnt = 0;

	for (int i = 0; i < 10; i++) {
		void *block = malloc(100);

		cnt += take(block);
		if (i < 7)
			free(block);
	}
	return cnt;
}

NOINLINE static int by_calloc(void)
{
	return take(calloc(7, 100)) + 1;
}

NOINLINE static int by_realloc(void)
{
	void *block = realloc(NULL, 10);

	block = realloc(block, 5000);
	return take(realloc(block, 20000)) + 1;
}

/* 3 aligned blocks of 256 bytes. The block of posix_memalign() is not freed. */
NOINLINE static int by_alignment(void)
{
	void *block = NULL, *first = memalign(64, 256), *second = aligned_alloc(64, 256);
	int cnt = take(first) + take(second);

	if (posix_memalign(&block, 4096, 256) != 0)
		abort();
	free(first);
	free(second);
	return cnt + take(block);
}

/* Another thread frees one of the two blocks; the other block is not freed. */
NOINLINE static void *in_thread(void *argument)
{
	void *mine = malloc(1111), *given = malloc(1111);

	free(argument);
	take(mine);
	return given;
}

NOINLINE static int by_threads(void)
{
	pthread_t thread;
	void *given;

	if (pthread_create(&thread, NULL, in_thread, malloc(2222)) != 0)
		abort();
	pthread_join(thread, &given);
	free(given);
	return 1;
}

/* realloc() fails. The old block of 50 bytes stays, and is not freed. */
NOINLINE static int by_failure(void)
{
	volatile size_t huge = (size_t)-1 / 4;
	void *block = malloc(50);

	if (realloc(block, huge) != NULL)
		abort();
	return take(block) + 1;
}

static int use_heap(void)
{
	return by_malloc() + by_calloc() + by_realloc() + by_alignment() + by_threads() +
	       by_failure();
}

NOINLINE static int churn(void)
{
	int cnt = 0;

	for (int i = 0; i < 100000; i++) {
		void *block = malloc(100);

		cnt += take(block);
		free(block);
	}
	return cnt;
}

NOINLINE static char *map_pages(size_t cnt)
{
	char *at = mmap(NULL, cnt * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);

	if (at == MAP_FAILED || madvise(at, cnt * 4096, MADV_NOHUGEPAGE) < 0)
		abort();
	return at;
}

NOINLINE static void touch_pages(char *at, size_t cnt)
{
	for (size_t i = 0; i < cnt; i++)
		((volatile char *)at)[i * 4096] = 1;
}

/* read() into the memory makes the kernel touch the pages. */
NOINLINE static int read_into(char *at, size_t len)
{
	FILE *f = fopen("/dev/zero", "re");
	ssize_t n = f ? read(fileno(f), at, len) : -1;

	if (n != (ssize_t)len)
		abort();
	return fclose(f);
}

NOINLINE static int grow_heap(size_t bytes)
{
	return sbrk((intptr_t)bytes) == (void *)-1;
}

static int use_pages(void)
{
	int status = 0;

	touch_pages(map_pages(1000), 1000);
	read_into(map_pages(200), 200UL * 4096);
	if (grow_heap(123456))
		return EXIT_FAILURE;
	if (fork() == 0) {
		touch_pages(map_pages(500), 500);
		_exit(EXIT_SUCCESS);
	}
	wait(&status);
	return WEXITSTATUS(status);
}

static int use_children(char **argv)
{
	char mode[] = "probed", *probed[] = {argv[0], mode, NULL};
	int status, bad = 0;

	for (int i = 0; i < 2; i++) {
		if (fork())
			continue;
		execv("/proc/self/exe", probed);
		_exit(EXIT_FAILURE);
	}
	while (wait(&status) > 0)
		bad |= status;
	return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* The recorder probes free() last. */
static bool has_breakpoint(void)
{
	const volatile unsigned char *code;
	void (*function)(void *) = free;

	memcpy(&code, &function, sizeof(code));
	return *code == INT3;
}

static bool await_breakpoint(void)
{
	time_t begin = time(NULL);

	while (!has_breakpoint())
		if (time(NULL) - begin > DEADLINE_S || sched_yield() < 0)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	char heap[] = "heap", *again[] = {argv[0], heap, NULL};

	if (!strcmp(mode, "heap"))
		return use_heap() ? EXIT_SUCCESS : EXIT_FAILURE;
	if (!strcmp(mode, "churn"))
		return churn() > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
	if (!strcmp(mode, "pages"))
		return use_pages();
	if (!strcmp(mode, "children"))
		return use_children(argv);
	if (!strcmp(mode, "probed"))
		return await_breakpoint() && use_heap() ? EXIT_SUCCESS : EXIT_FAILURE;
	if (!strcmp(mode, "unprobed"))
		return has_breakpoint() ? EXIT_FAILURE : EXIT_SUCCESS;
	if (!strcmp(mode, "forget")) {
		take(malloc(64));
		execv("/proc/self/exe", again);
	}
	fprintf(stderr, "allocate heap|pages|children|probed|unprobed|forget|churn\n");
	return EXIT_FAILURE;
}
