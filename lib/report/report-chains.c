/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes chains of waits, either in groups (report-groups.h) or whole, with whole stacks. */
#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/report/report-container.h"
#include "lib/report/report-frames.h"
#include "lib/report/report-groups.h"
#include "lib/report/report-marks.h"
#include "lib/report/report-pen.h"
#include "lib/report/report-words.h"

/* Default numbers of chains, which fill about one screen. JSON contains all chains. */
#define CHAINS_EXPLAIN	5
#define CHAINS_VIEW	25
#define FRAMES_MAX	3
/* maximum number of hops of a chain, unless the view shows whole chains */
#define HOPS_SHOWN_MAX	12
#define HOPS_END	4  /* number of these hops that are at the chain's end */
#define INDENT_HOPS_MAX 12 /* further hops are not indented further */
#define PLACE_COLS	32
#define CGROUP_COLS	40 /* maximum width of a cgroup's path, in columns */
#define OBJECT_COLS	40 /* minimum width for the object of a wait, in columns */
#define UNKNOWN_DIVISOR 10 /* unknown times below a tenth of a group's time are not shown */
#define RUNNING(cat)	((cat) == RSP_CAT_RUNNING_SAMPLED || (cat) == RSP_CAT_RUNNING_UNSAMPLED)

static void put_whole_stack(const struct rsp_pen *pen, const struct rsp_hop *hop, size_t indent)
{
	char symbol[RSP_FORMAT_NAME_BYTES(RSP_PEN_NAME_MAX)], module[RSP_FORMAT_NAME_BYTES(40)];

	for (size_t i = 0; i < hop->frame_cnt; i++) {
		const struct rsp_frame *frame = &hop->frames[i];
		size_t room;

		rsp_format_name(frame->module, 40, module, sizeof(module));
		room = rsp_pen_name_room(pen, indent + rsp_format_columns(module) + 3);
		fprintf(pen->out, "%*s", (int)indent, "");
		rsp_pen_coloured(pen, RSP_SGR_STACK,
				 rsp_format_name(frame->symbol, room, symbol, sizeof(symbol)));
		fprintf(pen->out, " (%s)\n", module);
	}
}

static void put_selected_frames(struct rsp_pen *pen, const struct rsp_hop *hop, size_t indent)
{
	const struct rsp_frame *frames[FRAMES_MAX];
	bool inferred = rsp_hop_place_is_inferred(hop);
	const char *at = inferred ? "likely at " : "at ", *mark = inferred ? " (inferred)" : "";
	size_t cnt = rsp_frames_select(hop, frames, FRAMES_MAX);
	char symbol[RSP_FORMAT_NAME_BYTES(RSP_PEN_NAME_MAX)], module[RSP_FORMAT_NAME_BYTES(40)];
	size_t used;

	if (cnt == 0)
		return;
	pen->said_inferred |= inferred;
	rsp_format_name(frames[0]->module, 40, module, sizeof(module));
	if (rsp_frame_is_unnamed_code(frames[0]))
		*module = '\0';
	used = indent + strlen(at) + rsp_format_columns(module) + strlen(" ()") + strlen(mark);
	fprintf(pen->out, "%*s%s", (int)indent, "", at);
	for (size_t i = 0; i < cnt; i++) {
		if (i > 0 && used + strlen(" < ") + RSP_PEN_NAME_MIN > pen->width)
			break;
		if (i > 0) {
			fputs(" ← ", pen->out);
			used += strlen(" < ");
		}
		rsp_format_name(rsp_frame_text(frames[i]), rsp_pen_name_room(pen, used), symbol,
				sizeof(symbol));
		rsp_pen_coloured(pen, RSP_SGR_STACK, symbol);
		used += rsp_format_columns(symbol);
	}
	if (*module)
		fprintf(pen->out, " (%s)", module);
	fprintf(pen->out, "%s\n", mark);
}

static void put_places(struct rsp_pen *pen, const struct rsp_chain_group *group, size_t indent)
{
	char symbol[RSP_FORMAT_NAME_BYTES(PLACE_COLS)], ns[RSP_FORMAT_MAX];
	char text[RSP_GROUP_PLACES * (sizeof(symbol) + RSP_FORMAT_MAX) + 128];
	size_t len = (size_t)sprintf(text, "sampled at ");

	for (size_t i = 0; i < RSP_GROUP_PLACES && group->places[i].symbol; i++)
		len += (size_t)sprintf(text + len, "%s%s %s", i > 0 ? ", " : "",
				       rsp_format_name(group->places[i].symbol, PLACE_COLS, symbol,
						       sizeof(symbol)),
				       rsp_format_ns(group->places[i].ns, ns, sizeof(ns)));
	len += (size_t)sprintf(text + len, " (%zu sample%s)", group->sample_cnt,
			       group->sample_cnt == 1 ? "" : "s");
	if (group->unknown_ns > group->ns / UNKNOWN_DIVISOR)
		sprintf(text + len, ", unknown %s",
			rsp_format_ns(group->unknown_ns, ns, sizeof(ns)));
	fprintf(pen->out, "%*s", (int)indent, "");
	rsp_pen_sentence(pen, "", indent, indent + 2, text);
}

