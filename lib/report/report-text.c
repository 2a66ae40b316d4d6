/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An explanation -> what a person reads in a terminal: the answer in one sentence, numbers that add
 * up, detail, how far to trust it, the next command. Shows nothing that the explanation does not
 * hold, and no byte of a foreign name uncleaned.
 */
#include "report.h"

#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "report-frames.h"
#include "report-groups.h"
#include "report-words.h"

#define WIDTH_DEFAULT	100
#define WIDTH_MIN	40
/* A screenful each; JSON has them all. */
#define FINDINGS_MAX	6
#define CHAINS_EXPLAIN	5
#define CHAINS_VIEW	25
#define PROCESSES_MAX	20
#define FRAMES_MAX	3
#define HOPS_SHOWN_MAX	12 /* of one chain, unless it is shown whole */
#define HOPS_END	4  /* of these, at the chain's end */
#define INDENT_HOPS_MAX 12 /* deeper ones are not indented further */
#define NAME_COLS_MIN	12 /* however narrow the terminal */
#define NAME_COLS_MAX	200
#define NAME_COLS_PLACE 32
#define COMMAND_COLS	4096 /* to be pasted: a piece of it is of no use */
#define RUNNING(cat)	((cat) == RSP_CAT_RUNNING_SAMPLED || (cat) == RSP_CAT_RUNNING_UNSAMPLED)

#define SGR_ANSWER  "1"
#define SGR_WARNING "1;31"
#define SGR_STACK   "2"
#define SGR_NAME    "90"
#define SGR_BLOCKED "34"

struct pen {
	FILE *out;
	const struct rsp_explanation *e;
	const struct rsp_report_options *opt;
	unsigned int width;
	bool full; /* whole chains, whole stacks */
	bool said_inferred, said_unknown, said_at_least;
};

int rsp_view_parse(const char *name, enum rsp_view *ret)
{
	static const char *const names[] = {
		[RSP_VIEW_EXPLAIN] = "explain",
		[RSP_VIEW_TABLE] = "table",
		[RSP_VIEW_CHAINS] = "chains",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(name, names[i]) == 0) {
			*ret = (enum rsp_view)i;
			return 0;
		}
	}
	return -EINVAL;
}

/* --- small pieces ----------------------------------------------------------------------------- */

static void put_coloured(const struct pen *pen, const char *sgr, const char *s)
{
	if (pen->opt->colour && *s)
		fprintf(pen->out, "\x1b[%sm%s\x1b[0m", sgr, s);
	else
		fputs(s, pen->out);
}

/* Right-aligned by columns, which printf() cannot: it counts bytes. */
static void put_right(const struct pen *pen, size_t cols, const char *s)
{
	size_t have = rsp_format_columns(s);

	fprintf(pen->out, "%*s%s", (int)(have < cols ? cols - have : 0), "", s);
}

static void put_ns(const struct pen *pen, size_t cols, __u64 ns)
{
	char buf[RSP_FORMAT_MAX];

	put_right(pen, cols, ns ? rsp_format_ns(ns, buf, sizeof(buf)) : "–");
}

static void put_share(const struct pen *pen, size_t cols, __u64 ns)
{
	char buf[RSP_FORMAT_MAX];

	put_right(pen, cols, rsp_format_share(ns, pen->e->total_ns, buf, sizeof(buf)));
}

/* "cc1 [1240]", "app [12/15]" when the thread is not the process's first. */
static char *task_name(const char *comm, __u32 tgid, __u32 tid, char *buf, size_t len)
{
	char name[RSP_FORMAT_NAME_BYTES(RSP_TASK_COMM_LEN)];

	rsp_format_name(comm, RSP_TASK_COMM_LEN, name, sizeof(name));
	if (tgid == tid)
		snprintf(buf, len, "%s [%u]", name, tid);
	else
		snprintf(buf, len, "%s [%u/%u]", name, tgid, tid);
	return buf;
}
#define TASK_NAME_BYTES (RSP_FORMAT_NAME_BYTES(RSP_TASK_COMM_LEN) + 32)

/* --- findings --------------------------------------------------------------------------------- */

static void put_answer(const struct pen *pen, const struct rsp_findings *findings)
{
	put_coloured(pen, SGR_ANSWER, findings->v[0].text);
	fputc('\n', pen->out);
}

