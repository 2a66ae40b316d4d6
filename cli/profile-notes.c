/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See profile-notes.h. */
#include "cli/profile-notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/format.h"
#include "lib/snapshot/decode.h"

static void append(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(char *text, const char *format, ...)
{
	size_t len = strlen(text);
	va_list args;

	if (len)
		len += (size_t)snprintf(text + len, RSP_PROFILE_NOTE_BYTES - len, "; ");
	if (len >= RSP_PROFILE_NOTE_BYTES)
		return;
	va_start(args, format);
	vsnprintf(text + len, RSP_PROFILE_NOTE_BYTES - len, format, args);
	va_end(args);
}

/* --- memory that was watched ------------------------------------------------------------------ */

static const char *const reasons[RSP_MEMORY_LOST_CHILDREN] = {
	[RSP_MEMORY_LOST_STACKS] = "the table of stacks was full",
	[RSP_MEMORY_LOST_BLOCKS] = "the table of allocated blocks was full",
	[RSP_MEMORY_LOST_THREADS] = "no memory for the state of a thread",
	[RSP_MEMORY_LOST_SKIPPED] = "the kernel skipped a program",
};

/* Returns 0 if the recorder was an older version that did not record the count. */
static __u64 lost_for(const struct rsp_ev_memory_watch *watch, enum rsp_memory_lost reason)
{
	if (reason > RSP_MEMORY_LOST_CHILDREN && watch->hdr.size < sizeof(*watch))
		return 0;
	return watch->lost_cnt[reason];
}

static const char *plural(__u64 cnt)
{
	return cnt == 1 ? "" : "s";
}

/*
 * Returns whether calls are certainly missing: a file that could not be searched may contain no
 * allocator, and a static program without a function malloc() may not need one.
 */
static bool describe_allocators(const struct rsp_ev_memory_watch *watch, char *ret)
{
	__u64 child_cnt = lost_for(watch, RSP_MEMORY_LOST_CHILDREN),
	      late_cnt = lost_for(watch, RSP_MEMORY_LOST_LATE),
	      file_cnt = lost_for(watch, RSP_MEMORY_LOST_FILES),
	      static_cnt = lost_for(watch, RSP_MEMORY_LOST_STATIC),
	      late_child_cnt = lost_for(watch, RSP_MEMORY_LOST_LATE_CHILDREN),
	      failed_cnt = lost_for(watch, RSP_MEMORY_LOST_PROBES);
	char late[RSP_FORMAT_MAX];

	if (!watch->function_cnt)
		append(ret, "the process has no allocator with symbols, so no call was seen");
	if (child_cnt)
		append(ret,
		       "%llu child process%s not in this graph, because %s ended before RSP could "
		       "attach probes, or too many others ran",
		       child_cnt, child_cnt == 1 ? " is" : "es are",
		       child_cnt == 1 ? "it" : "they");
	if (late_child_cnt)
		append(ret,
		       "%llu child process%s got probes after birth: calls in the first %s are "
		       "missing (to see them, record this program itself as the command)",
		       late_child_cnt, late_child_cnt == 1 ? "" : "es",
		       rsp_format_ns(watch->late_ns, late, sizeof(late)));
	if (failed_cnt)
		append(ret,
		       "%llu allocator%s in use got no probes, because the kernel refused them: the "
		       "log of rspd has the reason",
		       failed_cnt, failed_cnt == 1 ? "" : "s");
	if (late_cnt)
		append(ret,
		       "%llu allocator%s got probes after a process had mapped it: calls in the first "
		       "%s are missing (to see them, record the program itself as the command, with "
		       "LD_PRELOAD set for rspctl)",
		       late_cnt, plural(late_cnt),
		       rsp_format_ns(watch->late_ns, late, sizeof(late)));
	if (file_cnt)
		append(ret,
		       "%llu mapped file%s could not be searched for an allocator (its process "
		       "had ended, or there were too many files)",
		       file_cnt, plural(file_cnt));
	if (static_cnt)
		append(ret,
		       "%llu static program%s without a function malloc(): memory of Go programs is in "
		       "kind mmap, C programs need a symbol table",
		       static_cnt, plural(static_cnt));
	return !watch->function_cnt || child_cnt || late_cnt || late_child_cnt || failed_cnt;
}

/*
 * Returns whether events are missing. If the table of allocated blocks was full, events are missing
 * only from graphs of leaks.
 */
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
	return (watch && is_malloc && describe_allocators(watch, ret)) || lossy;
}