static bool is_unsampled(const struct rsp_hop *hop, __u64 ns)
{
	return hop->kind == RSP_HOP_LEAF && hop->category == RSP_CAT_RUNNING_UNSAMPLED &&
	       hop->frame_cnt == 0 && ns >= RSP_UNSAMPLED_MIN_NS;
}

static void put_stack(struct rsp_pen *pen, const struct rsp_hop *hop, __u64 ns, size_t indent)
{
	if (is_unsampled(hop, ns)) {
		fprintf(pen->out, "%*sfunction unknown: not sampled\n", (int)indent, "");
		return;
	}
	if (!pen->full) {
		put_selected_frames(pen, hop, indent);
		return;
	}
	if (hop->frame_cnt > 0 && rsp_hop_place_is_inferred(hop)) {
		fprintf(pen->out, "%*s(inferred)\n", (int)indent, "");
		pen->said_inferred = true;
	}
	put_whole_stack(pen, hop, indent);
}

static size_t hop_indent(size_t depth)
{
	return 4 + 2 * (depth < INDENT_HOPS_MAX ? depth : INDENT_HOPS_MAX);
}

static char *put_behind(struct rsp_pen *pen, const struct rsp_hop *hop, char *buf, size_t len)
{
	bool limited = hop->flags & RSP_HOP_THROTTLED || hop->why == RSP_WHY_RECLAIM;
	char name[RSP_FORMAT_NAME_BYTES(CGROUP_COLS)];

	*buf = '\0';
	if (hop->why && !*hop->behind && hop->why != RSP_WHY_FROZEN) /* the state shows it */
		snprintf(buf, len, ", %s", rsp_why_text(hop->why));
	if (!*hop->behind)
		return buf;
	rsp_format_name(hop->behind, limited ? CGROUP_COLS : RSP_TASK_COMM_LEN, name, sizeof(name));
	if (hop->why) {
		snprintf(buf, len, ", %s %s %s", rsp_why_text(hop->why),
			 hop->why == RSP_WHY_RECLAIM ? "of cgroup" : "by", name);
		return buf;
	}
	if (hop->category == RSP_CAT_DISK_QUEUED) {
		snprintf(buf, len, "%s%s", limited ? ", cgroup " : ", behind ", name);
		return buf;
	}
	snprintf(buf, len, ", though %s was done (inferred)", name);
	pen->said_inferred = true;
	return buf;
}

/*
 * Writes the rest of the line of a hop, like " blocked in read on pipe". Wraps the line if it is
 * too long; then the activity has no color.
 */
static void put_activity(struct rsp_pen *pen, const char *colour, const char *activity,
			 const char *rest, size_t used, size_t indent)
{
	char text[2 * RSP_FORMAT_NAME_BYTES(RSP_PEN_NAME_MAX)];

	if (used + 1 + strlen(activity) + rsp_format_columns(rest) <= pen->width) {
		fputc(' ', pen->out);
		rsp_pen_coloured(pen, colour, activity);
		fprintf(pen->out, "%s\n", rest);
		return;
	}
	snprintf(text, sizeof(text), " %s%s", activity, rest);
	rsp_pen_sentence(pen, "", used, indent + 2, text);
}

/*
 * Shortens a long object to fit the line, but not below OBJECT_COLS; a line that is too long then
 * continues on the next one.
 */
