/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads any bytes as /proc/kallsyms, and names the functions in kernel stacks with the result. Each
 * symbol that is found must have a module.
 */
#include "lib/ksyms/ksyms.h"
#include "lib/snapshot/symbols.h"
#include "tests/fuzz/input.h"

static void name_stack(const struct rsp_ksyms *k)
{
	__u64 record[(sizeof(struct rsp_ev_stack) + 3 * sizeof(__u64)) / sizeof(__u64)] = {0};
	struct rsp_ev_stack *stack = (void *)record;
	struct rsp_symbols_builder *b;
	size_t len;
	void *section;

	stack->id = 1;
	stack->frame_cnt = 3;
	stack->frames[0] = 0x10;
	stack->frames[1] = 0x1234;
	stack->frames[2] = UINT64_MAX;
	must(rsp_symbols_builder_new(&b) == 0);
	must(rsp_ksyms_name_stack(k, stack, b) == 0);
	must(rsp_ksyms_name_function(k, 0x20, b) == 0);
	must(rsp_symbols_builder_finish(b, &section, &len) == 0);
	free(section);
	rsp_symbols_builder_free(b);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	char *text = malloc(len);
	struct rsp_ksyms *k;

	if (len)
		memcpy(text, data, len);
	if (rsp_ksyms_parse(text, len, &k) == 0) {
		for (__u64 addr = 0; addr < 0x1000; addr += 0x31) {
			const char *module, *name = rsp_ksyms_lookup(k, addr, &module);

			must(!name || strlen(module) > 0);
		}
		name_stack(k);
		rsp_ksyms_free(k);
	}
	free(text);
	return 0;
}