static void put_other_findings(const struct pen *pen, const struct rsp_findings *findings)
{
	if (findings->cnt < 2)
		return;
	fputs("\nAlso\n", pen->out);
	for (size_t i = 1; i < findings->cnt && i < FINDINGS_MAX; i++)
		fprintf(pen->out, "  - %s\n", findings->v[i].text);
}

/* --- the table -------------------------------------------------------------------------------- */

/* One unit for the whole table, fine enough for its total: three decimals of it. */
static void table_unit(__u64 total_ns, __u64 *ret_step_ns, const char **ret_name)
{
	if (total_ns >= 10000000000) {
		*ret_step_ns = 1000000;
		*ret_name = "s";
	} else if (total_ns >= 10000000) {
		*ret_step_ns = 1000;
		*ret_name = "ms";
	} else {
		*ret_step_ns = 1;
		*ret_name = "µs";
	}
}

static void put_row(struct pen *pen, __u64 steps, const char *unit, __u64 tenths)
{
	char buf[64];

	snprintf(buf, sizeof(buf), "%llu.%03llu %s", steps / 1000, steps % 1000, unit);
	put_right(pen, 16, buf);
	fprintf(pen->out, "  %3llu.%llu %%  ", tenths / 10, tenths % 10);
}

static void put_category_row(struct pen *pen, enum rsp_category cat, __u64 steps, const char *unit,
			     __u64 tenths)
{
	const struct rsp_words *words = rsp_category_words(cat);
	bool inferred = cat == RSP_CAT_RUNNING_UNSAMPLED && pen->e->cat_ns[cat] > 0;

	put_row(pen, steps, unit, tenths);
	put_coloured(pen, words->colour, words->name);
	fprintf(pen->out, "%*s%s%s\n", 22 - (int)strlen(words->name), "", rsp_category_text(cat),
		inferred ? words->mark : "");
	pen->said_inferred |= inferred;
}

static void put_table(struct pen *pen)
{
	const struct rsp_explanation *e = pen->e;
	__u64 steps[RSP_CAT_MAX], tenths[RSP_CAT_MAX], step_ns, total_steps;
	char name[TASK_NAME_BYTES], buf[RSP_FORMAT_MAX];
	__u32 pid = e->meta->target_pid;
	__u64 accounted_ns;
	const char *unit;

	fprintf(pen->out,
		"\nWhere the time of %s went: ", task_name(e->comm, pid, pid, name, sizeof(name)));
	fprintf(pen->out, "%s in %u thread%s, ", rsp_format_ns(e->total_ns, buf, sizeof(buf)),
		e->root_cnt, e->root_cnt == 1 ? "" : "s");
	fprintf(pen->out, "%s by the clock", rsp_format_ns(e->wall_ns, buf, sizeof(buf)));
	if (e->idle_root_cnt > 0)
		fprintf(pen->out, "; %u more slept throughout", e->idle_root_cnt);
	fputs("\n\n", pen->out);

	table_unit(e->total_ns, &step_ns, &unit);
	total_steps = e->total_ns / step_ns + (e->total_ns % step_ns * 2 >= step_ns);
	rsp_format_apportion(e->cat_ns, RSP_CAT_MAX, e->total_ns, total_steps, steps);
	rsp_format_apportion(e->cat_ns, RSP_CAT_MAX, e->total_ns, 1000, tenths);
	for (enum rsp_category cat = 0; cat < RSP_CAT_MAX; cat++)
		if (e->cat_ns[cat] > 0 || cat == RSP_CAT_UNACCOUNTED)
			put_category_row(pen, cat, steps[cat], unit, tenths[cat]);
	put_row(pen, total_steps, unit, e->total_ns ? 1000 : 0);
	accounted_ns = e->total_ns - e->cat_ns[RSP_CAT_LOST] - e->cat_ns[RSP_CAT_EDGE] -
		       e->cat_ns[RSP_CAT_UNACCOUNTED];
	rsp_format_share(accounted_ns, e->total_ns, buf, sizeof(buf));
	fprintf(pen->out, "%-22s%s of it accounted for\n", "total", e->total_ns ? buf : "100 %");
}

