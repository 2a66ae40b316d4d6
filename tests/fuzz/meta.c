/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads any bytes as a META section (the description of a snapshot). Its texts must be printable.
 */
#include "lib/snapshot/snapshot-format.h"
#include "tests/fuzz/input.h"

static void check_text(const char *text, size_t size)
{
	must(strnlen(text, size) < size);
	for (; *text; text++)
		must((unsigned char)*text >= ' ' && *text != 0x7f);
}

static void check_again(const struct rsp_meta *meta)
{
	struct rsp_meta again = {0};
	size_t len;
	char *text;

	must(rsp_meta_format(meta, &text, &len) == 0);
	must(rsp_meta_parse(text, len, &again) == 0);
	check_text(again.command, sizeof(again.command));
	must(again.target_pid == meta->target_pid && again.until_ns == meta->until_ns &&
	     (!meta->trigger.slo[0] || again.trigger.value_ns == meta->trigger.value_ns));
	free(text);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	struct rsp_meta meta = {0};

	if (rsp_meta_parse((const char *)data, len, &meta) < 0)
		return 0;
	check_text(meta.id, sizeof(meta.id));
	check_text(meta.host, sizeof(meta.host));
	check_text(meta.kernel, sizeof(meta.kernel));
	check_text(meta.command, sizeof(meta.command));
	check_text(meta.trigger.slo, sizeof(meta.trigger.slo));
	check_text(meta.trigger.subject, sizeof(meta.trigger.subject));
	check_again(&meta);
	return 0;
}
