/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See report-hosts.h. */
#include "lib/report/report-hosts.h"

#include "lib/base/format.h"
#include "lib/base/json.h"

void rsp_report_put_clock(const struct rsp_meta_host *host, FILE *out)
{
	uint64_t ns = host->offset_ns < 0 ? 0 - (uint64_t)host->offset_ns
					  : (uint64_t)host->offset_ns;
	uint64_t us = ns / 1000 + (ns % 1000 >= 500);
	char buf[RSP_FORMAT_MAX];

	fprintf(out, "offset %s%llu.%06llu s ± %s, drift %.1f ± %.1f ppm",
		host->offset_ns < 0 ? "-" : "", (unsigned long long)us / 1000000,
		(unsigned long long)us % 1000000,
		rsp_format_ns(host->uncertainty_ns, buf, sizeof(buf)), host->drift_ppb / 1e3,
		host->drift_error_ppb / 1e3);
}

void rsp_report_put_hosts(const struct rsp_meta *meta, FILE *out)
{
	if (!meta->host_cnt)
		return;
	for (uint32_t i = 0; i < meta->host_cnt; i++)
		fprintf(out, "%s%s",
			i == 0			 ? "Merged from "
			: i + 1 < meta->host_cnt ? ", "
						 : " and ",
			meta->hosts[i].name);
	fputs(".\n", out);
	for (uint32_t i = 1; i < meta->host_cnt; i++) {
		fprintf(out, "Clocks of %s and %s: ", meta->hosts[0].name, meta->hosts[i].name);
		rsp_report_put_clock(&meta->hosts[i], out);
		fputs(".\n", out);
	}
}

static int fill_host(struct json_object *o, const void *from)
{
	const struct rsp_meta_host *host = from;
	int r = rsp_json_add_string(o, "name", host->name);

	r |= rsp_json_add_string(o, "id", host->id);
	r |= rsp_json_add_number(o, "first_cpu", host->cpu_first);
	r |= rsp_json_add(o, "offset_ns", json_object_new_int64(host->offset_ns));
	r |= rsp_json_add(o, "drift_ppb", json_object_new_int64(host->drift_ppb));
	r |= rsp_json_add_number(o, "drift_error_ppb", host->drift_error_ppb);
	r |= rsp_json_add_number(o, "uncertainty_ns", host->uncertainty_ns);
	return r;
}

int rsp_report_add_hosts(struct json_object *o, const struct rsp_meta *meta)
{
	return rsp_json_add(o, "hosts", RSP_JSON_ARRAY_OF(fill_host, meta->hosts, meta->host_cnt));
}
