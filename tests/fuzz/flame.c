/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes profiles of all kinds from a random snapshot (records.h). The weights must add up and agree
 * between the kinds.
 */
#include <stdio.h>

#include "lib/flame/flame.h"
#include "tests/fuzz/records.h"

static void check_profile(const struct rsp_profile *p)
{
	__u64 sum = 0;

	for (size_t i = 0; i < p->nodes.cnt; i++) {
		const struct rsp_profile_node *node = &p->nodes.v[i];

		must(node->parent == RSP_PROFILE_ROOT || node->parent < i);
		must(node->off <= node->self);
		sum += node->self;
	}
	must(sum == p->total);
}

static void check_folded(const char *text, size_t len)
{
	size_t blank_cnt = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n') {
			must(blank_cnt == 1 && i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9');
			blank_cnt = 0;
			continue;
		}
		must((unsigned char)text[i] >= ' ' && text[i] != 0x7f);
		blank_cnt += text[i] == ' ';
		must(blank_cnt == 0 || text[i] == ' ' || (text[i] >= '0' && text[i] <= '9'));
	}
	must(blank_cnt == 0);
}

static void write_both(const struct rsp_profile *p, unsigned int flags)
{
	const struct rsp_flame_options opt = {
		.title = "",
		.empty = "",
		.events = "",
		.colours = flags & 1 ? RSP_FLAME_BY_NAME : RSP_FLAME_BY_KIND,
		.inverted = flags & 2,
		.min_width = RSP_FLAME_MIN_WIDTH_DEFAULT,
	};
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	must(out && rsp_flame_folded(p, out) == 0);
	check_folded(text, len);
	must(rsp_flame_svg(p, &opt, out) == 0);
	fclose(out);
	free(text);
}

static __u64 check_kind(const struct rsp_model *m, enum rsp_profile_kind kind, unsigned int flags)
{
	const struct rsp_profile_options opt = {.kind = kind, .per_thread = flags & 4};
	struct rsp_profile p;
	__u64 total;

	must(rsp_profile_make(m, &opt, &p) == 0);
	check_profile(&p);
	write_both(&p, flags);
	total = p.total;
	rsp_profile_done(&p);
	return total;
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static struct records records;
	struct input in = {data, len};
	unsigned int flags = take_u8(&in);
	__u64 total[RSP_PROFILE_KIND_MAX];
	struct rsp_trace *trace;
	struct rsp_model *m;

	records_take(&in, &records);
	must(rsp_trace_new(&records.snap, &trace) == 0);
	must(rsp_model_new(trace, &m) == 0);
	for (unsigned int kind = 0; kind < RSP_PROFILE_KIND_MAX; kind++)
		total[kind] = check_kind(m, kind, flags);
	must(total[RSP_PROFILE_HOTCOLD] == total[RSP_PROFILE_ONCPU] + total[RSP_PROFILE_OFFCPU]);
	must(total[RSP_PROFILE_WAKEUP] == total[RSP_PROFILE_OFFCPU]);
	must(total[RSP_PROFILE_CHAIN] == total[RSP_PROFILE_OFFCPU]);
	must(total[RSP_PROFILE_DISK] <= total[RSP_PROFILE_OFFCPU]);
	must(total[RSP_PROFILE_NETWORK] <= total[RSP_PROFILE_OFFCPU]);
	rsp_model_free(m);
	rsp_trace_free(trace);
	records_done(&records);
	return 0;
}
