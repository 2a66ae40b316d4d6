/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See privileges.h. The list is that of rspd.service, which is not the only way to be started. */
#include "privileges.h"

#include <errno.h>
#include <sys/capability.h>
#include <sys/prctl.h>

static const cap_value_t needed[] = {
	CAP_BPF,		/* loading programs, reading their maps */
	CAP_PERFMON,		/* programs that trace, samples, uprobes */
	CAP_SYSLOG,		/* addresses of kernel functions */
	CAP_SYS_PTRACE,		/* what processes have mapped, */
	CAP_CHECKPOINT_RESTORE, /* by way of map_files, */
	CAP_DAC_READ_SEARCH,	/* though only its owner may read it */
};

static int keep(cap_t caps)
{
	cap_t now = cap_get_proc();
	int r = 0;

	if (!now)
		return -errno;
	for (size_t i = 0; r == 0 && i < sizeof(needed) / sizeof(needed[0]); i++) {
		cap_flag_value_t have = CAP_CLEAR;

		/* What is missing is told by whatever fails for want of it. */
		cap_get_flag(now, needed[i], CAP_PERMITTED, &have);
		if (have == CAP_SET &&
		    (cap_set_flag(caps, CAP_PERMITTED, 1, &needed[i], CAP_SET) < 0 ||
		     cap_set_flag(caps, CAP_EFFECTIVE, 1, &needed[i], CAP_SET) < 0))
			r = -errno;
	}
	cap_free(now);
	return r;
}

int rsp_privileges_drop(void)
{
	cap_t caps = cap_init();
	int r;

	if (!caps)
		return -errno;
	r = keep(caps);
	if (r == 0 && (cap_set_proc(caps) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0))
		r = -errno;
	cap_free(caps);
	return r;
}