static void put_processes(struct pen *pen)
{
	const struct rsp_explanation *e = pen->e;
	char name[TASK_NAME_BYTES];

	if (e->process_cnt == 0)
		return;
	fputs("\nWho took part\n\n"
	      "       time   share    running       disk    network  CPU queue      other  task\n",
	      pen->out);
	for (size_t i = 0; i < e->process_cnt && i < PROCESSES_MAX; i++) {
		const struct rsp_process *p = &e->processes[i];
		const __u64 *ns = p->cat_ns;
		__u64 cells[] = {
			ns[RSP_CAT_RUNNING_SAMPLED] + ns[RSP_CAT_RUNNING_UNSAMPLED],
			ns[RSP_CAT_DISK_ACTIVE] + ns[RSP_CAT_DISK_QUEUED],
			ns[RSP_CAT_NETWORK],
			ns[RSP_CAT_RUNQUEUE] + ns[RSP_CAT_PREEMPTED],
		};
		__u64 other_ns = p->ns;

		put_ns(pen, 11, p->ns);
		put_share(pen, 8, p->ns);
		for (size_t c = 0; c < sizeof(cells) / sizeof(cells[0]); c++) {
			put_ns(pen, 11, cells[c]);
			other_ns -= cells[c];
		}
		put_ns(pen, 11, other_ns);
		fprintf(pen->out, "  %s%s\n",
			task_name(p->comm, p->tgid, p->tid, name, sizeof(name)),
			p->is_root ? " *" : "");
	}
	if (e->process_cnt > PROCESSES_MAX)
		fprintf(pen->out, "  … and %zu more\n", e->process_cnt - PROCESSES_MAX);
	fputs("\n* a thread of the process itself\n", pen->out);
}

/* --- chains ----------------------------------------------------------------------------------- */

static size_t name_room(const struct pen *pen, size_t used)
{
	size_t room = used < pen->width ? pen->width - used : 0;

	return room < NAME_COLS_MIN ? NAME_COLS_MIN : room > NAME_COLS_MAX ? NAME_COLS_MAX : room;
}

static void put_whole_stack(const struct pen *pen, const struct rsp_hop *hop, size_t indent)
{
	char symbol[RSP_FORMAT_NAME_BYTES(NAME_COLS_MAX)], module[RSP_FORMAT_NAME_BYTES(40)];

	for (size_t i = 0; i < hop->frame_cnt; i++) {
		const struct rsp_frame *frame = &hop->frames[i];
		size_t room;

		rsp_format_name(frame->module, 40, module, sizeof(module));
		room = name_room(pen, indent + rsp_format_columns(module) + 3);
		fprintf(pen->out, "%*s", (int)indent, "");
		put_coloured(pen, SGR_STACK,
			     rsp_format_name(frame->symbol, room, symbol, sizeof(symbol)));
		fprintf(pen->out, " (%s)\n", module);
	}
}

/* "at lex ← parse ← main (cc1)": the module is the first frame's. */
static void put_telling_frames(struct pen *pen, const struct rsp_hop *hop, size_t indent)
{
	const struct rsp_frame *frames[FRAMES_MAX];
	bool inferred = hop->flags & RSP_HOP_INFERRED;
	const char *at = inferred ? "last at " : "at ", *mark = inferred ? " (inferred)" : "";
	size_t cnt = rsp_frames_telling(hop, frames, FRAMES_MAX);
	char symbol[RSP_FORMAT_NAME_BYTES(NAME_COLS_MAX)], module[RSP_FORMAT_NAME_BYTES(40)];
	size_t used;

	if (cnt == 0)
		return;
	pen->said_inferred |= inferred;
	rsp_format_name(frames[0]->module, 40, module, sizeof(module));
	used = indent + strlen(at) + rsp_format_columns(module) + strlen(" ()") + strlen(mark);
	fprintf(pen->out, "%*s%s", (int)indent, "", at);
	for (size_t i = 0; i < cnt; i++) {
		if (i > 0 && used + strlen(" < ") + NAME_COLS_MIN > pen->width)
			break;
		if (i > 0) {
			fputs(" ← ", pen->out);
			used += strlen(" < ");
		}
		rsp_format_name(frames[i]->symbol, name_room(pen, used), symbol, sizeof(symbol));
		put_coloured(pen, SGR_STACK, symbol);
		used += rsp_format_columns(symbol);
	}
	fprintf(pen->out, " (%s)%s\n", module, mark);
}

