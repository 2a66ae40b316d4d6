/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads any bytes as /proc/PID/maps, because users choose the paths in this file. */
#include "lib/files/procmaps.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	struct rsp_procmaps maps = {.f = len ? fmemopen((void *)data, len, "r") : NULL};
	struct rsp_procmap map;

	while (rsp_procmaps_next(&maps, &map))
		must(strnlen(map.name, sizeof(map.name)) < sizeof(map.name));
	rsp_procmaps_done(&maps);
	return 0;
}
