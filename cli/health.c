/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See health.h. */
#include "cli/health.h"

#include <json-c/json.h>
#include <stdarg.h>

#include "cli/paused.h"
#include "cli/reply.h"
#include "lib/base/format.h"
#include "lib/base/text.h"
#include "lib/base/wrap.h"

struct health {
	FILE *out;
	unsigned int width;
	unsigned int problem_cnt;
};

/* Removes control characters, because the text is not trusted. */
static void __attribute__((format(printf, 2, 3)))
add_problem(struct health *h, const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	rsp_text_clean(line);
	if (h->problem_cnt++ == 0)
		fputs("Not all is well:\n", h->out);
	fputs("  - ", h->out);
	rsp_wrap(h->out, line, 4, 4, h->width);
	fputc('\n', h->out);
}

static void look_at_pause(struct health *h, struct json_object *status)
{
	char text[RSP_PAUSED_TEXT_MAX];

	if (rsp_paused_text(status, text))
		add_problem(h, "%s", text);
}

static void look_at_cost(struct health *h, struct json_object *status)
{
	struct json_object *cost = rsp_reply_member(status, "cost");
	unsigned long long since_ns = rsp_reply_number(cost, "shed_since_ns");
	unsigned long long now_ns = rsp_reply_number(status, "now_ns");
	bool above = rsp_reply_bool(cost, "above_budget");
	char age[RSP_FORMAT_MAX];

	if (!rsp_reply_number(cost, "shed"))
		return;
	add_problem(
		h,
		"left out for %s: %s; recording costs %.3g %% of the CPUs, the budget is %.3g %%%s",
		rsp_format_age(now_ns > since_ns ? now_ns - since_ns : 0, age, sizeof(age)),
		rsp_reply_text(cost, "shed_name"), (double)rsp_reply_number(cost, "cost_ppm") / 1e4,
		(double)rsp_reply_number(cost, "budget_ppm") / 1e4,
		above ? ", and nothing more can be left out" : "");
}

static void look_at_records(struct health *h, struct json_object *status)
{
	unsigned long long lost = rsp_reply_number(status, "lost");
	unsigned long long bad = rsp_reply_number(status, "bad");
	unsigned long long all = lost + rsp_reply_number(status, "events");
	char share[RSP_FORMAT_MAX];

	if (lost)
		add_problem(h, "%llu records were lost since the start, %s of all", lost,
			    rsp_format_share(lost, all, share, sizeof(share)));
	if (bad)
		add_problem(h, "%llu records were invalid: this is a bug in RSP", bad);
}

static void look_at_snapshots(struct health *h, struct json_object *status)
{
	struct json_object *taken = rsp_reply_member(status, "snapshots");
	unsigned long long failed = rsp_reply_number(taken, "failed");

	if (failed)
		add_problem(h, "%llu snapshot%s failed since the start: see 'journalctl -u rspd'",
			    failed, failed == 1 ? "" : "s");
}

static void look_at_slos(struct health *h, struct json_object *status)
{
	for (size_t i = 0; i < rsp_reply_cnt(status, "slos"); i++) {
		struct json_object *slo = rsp_reply_at(status, "slos", i);
		const char *why = rsp_reply_text(slo, "why");

		if (!rsp_reply_bool(slo, "measured") && *why)
			add_problem(h, "SLO %s is not measured: %s", rsp_reply_text(slo, "name"),
				    why);
	}
}

static void look_at_abilities(struct health *h, struct json_object *status)
{
	for (size_t i = 0; i < rsp_reply_cnt(status, "abilities"); i++) {
		struct json_object *ability = rsp_reply_at(status, "abilities", i);

		if (!rsp_reply_bool(ability, "ok"))
			add_problem(h, "not recorded in full: %s: %s",
				    rsp_reply_text(ability, "name"),
				    rsp_reply_text(ability, "why"));
	}
}

void rsp_health_print(struct json_object *status, unsigned int width, FILE *out)
{
	struct health h = {.out = out, .width = width};

	look_at_pause(&h, status);
	look_at_cost(&h, status);
	look_at_records(&h, status);
	look_at_snapshots(&h, status);
	look_at_slos(&h, status);
	look_at_abilities(&h, status);
	if (h.problem_cnt == 0)
		fputs("All is well: everything is recorded, nothing was lost.\n", out);
	fputc('\n', out);
}