/* "sampled at lex 310 ms, parse 200 ms": of many chains that differ there alone. */
static void put_places(struct pen *pen, const struct rsp_chain_group *group, size_t indent)
{
	char symbol[RSP_FORMAT_NAME_BYTES(NAME_COLS_PLACE)], ns[RSP_FORMAT_MAX];

	fprintf(pen->out, "%*ssampled at ", (int)indent, "");
	for (size_t i = 0; i < RSP_GROUP_PLACES && group->places[i].symbol; i++) {
		rsp_format_name(group->places[i].symbol, NAME_COLS_PLACE, symbol, sizeof(symbol));
		fputs(i > 0 ? ", " : "", pen->out);
		put_coloured(pen, SGR_STACK, symbol);
		fprintf(pen->out, " %s", rsp_format_ns(group->places[i].ns, ns, sizeof(ns)));
	}
	fputc('\n', pen->out);
}

static void put_stack(struct pen *pen, const struct rsp_hop *hop, size_t indent)
{
	if (!pen->full) {
		put_telling_frames(pen, hop, indent);
		return;
	}
	if (hop->frame_cnt > 0 && hop->flags & RSP_HOP_INFERRED) {
		fprintf(pen->out, "%*s(inferred)\n", (int)indent, "");
		pen->said_inferred = true;
	}
	put_whole_stack(pen, hop, indent);
}

static size_t hop_indent(size_t depth)
{
	return 4 + 2 * (depth < INDENT_HOPS_MAX ? depth : INDENT_HOPS_MAX);
}

/* "cc1 [1240] ×38 tasks blocked in read on pipe": one line, the object cut to what room is left. */
static void put_hop(struct pen *pen, const struct rsp_hop *hop, size_t depth)
{
	const struct rsp_words *words = rsp_category_words(rsp_words_of_leaf(hop));
	bool blocked = hop->kind == RSP_HOP_BLOCKED;
	bool has_object = *hop->object && strcmp(hop->object, hop->syscall) != 0;
	size_t indent = hop_indent(depth);
	char who[TASK_NAME_BYTES], tasks[32] = "", in[64] = "";
	char object[RSP_FORMAT_NAME_BYTES(NAME_COLS_MAX)];
	const char *doing = blocked ? "blocked" : words->doing;
	const char *joint = !has_object ? "" : blocked ? " on " : words->object;
	const char *at_least = hop->flags & RSP_HOP_AT_LEAST ? " (at least)" : "";
	const char *mark = blocked || RUNNING(hop->category) ? "" : words->mark;
	size_t used;

	task_name(hop->comm, hop->tgid, hop->tid, who, sizeof(who));
	if (hop->task_cnt > 1)
		snprintf(tasks, sizeof(tasks), " ×%u tasks", hop->task_cnt);
	if (*hop->syscall)
		snprintf(in, sizeof(in), " in %s", hop->syscall);
	used = indent + rsp_format_columns(who) + rsp_format_columns(tasks) + 1 + strlen(doing) +
	       strlen(in) + strlen(joint) + strlen(at_least) + strlen(mark);
	rsp_format_name(has_object ? hop->object : "", name_room(pen, used), object,
			sizeof(object));

	fprintf(pen->out, "%*s%s", (int)(depth > 0 ? indent - 2 : indent), "",
		depth > 0 ? "└ " : "");
	put_coloured(pen, SGR_NAME, who);
	fprintf(pen->out, "%s ", tasks);
	put_coloured(pen, blocked ? SGR_BLOCKED : words->colour, doing);
	fprintf(pen->out, "%s%s%s%s%s\n", in, joint, object, at_least, mark);
	pen->said_at_least |= *at_least != '\0';
	pen->said_unknown |= *mark != '\0';
}

static size_t stack_indent(size_t depth)
{
	return hop_indent(depth) + 4;
}

static void put_chain(struct pen *pen, size_t number, const struct rsp_chain_group *group)
{
	const struct rsp_chain *chain = group->heaviest;
	bool whole = pen->full || chain->hop_cnt <= HOPS_SHOWN_MAX;

	fprintf(pen->out, "\n%3zu ", number);
	put_ns(pen, 8, group->ns);
	put_share(pen, 9, group->ns);
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
		put_hop(pen, &chain->hops[i], i);
		if (i + 1 == chain->hop_cnt && group->chain_cnt > 1 && group->places[0].symbol)
			put_places(pen, group, stack_indent(i));
		else
			put_stack(pen, &chain->hops[i], stack_indent(i));
	}
}

