/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See privileges.h. */
#include "daemon/base/privileges.h"

#include <errno.h>
#include <sys/capability.h>
#include <sys/prctl.h>

/*
 * Empties the bounding set, so that exec() adds no capabilities. A process without CAP_SETPCAP
 * cannot do this, and does not need it: because of no_new_privs, exec() adds nothing.
 */
static int empty_bounding_set(void)
{
	for (cap_value_t cap = 0; cap_get_bound(cap) >= 0; cap++)
		if (cap_drop_bound(cap) < 0)
			return errno == EPERM ? 0 : -errno;
	return 0;
}

static int add_kept(cap_t caps, const cap_t now, uint64_t set)
{
	for (cap_value_t cap = 0; set >> cap; cap++) {
		cap_flag_value_t have = CAP_CLEAR;

		if (!(set >> cap & 1) || cap_get_flag(now, cap, CAP_PERMITTED, &have) < 0 ||
		    have == CAP_CLEAR)
			continue;
		if (cap_set_flag(caps, CAP_PERMITTED, 1, &cap, CAP_SET) < 0 ||
		    cap_set_flag(caps, CAP_EFFECTIVE, 1, &cap, CAP_SET) < 0)
			return -errno;
	}
	return 0;
}

/* Also clears the inheritable set; the kernel then clears the ambient set. */
static int keep(uint64_t set)
{
	cap_t caps = cap_init(), now = cap_get_proc();
	int r = caps && now ? add_kept(caps, now, set) : -errno;

	if (r == 0 && cap_set_proc(caps) < 0)
		r = -errno;
	cap_free(now);
	cap_free(caps);
	return r;
}

int rsp_privileges_keep(uint64_t set)
{
	int r = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -errno : empty_bounding_set();

	return r < 0 ? r : keep(set);
}
