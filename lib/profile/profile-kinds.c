/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names and texts of the kinds of profiles. */
#include <errno.h>
#include <string.h>

#include "lib/profile/profile.h"

static const struct rsp_profile_words kinds[RSP_PROFILE_KIND_MAX] = {
	[RSP_PROFILE_ONCPU] = {"oncpu", "On-CPU time", "samples", "Nothing ran.", "ns"},
	[RSP_PROFILE_OFFCPU] = {"offcpu", "Off-CPU time", "waits", "Nothing waited.", "ns"},
	[RSP_PROFILE_HOTCOLD] = {"hotcold", "On-CPU and off-CPU time", "samples and waits",
				 "Nothing ran or waited.", "ns"},
	[RSP_PROFILE_WAKEUP] = {"wakeup", "Off-CPU time by waker", "waits", "Nothing waited.",
				"ns"},
	[RSP_PROFILE_CHAIN] = {"chain", "Off-CPU time by chain of wakers", "waits",
			       "Nothing waited.", "ns"},
	[RSP_PROFILE_RUNQUEUE] = {"runqueue", "Time waiting for a CPU", "waits",
				  "Nothing waited for a CPU.", "ns"},
	[RSP_PROFILE_DISK] = {"disk", "Time waiting for disks", "waits",
			      "Nothing waited for a disk.", "ns"},
	[RSP_PROFILE_NETWORK] = {"network", "Time waiting for the network", "waits",
				 "Nothing waited for the network.", "ns"},
	[RSP_PROFILE_MALLOC] = {"malloc", "Allocated memory", "calls",
				"No allocation was seen. Static programs need a symbol table.",
				"bytes", RSP_MEMORY_MALLOC},
	[RSP_PROFILE_LEAKS] = {"leaks", "Memory that was not freed", "blocks",
			       "No block was left: all were freed, or none was seen.", "bytes",
			       RSP_MEMORY_MALLOC},
	[RSP_PROFILE_FAULTS] = {"faults", "Page faults", "faults", "No page faults.", "faults",
				RSP_MEMORY_FAULTS},
	[RSP_PROFILE_MMAP] = {"mmap", "Mapped memory", "calls", "Nothing was mapped.", "bytes",
			      RSP_MEMORY_MMAP},
	[RSP_PROFILE_BRK] = {"brk", "Growth of the heap", "calls", "No heap grew.", "bytes",
			     RSP_MEMORY_BRK},
};

const struct rsp_profile_words *rsp_profile_words(enum rsp_profile_kind kind)
{
	return &kinds[kind];
}

int rsp_profile_kind_parse(const char *key, enum rsp_profile_kind *ret)
{
	for (unsigned int i = 0; i < RSP_PROFILE_KIND_MAX; i++) {
		if (strcmp(key, kinds[i].key) == 0) {
			*ret = i;
			return 0;
		}
	}
	return -EINVAL;
}
