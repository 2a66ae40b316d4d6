/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See forbidden.h. */
#include "daemon/base/forbidden.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

#include "daemon/base/journal.h"
#include "lib/base/syscalls.h"
#include "lib/sandbox/sandbox.h"

/* Libraries cause a few entries. The limit is for a worker that lies. */
#define LOGGED_MAX 16

struct logged {
	atomic_bool calls[RSP_SANDBOX_NR_MAX];
	atomic_uint cnt;
};

static struct logged own, *logged = &own;

void rsp_forbidden_init(void)
{
	struct logged *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared != MAP_FAILED)
		logged = shared;
}

void rsp_forbidden_log(int nr)
{
	char buf[32];

	if (nr < 0 || nr >= RSP_SANDBOX_NR_MAX || atomic_exchange(&logged->calls[nr], true) ||
	    atomic_fetch_add(&logged->cnt, 1) >= LOGGED_MAX)
		return;
	rsp_log(LOG_WARNING,
		"a library in rsp-worker used the system call '%s', which the sandbox does not allow: "
		"snapshots may lack stacks or names of functions; please report this",
		rsp_syscall_label(nr, buf, sizeof(buf)));
}
