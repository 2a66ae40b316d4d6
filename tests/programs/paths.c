// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * paths [SLEEPS]: calls rest() SLEEPS (4000) times. The caller of rest() is one of the functions
 * via_0() to via_7(), in an irregular order; consecutive callers differ. via_4() to via_7() have
 * frame pointers. The stacks through via_0() to via_3() differ only in one return address, as do
 * those through via_4() to via_7().
 *
 * Prints `pid N`, then `via K` for each sleep in order, then `done`.
 */
#include "tests/programs/program.h"

#define PATH_CNT 8

/* The functions increment this after their calls, so the compiler makes no tail calls. */
static volatile unsigned int calls;

static __attribute__((noinline)) void rest(void)
{
	const struct timespec pause = {.tv_nsec = 1000};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	calls++;
}

#define VIA(name, ...)                                                                             \
	static __attribute__((noinline, ##__VA_ARGS__)) void name(void)                            \
	{                                                                                          \
		rest();                                                                            \
		calls++;                                                                           \
	}

VIA(via_0)
VIA(via_1)
VIA(via_2)
VIA(via_3)
VIA(via_4, optimize("no-omit-frame-pointer"))
VIA(via_5, optimize("no-omit-frame-pointer"))
VIA(via_6, optimize("no-omit-frame-pointer"))
VIA(via_7, optimize("no-omit-frame-pointer"))

static void (*const paths[PATH_CNT])(void) = {via_0, via_1, via_2, via_3,
					      via_4, via_5, via_6, via_7};

/*
 * A linear congruential generator (Knuth's MMIX). Its low bits repeat after a short period, so only
 * its high bits are used.
 */
static unsigned int next_path(uint64_t *state, unsigned int last)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (last + 1 + (unsigned int)(*state >> 33) % (PATH_CNT - 1)) % PATH_CNT;
}

static void go(unsigned long cnt, void (*act)(unsigned int path))
{
	unsigned int path = 0;
	uint64_t state = 1;

	while (cnt--) {
		path = next_path(&state, path);
		act(path);
	}
}

static __attribute__((noinline)) void take(unsigned int path)
{
	paths[path]();
	calls++;
}

static void print(unsigned int path)
{
	printf("via %u\n", path);
}

int main(int argc, char **argv)
{
	unsigned long cnt = program_arg(argc, argv, 1, 4000);

	printf("pid %d\n", (int)getpid());
	go(cnt, take);
	go(cnt, print);
	printf("done\n");
	return 0;
}
