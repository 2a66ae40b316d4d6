/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl flame [SNAPSHOT]: writes a flame graph of a saved snapshot, or of the recent past, as
 * folded stacks for other tools or as a picture. With --for, or with a command after "--", the verb
 * records from now on; then the recorder can watch memory, too.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/document.h"
#include "cli/fresh.h"
#include "cli/live.h"
#include "cli/options-parts.h"
#include "cli/source.h"
#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/flame/flame.h"
#include "lib/snapshot/decode.h"

#define TEXT_MAX 512

/* --- what is missing -------------------------------------------------------------------------- */

static __u64 within(const struct rsp_model *m, __u64 from_ns, __u64 to_ns)
{
	from_ns = from_ns > m->since_ns ? from_ns : m->since_ns;
	to_ns = to_ns < m->until_ns ? to_ns : m->until_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

static __u64 sum_pauses(const struct rsp_model *m)
{
	__u64 ns = 0;

	for (size_t i = 0; i < m->pauses.cnt; i++)
		ns += within(m, m->pauses.v[i].from_ns, m->pauses.v[i].to_ns);
	return ns;
}

static void append(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(char *text, const char *format, ...)
{
	size_t len = strlen(text);
	va_list args;

	if (len)
		len += (size_t)snprintf(text + len, TEXT_MAX - len, "; ");
	if (len >= TEXT_MAX)
		return;
	va_start(args, format);
	vsnprintf(text + len, TEXT_MAX - len, format, args);
	va_end(args);
}

/* --- memory that was watched ------------------------------------------------------------------ */

static const char *const reasons[RSP_MEMORY_LOST_CHILDREN] = {
	[RSP_MEMORY_LOST_STACKS] = "the table of stacks was full",
	[RSP_MEMORY_LOST_BLOCKS] = "the table of allocated blocks was full",
	[RSP_MEMORY_LOST_THREADS] = "no memory for the state of a thread",
	[RSP_MEMORY_LOST_SKIPPED] = "the kernel skipped a program",
};

/* Returns whether events are missing. A block that had no room is missing only as a leak. */
static bool describe_missing_memory(const struct rsp_ev_memory_watch *watch,
				    enum rsp_profile_kind kind, char *ret)
{
	bool is_malloc = rsp_profile_words(kind)->memory == RSP_MEMORY_MALLOC, lossy = false;

	for (unsigned int i = 0; watch && i < RSP_MEMORY_LOST_CHILDREN; i++) {
		if (!watch->lost_cnt[i] ||
		    (i == RSP_MEMORY_LOST_BLOCKS && kind != RSP_PROFILE_LEAKS))
			continue;
		append(ret, "%llu events are missing: %s", watch->lost_cnt[i], reasons[i]);
		lossy = true;
	}
	if (!watch || !is_malloc)
		return lossy;
	if (!watch->function_cnt)
		append(ret, "the process has no allocator with symbols, so no call was seen");
	if (watch->lost_cnt[RSP_MEMORY_LOST_CHILDREN])
		append(ret, "%llu child processes are not in this graph",
		       watch->lost_cnt[RSP_MEMORY_LOST_CHILDREN]);
	return lossy || !watch->function_cnt || watch->lost_cnt[RSP_MEMORY_LOST_CHILDREN];
}

/* Says why a profile of memory is empty, and what to do. */
static void describe_unwatched(enum rsp_profile_kind kind, char *ret)
{
	const struct rsp_profile_words *words = rsp_profile_words(kind);

	snprintf(ret, TEXT_MAX,
		 "Memory (%s) was not watched in this recording: record with 'rspctl run "
		 "--memory=%s -- CMD', or draw with 'rspctl flame --kind=%s -- CMD'",
		 rsp_memory_kind_name(words->memory), rsp_memory_kind_name(words->memory),
		 words->key);
}

/* Returns the text in place of a graph without boxes. */
static const char *empty_text(const struct rsp_profile *p, enum rsp_profile_kind kind,
			      char ret[static TEXT_MAX])
{
	const struct rsp_profile_words *words = rsp_profile_words(kind);

	if (!words->memory || p->watch)
		return words->empty;
	describe_unwatched(kind, ret);
	return ret;
}

/* --- the line about what is missing ----------------------------------------------------------- */

/*
 * Writes a line about missing records to ret, of TEXT_MAX bytes, or "" if nothing is missing.
 * Returns whether records are missing.
 */
static bool describe_missing(const struct rsp_model *m, const struct rsp_profile *p,
			     enum rsp_profile_kind kind, char *ret)
{
	/* Watches of memory go on while the recorder pauses. */
	bool is_memory = rsp_profile_words(kind)->memory, lossy;
	__u64 lost_cnt = rsp_trace_lost(m->trace, m->since_ns, m->until_ns);
	__u64 paused_ns = is_memory ? 0 : sum_pauses(m);
	char buf[RSP_FORMAT_MAX];

	*ret = '\0';
	if (m->trace->snap->truncated || m->trace->bad_cnt)
		append(ret, "the snapshot is damaged or cut off");
	if (lost_cnt)
		append(ret, "%llu records were lost", lost_cnt);
	lossy = describe_missing_memory(p->watch, kind, ret);
	if (paused_ns)
		append(ret, "the recorder paused for %s",
		       rsp_format_ns(paused_ns, buf, sizeof(buf)));
	if (p->unknown_ns && !is_memory)
		append(ret, "%s are in no graph: records contradict each other",
		       rsp_format_ns(p->unknown_ns, buf, sizeof(buf)));
	if (m->trace->snap->meta.redacted)
		append(ret, "other users' tasks have no names and stacks");
	return lost_cnt || lossy;
}

/* --- the graph -------------------------------------------------------------------------------- */

static void make_title(const struct rsp_meta *meta, const struct rsp_options *opt,
		       const struct rsp_profile_options *how, const struct rsp_profile *p,
		       char *ret)
{
	const char *kind = rsp_profile_words(how->kind)->title;
	const char *root = p->nodes.cnt ? rsp_profile_text(p, p->nodes.v[0].name) : "process";

	if (opt->title)
		snprintf(ret, TEXT_MAX, "%s", opt->title);
	else if (how->tgid)
		snprintf(ret, TEXT_MAX, "%s of %s [%u]", kind, root, how->tgid);
	else if (how->comm)
		snprintf(ret, TEXT_MAX, "%s of %s", kind, how->comm);
	else if (meta->command[0])
		snprintf(ret, TEXT_MAX, "%s: %s", kind, meta->command);
	else
		snprintf(ret, TEXT_MAX, "%s of all processes", kind);
}

static int write_svg(const struct rsp_model *m, const struct rsp_profile *p,
		     const struct rsp_options *opt, const struct rsp_profile_options *how,
		     const char *missing, FILE *out)
{
	const struct rsp_meta *meta = &m->trace->snap->meta;
	const struct rsp_profile_words *words = rsp_profile_words(how->kind);
	char title[TEXT_MAX], subtitle[TEXT_MAX], total[RSP_FORMAT_MAX], span[RSP_FORMAT_MAX];
	char share[RSP_FORMAT_MAX], inferred[RSP_FORMAT_MAX + 64] = "", empty[TEXT_MAX];

	make_title(meta, opt, how, p, title);
	if (p->inferred)
		snprintf(inferred, sizeof(inferred),
			 "; %s of it inferred from samples of other runs",
			 rsp_format_share(p->inferred, p->total, share, sizeof(share)));
	snprintf(subtitle, sizeof(subtitle), "%s in all threads, in a span of %s, on %s%s",
		 rsp_format_amount(p->total, words->unit, total, sizeof(total)),
		 rsp_format_ns(m->until_ns - m->since_ns, span, sizeof(span)), meta->host,
		 inferred);
	return rsp_flame_svg(p,
			     &(struct rsp_flame_options){
				     .title = title,
				     .subtitle = subtitle,
				     .warning = *missing ? missing : NULL,
				     .empty = empty_text(p, how->kind, empty),
				     .events = words->events,
				     .colours = opt->colours,
				     .inverted = opt->inverted,
				     .min_width = opt->min_width,
			     },
			     out);
}

/* Without --format, the name of the output file decides. */
static bool wants_svg(const struct rsp_options *opt)
{
	const char *dot = opt->output ? strrchr(opt->output, '.') : NULL;

	if (opt->format)
		return strcmp(opt->format, "svg") == 0;
	return dot && strcmp(dot, ".svg") == 0;
}

/* Prints on stderr the notes that a picture contains, since folded stacks cannot contain notes. */
static void warn(const struct rsp_profile *p, const struct rsp_profile_options *how,
		 const char *missing)
{
	char empty[TEXT_MAX];

	if (*missing)
		rsp_warn("note: %s", missing);
	if (!p->total)
		rsp_warn("note: %s", empty_text(p, how->kind, empty));
}

static int write_graph(const struct rsp_model *m, const struct rsp_options *opt, FILE *out,
		       bool *lossy)
{
	const struct rsp_profile_options how = {
		.kind = opt->kind,
		.per_thread = opt->per_thread,
		.tgid = opt->pid || opt->of_target ? m->trace->snap->meta.target_pid : 0,
		.comm = opt->of_target ? NULL : opt->comm,
	};
	_cleanup_(rsp_profile_done) struct rsp_profile p = {0};
	char missing[TEXT_MAX];
	int r;

	r = rsp_profile_make(m, &how, &p);
	if (r < 0)
		return r;
	if (!p.thread_cnt && (how.tgid || how.comm))
		return -ESRCH;
	*lossy = describe_missing(m, &p, how.kind, missing);
	warn(&p, &how, missing);
	return wants_svg(opt) ? write_svg(m, &p, opt, &how, missing, out)
			      : rsp_flame_folded(&p, out);
}

static int write_flame(const struct rsp_opened *opened, const struct rsp_options *opt, FILE *out,
		       bool *lossy)
{
	struct rsp_model *m = NULL;
	int r = rsp_model_new(opened->trace, &m);

	if (r == 0)
		r = write_graph(m, opt, out, lossy);
	rsp_model_free(m);
	return r;
}

static const struct rsp_document flame = {write_flame, "flame graph", "draw"};

/*
 * A watch of memory sees only the command or process and its descendants, and the graph shows all
 * of these.
 */
static int draw_live(const struct rsp_options *opt)
{
	__u32 memory = rsp_profile_words(opt->kind)->memory;
	_cleanup_(rsp_fresh_done) struct rsp_fresh fresh = {.fd = -1};
	struct rsp_options all = *opt;
	int r;

	if (memory && !opt->command && !opt->pid)
		return rsp_misuse("memory is watched of one process and its descendants: "
				  "name it with --pid, or give a command behind '--'");
	r = rsp_live_record(opt, memory ? 1U << memory : 0, &fresh);
	if (r)
		return r;
	all.of_target = !memory && !opt->whole && (opt->pid || opt->command);
	all.pid = 0;
	return rsp_document_make(&flame, fresh.fd, "what was recorded", &all, opt->output);
}

int rsp_verb_flame(const struct rsp_options *opt)
{
	_cleanup_(rsp_source_done) struct rsp_source source = RSP_SOURCE_NONE;
	struct rsp_options all = *opt;
	int r;

	if (opt->format && strcmp(opt->format, "folded") && strcmp(opt->format, "svg"))
		return rsp_misuse("'%s' is not a format of flame graphs (folded, svg)",
				  opt->format);
	r = rsp_live_check(opt, "flame");
	if (r)
		return r;
	if (rsp_live_is_meant(opt))
		return draw_live(opt);
	r = rsp_source_open(opt, &source);
	if (r)
		return r;
	/* The recorder found the process of a unit, cgroup or port. The graph is about it. */
	all.of_target = opt->unit || opt->cgroup || opt->port;
	return rsp_document_make(&flame, source.fd, source.name, &all, opt->output);
}
