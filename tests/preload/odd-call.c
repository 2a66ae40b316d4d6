/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded into rspctl (LD_PRELOAD), this acts like a version of json-c that uses new system
 * calls. When rspctl creates a JSON parser, this library makes two system calls that the sandbox
 * does not allow, and continues if they fail. After that, ODD_CALL=abort in the environment makes
 * it abort, and ODD_CALL=sleep makes it sleep forever.
 */
#include <dlfcn.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct json_tokener *json_tokener_new_ex(int depth);

struct json_tokener *json_tokener_new_ex(int depth)
{
	struct json_tokener *(*next)(int) = dlsym(RTLD_NEXT, "json_tokener_new_ex");
	const char *then = getenv("ODD_CALL");
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	syscall(SYS_times, NULL);
	syscall(SYS_getppid);
	sigprocmask(SIG_SETMASK, &before, NULL);
	syscall(SYS_times, NULL);
	if (then && strcmp(then, "abort") == 0)
		abort();
	if (then && strcmp(then, "sleep") == 0)
		for (int word = 0;;)
			syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
	return next(depth);
}