/* Whole chains are told one by one. */
static void put_whole_chains(struct pen *pen, size_t max)
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

static int put_chain_groups(struct pen *pen, size_t max)
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

static int put_chains(struct pen *pen)
{
	size_t max = pen->opt->chain_max;

	if (!pen->full)
		return put_chain_groups(pen, max ? max : CHAINS_EXPLAIN);
	put_whole_chains(pen, max ? max : CHAINS_VIEW);
	return 0;
}

/* --- how far to trust it, and what next ------------------------------------------------------- */

static void put_coverage(const struct pen *pen)
{
	const struct rsp_explanation *e = pen->e;
	char window[RSP_FORMAT_MAX], asked[RSP_FORMAT_MAX], line[160];

	rsp_format_ns(e->window_ns, window, sizeof(window));
	rsp_format_ns(e->wall_ns, asked, sizeof(asked));
	fprintf(pen->out, "\nCoverage: %llu events, %llu lost; recorded %s of the %s asked for.\n",
		e->event_cnt, e->lost_cnt, window, asked);
	if (rsp_report_lossy(e)) {
		put_coloured(pen, SGR_WARNING,
			     "INCOMPLETE: records were lost; times and counts may be too small.");
		fputc('\n', pen->out);
	}
	if (e->window_ns < e->wall_ns) {
		snprintf(line, sizeof(line),
			 "INCOMPLETE: the window begins %s late; what came before is gone: rspd's "
			 "--window-size is too small.",
			 rsp_format_ns(e->wall_ns - e->window_ns, window, sizeof(window)));
		put_coloured(pen, SGR_WARNING, line);
		fputc('\n', pen->out);
	}
}

static void put_legend(const struct pen *pen)
{
	if (pen->said_inferred)
		fputs("(inferred): ran too briefly to be sampled; its stack is the one with which it "
		      "left the CPU.\n",
		      pen->out);
	if (pen->said_unknown)
		fputs("(unknown): measured, but the records do not say why.\n", pen->out);
	if (pen->said_at_least)
		fputs("(at least): it began before the window or went on after it.\n", pen->out);
}

static void put_next(const struct pen *pen, enum rsp_view view)
{
	const struct rsp_meta *meta = pen->e->meta;
	char name[RSP_FORMAT_NAME_BYTES(COMMAND_COLS)];

	fputs("\nNext: ", pen->out);
	if (pen->opt->source) {
		rsp_format_name(pen->opt->source, COMMAND_COLS, name, sizeof(name));
		fprintf(pen->out, "rspctl report %s --view %s\n", name,
			view == RSP_VIEW_CHAINS ? "table" : "chains");
	} else if (*meta->command) {
		rsp_format_name(meta->command, COMMAND_COLS, name, sizeof(name));
		fprintf(pen->out, "rspctl run -o FILE -- %s   (keeps the recording)\n", name);
	} else {
		fprintf(pen->out, "rspctl snapshot --pid %u -o FILE   (keeps the recording)\n",
			meta->target_pid);
	}
}

int rsp_report_text(const struct rsp_explanation *e, enum rsp_view view,
		    const struct rsp_report_options *opt, FILE *out)
{
	_cleanup_(rsp_findings_done) struct rsp_findings findings = {0};
	unsigned int width = opt->width ? opt->width : WIDTH_DEFAULT;
	struct pen pen = {
		.out = out,
		.e = e,
		.opt = opt,
		.width = width < WIDTH_MIN ? WIDTH_MIN : width,
		.full = view == RSP_VIEW_CHAINS,
	};
	int r;

	r = rsp_findings_make(e, &findings);
	if (r < 0)
		return r;
	put_answer(&pen, &findings);
	if (view == RSP_VIEW_EXPLAIN)
		put_other_findings(&pen, &findings);
	if (view != RSP_VIEW_CHAINS)
		put_table(&pen);
	if (view == RSP_VIEW_TABLE)
		put_processes(&pen);
	else
		r = put_chains(&pen);
	if (r < 0)
		return r;
	put_coverage(&pen);
	put_legend(&pen);
	put_next(&pen, view);
	errno = 0;
	if (fflush(out) != 0 || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
