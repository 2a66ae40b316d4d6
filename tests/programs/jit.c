// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * jit [MS]: makes a function at run time, and computes in it for MS (400) milliseconds of CPU time.
 * Like a language runtime, it writes the function's name to /tmp/perf-PID.map.
 *
 * Prints `pid N` before it begins, `computed MS` when done.
 */
#include <string.h>
#include <sys/mman.h>

#include "tests/programs/program.h"

/* the function's machine code: mov $10000000, %eax; 1: dec %eax; jne 1b; ret */
static const unsigned char code[] = {0xb8, 0x80, 0x96, 0x98, 0x00, 0xff, 0xc8, 0x75, 0xfc, 0xc3};

static void write_perf_map(const void *function)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	f = fopen(path, "wx");
	if (!f ||
	    fprintf(f, "%lx %zx made_at_run_time\n", (unsigned long)function, sizeof(code)) < 0 ||
	    fclose(f))
		err(1, "%s", path);
}

int main(int argc, char **argv)
{
	unsigned long ms = program_arg(argc, argv, 1, 400);
	uint64_t until_ns = program_cpu_ns() + ms * 1000000;
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	printf("pid %d\n", (int)getpid());
	fflush(stdout);
	if (page == MAP_FAILED)
		err(1, "mmap");
	memcpy(page, code, sizeof(code));
	if (mprotect(page, 4096, PROT_READ | PROT_EXEC))
		err(1, "mprotect");
	write_perf_map(page);
	while (program_cpu_ns() < until_ns)
		((void (*)(void))(uintptr_t)page)();
	printf("computed %lu\n", ms);
	return 0;
}
