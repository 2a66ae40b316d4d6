/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads any bytes as a perf map. Each name in the result must be part of these bytes. */
#include "lib/symbols/perfmap.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	struct rsp_perfmap *map;
	char *text = malloc(len);

	if (len)
		memcpy(text, data, len);
	must(rsp_perfmap_parse(text, len, &map) == 0);
	for (__u64 addr = 0; addr < 0x1000; addr += 0x31) {
		const char *name = rsp_perfmap_lookup(map, addr);

		must(!name || memmem(text, len, name, strlen(name)));
	}
	(void)rsp_perfmap_lookup(map, UINT64_MAX);
	rsp_perfmap_free(map);
	free(text);
	return 0;
}
