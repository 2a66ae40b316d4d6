// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reload LIBRARY FUNCTION SLEEPS…: takes groups of three arguments. For each group it loads the
 * library and calls the library's FUNCTION. FUNCTION calls innermost(), which sleeps SLEEPS times
 * for a moment.
 *
 * Prints `task TID` and `pid N` before it begins, and `done` when done.
 */
#include <dlfcn.h>

#include "tests/programs/program.h"

static unsigned long sleeps;
static volatile unsigned int calls;

static __attribute__((noinline)) void innermost(void)
{
	const struct timespec pause = {.tv_nsec = 1000000};

	for (unsigned long i = 0; i < sleeps; i++)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	calls++;
}

static __attribute__((noinline)) void use(const char *path, const char *name)
{
	void *library = dlopen(path, RTLD_NOW);
	void (*function)(void (*)(void)) = library ? dlsym(library, name) : NULL;

	if (!function)
		errx(1, "%s", dlerror());
	function(innermost);
	dlclose(library);
	calls++;
}

int main(int argc, char **argv)
{
	printf("task %d\npid %d\n", (int)getpid(), (int)getpid());
	fflush(stdout);
	for (int i = 1; i + 2 < argc; i += 3) {
		sleeps = program_arg(argc, argv, i + 2, 1);
		use(argv[i], argv[i + 1]);
	}
	puts("done");
	return 0;
}
