/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of the categories in JSON, and their texts in reports. */
#include "lib/model/attribute/category.h"

static const struct {
	const char *key, *text;
} categories[RSP_CAT_MAX] = {
	[RSP_CAT_RUNNING_SAMPLED] = {"running_sampled", "running, in sampled functions"},
	[RSP_CAT_RUNNING_UNSAMPLED] = {"running_unsampled", "running, between samples"},
	[RSP_CAT_DISK_ACTIVE] = {"disk_active", "waiting for the disk to answer"},
	[RSP_CAT_DISK_QUEUED] = {"disk_queued", "waiting in the disk's queue"},
	[RSP_CAT_NETWORK] = {"network", "waiting for the network"},
	[RSP_CAT_RUNQUEUE] = {"runqueue", "waiting for a CPU, or for CPU quota"},
	[RSP_CAT_HARDWARE] = {"hardware", "waiting for a device's interrupt"},
	[RSP_CAT_PREEMPTED] = {"preempted", "preempted by others"},
	[RSP_CAT_KERNEL] = {"kernel", "waiting for the kernel itself"},
	[RSP_CAT_SLEEP] = {"sleep", "sleeping (in sleep(), nanosleep())"},
	[RSP_CAT_TIMEOUT] = {"timeout", "waiting until a timeout"},
	[RSP_CAT_STOPPED] = {"stopped", "stopped by a signal, a debugger or a freezer"},
	[RSP_CAT_IDLE] = {"idle", "idle: no request came, or nobody waited for it"},
	[RSP_CAT_OTHER_PATH] = {"other_path", "waiting for a thread that RSP does not follow"},
	[RSP_CAT_LOST] = {"lost", "unknown: records were lost"},
	[RSP_CAT_UNRECORDED] = {"unrecorded", "unknown: the recorder paused"},
	[RSP_CAT_EDGE] = {"edge", "unknown: begun before or ended after what was recorded"},
	[RSP_CAT_UNACCOUNTED] = {"unaccounted", "unknown: the records do not explain it"},
};

static const struct {
	const char *key, *text;
} whys[RSP_WHY_MAX] = {
	[RSP_WHY_NONE] = {"", ""},
	[RSP_WHY_NAGLE] = {"nagle", "held back by TCP (Nagle, delayed ACK)"},
	[RSP_WHY_RETRANSMIT] = {"retransmission", "sent again by TCP"},
	[RSP_WHY_CONNECT] = {"unanswered_connect", "connection not answered"},
	[RSP_WHY_UNSEEN] = {"unseen", "until a timeout, as in similar waits"},
	[RSP_WHY_RESTS] = {"rests", "the process did next to nothing"},
	[RSP_WHY_UNANSWERED] = {"unanswered", "no answer"},
	[RSP_WHY_RECLAIM] = {"reclaim", "freeing memory"},
	[RSP_WHY_FROZEN] = {"frozen", "by the cgroup freezer"},
	[RSP_WHY_WINDOW] = {"window", "the peer does not read"},
	[RSP_WHY_DIRTY_PAGES] = {"dirty_pages", "limit of dirty pages"},
	[RSP_WHY_IO_SHARE] = {"io_share", "its share of the disk"},
	[RSP_WHY_MEMORY_HIGH] = {"memory_high", "memory.high of its cgroup"},
	[RSP_WHY_SWAP] = {"swap", "memory read back from swap"},
};

const char *rsp_why_key(enum rsp_why why)
{
	return whys[why].key;
}

const char *rsp_why_text(enum rsp_why why)
{
	return whys[why].text;
}

const char *rsp_category_key(enum rsp_category cat)
{
	return categories[cat].key;
}

const char *rsp_category_text(enum rsp_category cat)
{
	return categories[cat].text;
}
