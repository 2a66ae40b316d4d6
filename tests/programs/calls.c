// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * calls [quick|deep|jump|exit] [MS]: calls called(), which sleeps for MS (1) milliseconds:
 *
 *	quick	calls called() 20 times
 *	deep	calls called() once; called() calls itself 4 levels deep
 *	jump	calls called() 3 times; each time, it calls itself 4 levels deep, and the deepest
 *		call leaves all levels with longjmp(). Then calls called() once without recursion.
 *	exit	calls called() in 20 threads, each of which ends within the call
 *
 * Prints `pid N` before it begins, and `called TIMES` when done. TIMES does not include recursive
 * calls.
 */
#include <pthread.h>
#include <setjmp.h>
#include <string.h>

#include "tests/programs/program.h"

static jmp_buf back;
static unsigned long ms = 1;

enum end { RETURNS, JUMPS, EXITS };

/* Tests find called() by its name. The code after the recursive call prevents a tail call. */
unsigned int called(unsigned int depth, enum end end);

__attribute__((noinline)) unsigned int called(unsigned int depth, enum end end)
{
	struct timespec ts = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	unsigned int sum = depth;

	nanosleep(&ts, NULL);
	if (depth)
		sum += called(depth - 1, end);
	else if (end == JUMPS)
		longjmp(back, 1);
	else if (end == EXITS)
		pthread_exit(NULL);
	__asm__ volatile("" : "+r"(sum));
	return sum;
}

static void *end_within(void *arg)
{
	called(0, EXITS);
	return NULL;
}

static unsigned int exit_in_threads(void)
{
	pthread_t id;

	for (int i = 0; i < 20; i++)
		if (pthread_create(&id, NULL, end_within, NULL) || pthread_join(id, NULL))
			errx(1, "pthread_create");
	return 20;
}

static unsigned int jump(void)
{
	volatile unsigned int times = 0;

	setjmp(back);
	if (times++ < 3)
		called(4, JUMPS);
	called(0, RETURNS);
	return times;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "quick";
	unsigned int times = 0;

	ms = program_arg(argc, argv, 2, 1);
	printf("pid %d\n", (int)getpid());
	fflush(stdout);
	if (strcmp(how, "quick") == 0)
		for (; times < 20; times++)
			called(0, RETURNS);
	else if (strcmp(how, "deep") == 0)
		times = called(4, RETURNS) > 0;
	else if (strcmp(how, "jump") == 0)
		times = jump();
	else if (strcmp(how, "exit") == 0)
		times = exit_in_threads();
	else
		errx(1, "usage: calls [quick|deep|jump|exit] [MS]");
	printf("called %u\n", times);
	return 0;
}
