/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See report-words.h. */
#include "lib/report/report-words.h"

/* The colours of all views. */
#define RED    "31"
#define BLUE   "34"
#define GREEN  "32"
#define CYAN   "36"
#define TEAL   "38;5;30"
#define ORANGE "38;5;208"
#define YELLOW "33"
#define BOLD   "1"

static const struct rsp_words words[RSP_WORDS_MAX] = {
	[RSP_CAT_RUNNING_SAMPLED] = {"running, sampled", "computing", "", " on ", RED, ""},
	[RSP_CAT_RUNNING_UNSAMPLED] = {"running, not sampled", "computing", "", " on ", RED,
				       " (inferred)"},
	[RSP_CAT_DISK_ACTIVE] = {"disk I/O", "waiting for the disk", "on", ": ", GREEN, ""},
	[RSP_CAT_DISK_QUEUED] = {"disk queue", "queued for the disk", "on", ": ", CYAN, ""},
	[RSP_CAT_NETWORK] = {"network", "waiting for the network", "peer", ": ", TEAL, ""},
	[RSP_CAT_RUNQUEUE] = {"run queue", "waiting for a CPU", "taken by", ", taken by ", BLUE,
			      ""},
	[RSP_CAT_HARDWARE] = {"hardware", "waiting for hardware", "device", ": ", ORANGE, ""},
	[RSP_CAT_PREEMPTED] = {"preempted", "preempted", "by", ", by ", BLUE, ""},
	[RSP_CAT_KERNEL] = {"kernel", "waiting inside the kernel", "in", ": ", BLUE, ""},
	[RSP_CAT_SLEEP] = {"sleep", "sleeping", "in", ": ", BLUE, ""},
	[RSP_CAT_TIMEOUT] = {"timeout", "waiting until a timeout", "in", ": ", BLUE, ""},
	[RSP_CAT_STOPPED] = {"stopped", "stopped", "continued by", ", continued by ", BLUE, ""},
	[RSP_CAT_IDLE] = {"idle", "idle", "in", ": ", BLUE, ""},
	[RSP_CAT_OTHER_PATH] = {"other path", "waiting for a thread that RSP does not follow", "on",
				": ", YELLOW, ""},
	[RSP_CAT_LOST] = {"lost", "in a gap of lost records", "in", ": ", BOLD, " (unknown)"},
	[RSP_CAT_UNRECORDED] = {"not recorded", "not recorded", "in", ": ", BOLD, " (unknown)"},
	[RSP_CAT_EDGE] = {"window edge", "in a state that began before the window", "in", ": ",
			  BOLD, " (unknown)"},
	[RSP_CAT_UNACCOUNTED] = {"unaccounted", "unexplained by the records", "in", ": ", BOLD,
				 " (unknown)"},
	[RSP_WORDS_THROTTLED] = {"", "throttled", "by the CPU quota of", " by the CPU quota of ",
				 BLUE, ""},
	[RSP_WORDS_FROZEN] = {"", "frozen by the cgroup freezer", "thawed by", ", thawed by ", BLUE,
			      ""},
	[RSP_WORDS_IO_LIMIT] = {"", "throttled by an I/O limit", "on", ": ", CYAN, ""},
	[RSP_WORDS_SLOWED] = {"", "throttled", "on", ": ", CYAN, ""},
	[RSP_WORDS_UNSEEN_TIMEOUT] = {"", "in waits without a recorded end", "in", ": ", BLUE,
				      " (inferred)"},
	[RSP_WORDS_CUT_WAIT] = {"", "in waits that ended in a pause of the recorder", "in", ": ",
				BOLD, ""},
	[RSP_WORDS_OPEN_WAIT] = {"", "still waiting when the recording ended", "in", ": ", BOLD,
				 ""},
};

const struct rsp_words *rsp_category_words(int cat)
{
	return &words[cat];
}

/*
 * RSP_CAT_EDGE and RSP_CAT_UNRECORDED contain two kinds of time. If the hop has a system call or an
 * object, it is a wait. Otherwise, the state is unknown.
 */
int rsp_words_of_leaf(const struct rsp_hop *leaf)
{
	if (leaf->category == RSP_CAT_EDGE && (*leaf->syscall || *leaf->object))
		return RSP_WORDS_OPEN_WAIT;
	if (leaf->category == RSP_CAT_UNRECORDED && (*leaf->syscall || *leaf->object))
		return RSP_WORDS_CUT_WAIT;
	if (leaf->why == RSP_WHY_FROZEN)
		return RSP_WORDS_FROZEN;
	if (leaf->why == RSP_WHY_UNSEEN)
		return RSP_WORDS_UNSEEN_TIMEOUT;
	if (!(leaf->flags & RSP_HOP_THROTTLED))
		return leaf->category;
	if (leaf->why)
		return RSP_WORDS_SLOWED;
	return leaf->category == RSP_CAT_DISK_QUEUED ? RSP_WORDS_IO_LIMIT : RSP_WORDS_THROTTLED;
}

bool rsp_hop_place_is_inferred(const struct rsp_hop *hop)
{
	return hop->flags & RSP_HOP_INFERRED && hop->why != RSP_WHY_UNSEEN &&
	       hop->why != RSP_WHY_RESTS;
}