static void put_hop(struct rsp_pen *pen, const struct rsp_hop *hop, const char *container_before,
		    size_t depth)
{
	const struct rsp_words *words = rsp_category_words(rsp_words_of_leaf(hop));
	bool blocked = hop->kind == RSP_HOP_BLOCKED;
	bool has_object = *hop->object && strcmp(hop->object, hop->syscall) != 0;
	size_t indent = hop_indent(depth);
	char who[RSP_PEN_TASK_BYTES], tasks[32] = "", in[64] = "";
	char container[RSP_IN_CONTAINER_BYTES] = "";
	char object[RSP_FORMAT_NAME_BYTES(RSP_PEN_NAME_MAX)];
	char behind[RSP_FORMAT_NAME_BYTES(CGROUP_COLS) + 64];
	char rest[sizeof(in) + sizeof(object) + sizeof(behind) + 64];
	const char *activity = blocked ? "blocked" : words->activity;
	const char *joint = !has_object ? "" : blocked ? " on " : words->object;
	const char *at_least = hop->flags & RSP_HOP_AT_LEAST ? " (at least)" : "";
	const char *mark = blocked || RUNNING(hop->category) ? "" : words->mark;
	size_t used, room;

	rsp_pen_task(hop->comm, hop->tgid, hop->tid, who, sizeof(who));
	if (strcmp(hop->container, container_before) != 0)
		rsp_in_container(hop->container, container);
	if (hop->task_cnt > 1)
		snprintf(tasks, sizeof(tasks), " ×%u tasks", hop->task_cnt);
	if (*hop->syscall)
		snprintf(in, sizeof(in), " in %s", hop->syscall);
	put_behind(pen, hop, behind, sizeof(behind));
	used = indent + rsp_format_columns(who) + rsp_format_columns(container) +
	       rsp_format_columns(tasks);
	room = rsp_pen_name_room(pen, used + 1 + strlen(activity) + strlen(in) + strlen(joint) +
					      rsp_format_columns(behind) + strlen(at_least) +
					      strlen(mark));
	rsp_format_name(has_object ? hop->object : "", room < OBJECT_COLS ? OBJECT_COLS : room,
			object, sizeof(object));
	snprintf(rest, sizeof(rest), "%s%s%s%s%s%s", in, joint, object, behind, at_least, mark);

	fprintf(pen->out, "%*s%s", (int)(depth > 0 ? indent - 2 : indent), "",
		depth > 0 ? "└ " : "");
	rsp_pen_coloured(pen, RSP_SGR_NAME, who);
	fprintf(pen->out, "%s%s", container, tasks);
	put_activity(pen, blocked ? RSP_SGR_BLOCKED : words->colour, activity, rest, used, indent);
	pen->said_at_least |= *at_least != '\0';
	pen->said_unknown |= *mark != '\0';
}

static size_t stack_indent(size_t depth)
{
	return hop_indent(depth) + 4;
}

static void put_chain(struct rsp_pen *pen, size_t number, const struct rsp_chain_group *group)
{
	const struct rsp_chain *chain = group->heaviest;
	bool whole = pen->full || chain->hop_cnt <= HOPS_SHOWN_MAX;

	fprintf(pen->out, "\n%3zu ", number);
	rsp_pen_ns(pen, 8, group->ns);
	rsp_pen_share(pen, 9, group->ns);
	if (group->count == 1)
		fputs("  once\n", pen->out);
	else
		fprintf(pen->out, "  %llu times\n", group->count);
	for (size_t i = 0; i < chain->hop_cnt; i++) {
		if (!whole && i == HOPS_SHOWN_MAX - HOPS_END) {
			size_t skipped = chain->hop_cnt - HOPS_SHOWN_MAX;

			fprintf(pen->out, "%*s… %zu more\n", (int)(4 + 2 * i), "", skipped);
			i += skipped;
		}
		put_hop(pen, &chain->hops[i], i > 0 ? chain->hops[i - 1].container : "", i);
		if (i + 1 == chain->hop_cnt && group->chain_cnt > 1 && group->places[0].symbol)
			put_places(pen, group, stack_indent(i));
		else
			put_stack(pen, &chain->hops[i], chain->ns, stack_indent(i));
	}
	rsp_put_chain_marks(pen, chain, stack_indent(0));
}

static void put_whole_chains(struct rsp_pen *pen, size_t max)
{
	size_t cnt = pen->e->chain_cnt < max ? pen->e->chain_cnt : max;

	if (cnt == 0)
		return;
	fprintf(pen->out, "\nHeaviest chains (%zu of %zu)\n", cnt, pen->e->chain_cnt);
	for (size_t i = 0; i < cnt; i++) {
		const struct rsp_chain *chain = &pen->e->chains[i];

		put_chain(pen, i + 1,
			  &(struct rsp_chain_group){.heaviest = chain,
						    .ns = chain->ns,
						    .count = chain->count,
						    .chain_cnt = 1});
	}
}

static int put_chain_groups(struct rsp_pen *pen, size_t max)
{
	_cleanup_free_ struct rsp_chain_group *groups = NULL;
	size_t cnt, shown;

	if (rsp_chain_groups_make(pen->e, &groups, &cnt) < 0)
		return -ENOMEM;
	shown = cnt < max ? cnt : max;
	if (shown > 0)
		fprintf(pen->out, "\nHeaviest chains (%zu of %zu)\n", shown, cnt);
	for (size_t i = 0; i < shown; i++)
		put_chain(pen, i + 1, &groups[i]);
	return 0;
}

int rsp_put_chains(struct rsp_pen *pen)
{
	size_t max = pen->opt->chain_max;

	if (!pen->full)
		return put_chain_groups(pen, max ? max : CHAINS_EXPLAIN);
	put_whole_chains(pen, max ? max : CHAINS_VIEW);
	return 0;
}
