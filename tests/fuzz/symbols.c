/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads any bytes as a SYMBOLS section (the function names of a snapshot). */
#include "lib/snapshot/symbols.h"
#include "tests/fuzz/input.h"

static void read_stack(const struct rsp_symbols *s, __u64 id)
{
	int cnt = rsp_symbols_frame_cnt(s, id);

	for (int i = 0; i < cnt; i++) {
		const char *symbol, *module;

		rsp_symbols_frame(s, id, i, &symbol, &module);
		for (; *symbol; symbol++)
			must((unsigned char)*symbol >= ' ');
		for (; *module; module++)
			must((unsigned char)*module >= ' ');
	}
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	struct rsp_symbols *s;
	__u64 *section = malloc(len), id;

	must(section || len == 0);
	if (len)
		memcpy(section, data, len);
	if (rsp_symbols_open(section, len, &s) == 0) {
		for (size_t off = 16; off + sizeof(id) <= len && off < 4096; off += sizeof(id)) {
			memcpy(&id, data + off, sizeof(id));
			read_stack(s, id);
		}
		rsp_symbols_free(s);
	}
	free(section);
	return 0;
}