static void describe_unwatched(enum rsp_profile_kind kind, char *ret)
{
	const struct rsp_profile_words *words = rsp_profile_words(kind);

	snprintf(ret, RSP_PROFILE_NOTE_BYTES,
		 "Memory (%s) was not watched in this recording: record with 'rspctl run "
		 "--memory=%s -- CMD', or draw with 'rspctl flame --kind=%s -- CMD'",
		 rsp_memory_kind_name(words->memory), rsp_memory_kind_name(words->memory),
		 words->key);
}

/* --- pauses ----------------------------------------------------------------------------------- */

static __u64 paused_ns(const struct rsp_model *m, enum rsp_profile_kind kind)
{
	/* The recorder watches memory during pauses, too. */
	if (rsp_profile_words(kind)->memory)
		return 0;
	return rsp_gap_within(&m->pauses, m->since_ns, m->until_ns);
}

static void describe_pauses(const struct rsp_model *m, __u64 ns, char *ret)
{
	__u64 requested_ns = rsp_gap_within(&m->requested, m->since_ns, m->until_ns);
	char paused[RSP_FORMAT_MAX], span[RSP_FORMAT_MAX];

	append(ret, "the recorder paused for %s of %s", rsp_format_ns(ns, paused, sizeof(paused)),
	       rsp_format_ns(m->until_ns - m->since_ns, span, sizeof(span)));
	if (requested_ns)
		append(ret, "%s of it by request (rspctl pause)",
		       rsp_format_ns(requested_ns, paused, sizeof(paused)));
}

bool rsp_profile_missing(const struct rsp_model *m, const struct rsp_profile *p,
			 const struct rsp_profile_options *how,
			 char ret[static RSP_PROFILE_NOTE_BYTES])
{
	enum rsp_profile_kind kind = how->kind;
	__u64 lost_cnt = rsp_trace_lost(m->trace, m->since_ns, m->until_ns);
	char buf[RSP_FORMAT_MAX];
	bool lossy;

	*ret = '\0';
	if (m->trace->snap->truncated || m->trace->bad_cnt)
		append(ret, "the snapshot is damaged or cut off");
	if (lost_cnt)
		append(ret, "%llu records were lost", lost_cnt);
	lossy = describe_missing_memory(p->watch, kind, ret);
	if (paused_ns(m, kind))
		describe_pauses(m, paused_ns(m, kind), ret);
	if (p->unknown_ns && !rsp_profile_words(kind)->memory)
		append(ret, "the records do not explain %s",
		       rsp_format_ns(p->unknown_ns, buf, sizeof(buf)));
	if (m->trace->snap->meta.redacted)
		append(ret, how->tgid || how->comm ? "other users' tasks have no names and stacks"
						   : "other users' processes are left out");
	return lost_cnt || lossy;
}

const char *rsp_profile_empty(const struct rsp_model *m, const struct rsp_profile *p,
			      enum rsp_profile_kind kind, char ret[static RSP_PROFILE_NOTE_BYTES])
{
	const struct rsp_profile_words *words = rsp_profile_words(kind);

	*ret = '\0';
	if (words->memory && !p->watch)
		describe_unwatched(kind, ret);
	else if (paused_ns(m, kind))
		append(ret, "Nothing of this kind was recorded.");
	else
		append(ret, "%s", words->empty);
	return ret;
}
