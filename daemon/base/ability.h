/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a recording that depend on the kernel, such as user stacks, and how rspd records
 * each part.
 */
#ifndef RSP_DAEMON_ABILITY_H
#define RSP_DAEMON_ABILITY_H

#include <stdbool.h>

/*
 * chosen: the way in which rspd records this part of a recording; why: the reason for this choice.
 * Strings live as long as the recorder.
 */
struct rsp_ability {
	const char *name;
	const char *chosen;
	const char *why;
	bool ok; /* no records are missing */
};

/* One line for the user: the reason why rspd cannot record something and, if known, a remedy. */
struct rsp_reason {
	char text[256];
};

/* Ways to observe TCP and UDP. RSP_NET_AUTO: the cheapest way that the kernel supports. */
enum rsp_net_step {
	RSP_NET_AUTO,
	RSP_NET_TRACEPOINT,
	RSP_NET_FENTRY,
	RSP_NET_KPROBE,
};

#endif
