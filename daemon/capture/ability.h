/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the recorder may be able to do on this kernel, and which way to do it was chosen. */
#ifndef RSP_DAEMON_ABILITY_H
#define RSP_DAEMON_ABILITY_H

#include <stdbool.h>

/* Also what `rspd --check` prints. Strings live as long as the recorder. */
struct rsp_ability {
	const char *name;
	const char *chosen;
	const char *why;
	bool ok; /* nothing is missing from what is recorded */
};

/* One line for the user: why something cannot be recorded and, if known, what to do. */
struct rsp_reason {
	char text[256];
};

/* Ways to see tcp and udp, cheapest first where all are to be had. */
enum rsp_net_step {
	RSP_NET_AUTO,
	RSP_NET_TRACEPOINT,
	RSP_NET_FENTRY,
	RSP_NET_KPROBE,
};

#endif
