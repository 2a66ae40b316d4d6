/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests lib/model/cut/cut.h. In each recording, one process belongs to a user. Cutting the redacted
 * snapshot must not change the chains of this process, and must leave out most other records.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/model/cut/cut-names.h"
#include "lib/model/cut/cut.h"
#include "lib/model/explain/explain.h"
#include "lib/report/report.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/owner.h"
#include "lib/snapshot/redact.h"
#include "tests/story/story.h"

#define USER   1000
#define OTHERS 1001

/* --- a snapshot, redacted, cut ---------------------------------------------------------------- */

/*
 * If `other` is 0, only the process of interest belongs to USER; otherwise, the process `other`
 * does, too.
 */
static void give_away(struct rsp_snapshot *snap, __u32 other)
{
	for (size_t i = 0; i < snap->section_cnt; i++) {
		const struct rsp_section *sec = &snap->sections[i];
		const struct rsp_ev_hdr *hdr;
		size_t off = 0;

		while (sec->type == RSP_SEC_EVENTS &&
		       rsp_record_next(sec->data, sec->len, &off, &hdr) > 0) {
			struct rsp_ev_task *task = (void *)hdr;

			if (hdr->kind == RSP_EV_EXIT)
				((struct rsp_ev_exit *)task)->attrs = 0;
			if (hdr->kind != RSP_EV_TASK)
				continue;
			task->uid = task->tgid == snap->meta.target_pid || task->tgid == other
					    ? USER
					    : OTHERS;
			task->attrs &= ~RSP_TASK_ATTR_CLOSED;
		}
	}
}

static struct rsp_snapshot *read_golden(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct rsp_snapshot *snap;

	assert_true(fd >= 0);
	assert_int_equal(rsp_snapshot_open_fd(fd, &snap), 0);
	close(fd);
	return snap;
}

static struct rsp_snapshot *cut(const struct rsp_snapshot *snap)
{
	int fd = memfd_create("cut", 0);
	struct rsp_snapshot_writer *w;
	struct rsp_snapshot *ret;

	assert_int_equal(rsp_snapshot_writer_new(fd, &w), 0);
	assert_int_equal(rsp_cut(snap, w), 0);
	assert_int_equal(rsp_snapshot_writer_finish(w), 0);
	rsp_snapshot_writer_free(w);
	assert_int_equal(rsp_snapshot_open_fd(fd, &ret), 0);
	close(fd);
	return ret;
}

/* --- the explanations ----------------------------------------------------------------------- */

static char *report_of(const struct rsp_snapshot *snap, enum rsp_view view)
{
	struct rsp_explanation *e;
	struct rsp_trace *trace;
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_int_equal(rsp_trace_new(snap, &trace), 0);
	assert_int_equal(rsp_explain(trace, &e), 0);
	e->event_cnt = 0; /* a cut snapshot has fewer events */
	assert_int_equal(
		rsp_report_text(e, view,
				&(struct rsp_report_options){.width = 1000, .chain_max = 100000},
				f),
		0);
	fclose(f);
	rsp_explanation_free(e);
	rsp_trace_free(trace);
	return text;
}

static void differ(const char *name, const char *want, const char *got)
{
	size_t line = 0;

	while (*want && *got) {
		size_t a = strcspn(want, "\n"), b = strcspn(got, "\n");

		line++;
		if (a != b || memcmp(want, got, a) != 0)
			fail_msg("%s: line %zu\n-%.*s\n+%.*s", name, line, (int)a, want, (int)b,
				 got);
		want += a + (want[a] != '\0');
		got += b + (got[b] != '\0');
	}
	if (*want || *got)
		fail_msg("%s: of other lengths", name);
}

static void same_views(const char *name, const struct rsp_snapshot *want,
		       const struct rsp_snapshot *got, const enum rsp_view *views, size_t cnt)
{
	for (size_t i = 0; i < cnt; i++) {
		char *a = report_of(want, views[i]), *b = report_of(got, views[i]);

		differ(name, a, b);
		free(a);
		free(b);
	}
}

static void same_reports(const char *name, const struct rsp_snapshot *want,
			 const struct rsp_snapshot *got)
{
	static const enum rsp_view views[] = {RSP_VIEW_TABLE, RSP_VIEW_CHAINS, RSP_VIEW_PATHS,
					      RSP_VIEW_EXPLAIN};

	same_views(name, want, got, views, sizeof(views) / sizeof(views[0]));
}

static void same_chains(const char *name, const struct rsp_snapshot *want,
			const struct rsp_snapshot *got)
{
	static const enum rsp_view views[] = {RSP_VIEW_TABLE, RSP_VIEW_CHAINS};

	same_views(name, want, got, views, sizeof(views) / sizeof(views[0]));
}

static size_t count(const struct rsp_snapshot *snap, __u16 kind)
{
	size_t cnt = 0;

	for (size_t i = 0; i < snap->section_cnt; i++) {
		const struct rsp_section *sec = &snap->sections[i];
		const struct rsp_ev_hdr *hdr;
		size_t off = 0;

		while (sec->type == RSP_SEC_EVENTS &&
		       rsp_record_next(sec->data, sec->len, &off, &hdr) > 0)
			cnt += hdr->kind == kind;
	}
	return cnt;
}

/*
 * Returns the PID of the next process that existed at the beginning and does not belong to the
 * kernel, or 0. *section and *off are the position of the search.
 */
static __u32 next_process(const struct rsp_snapshot *snap, size_t *section, size_t *off)
{
	for (; *section < snap->section_cnt; ++*section, *off = 0) {
		const struct rsp_section *sec = &snap->sections[*section];
		const struct rsp_ev_hdr *hdr;

		while (sec->type == RSP_SEC_EVENTS &&
		       rsp_record_next(sec->data, sec->len, off, &hdr) > 0) {
			const struct rsp_ev_task *task = (const void *)hdr;

			if (hdr->kind == RSP_EV_TASK && hdr->flags & RSP_TASK_SEED &&
			    task->tid == task->tgid && !rsp_task_is_kernel(task))
				return task->tid;
		}
	}
	return 0;
}

static bool can_be_explained(const struct rsp_snapshot *snap)
{
	struct rsp_explanation *e = NULL;
	struct rsp_trace *trace;
	bool can;

	assert_int_equal(rsp_trace_new(snap, &trace), 0);
	can = rsp_explain(trace, &e) == 0;
	rsp_explanation_free(e);
	rsp_trace_free(trace);
	return can;
}

static bool cut_for(struct rsp_snapshot *snap, const char *path, __u32 target, bool print_counts)
{
	struct rsp_snapshot *redacted, *less;
	char name[128];
	bool can;

	snap->meta.target_pid = target;
	give_away(snap, 0);
	assert_int_equal(rsp_redact(snap, USER, &redacted), 0);
	can = can_be_explained(redacted);
	less = cut(redacted);
	snprintf(name, sizeof(name), "%s: process %u", path, target);
	if (can)
		same_reports(name, redacted, less);
	if (print_counts)
		print_message(
			"%s: switches %zu -> %zu, wakeups %zu -> %zu, interrupts %zu -> %zu\n",
			name, count(redacted, RSP_EV_SWITCH), count(less, RSP_EV_SWITCH),
			count(redacted, RSP_EV_WAKING), count(less, RSP_EV_WAKING),
			count(redacted, RSP_EV_IRQ), count(less, RSP_EV_IRQ));
	assert_true(count(less, RSP_EV_SWITCH) <= count(redacted, RSP_EV_SWITCH));
	rsp_snapshot_free(less);
	rsp_snapshot_free(redacted);
	return can;
}

static void test_recorded_programs(void **state)
{
	glob_t found;

	assert_int_equal(glob("tests/golden/*.rsp", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct rsp_snapshot *snap = read_golden(found.gl_pathv[i]);

		assert_true(cut_for(snap, found.gl_pathv[i], snap->meta.target_pid, true));
		rsp_snapshot_free(snap);
	}
	globfree(&found);
}

static void test_all_their_processes(void **state)
{
	size_t cnt = 0;
	glob_t found;

	assert_int_equal(glob("tests/golden/*.rsp", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct rsp_snapshot *snap = read_golden(found.gl_pathv[i]);
		size_t section = 0, off = 0;
		__u32 target;

		snap->meta.target_start_ns = 0;
		while ((target = next_process(snap, &section, &off)))
			cnt += cut_for(snap, found.gl_pathv[i], target, false);
		rsp_snapshot_free(snap);
	}
	globfree(&found);
	assert_true(cnt > 0);
}

static bool cut_beside(struct rsp_snapshot *snap, const char *path, __u32 target, __u32 other)
{
	struct rsp_snapshot *redacted, *less;
	char name[128];
	bool can;

	snap->meta.target_pid = target;
	give_away(snap, other);
	assert_int_equal(rsp_redact(snap, USER, &redacted), 0);
	less = cut(redacted);
	rsp_meta_choose_process(&redacted->meta, other);
	rsp_meta_choose_process(&less->meta, other);
	can = can_be_explained(redacted);
	snprintf(name, sizeof(name), "%s: process %u beside %u", path, other, target);
	if (can)
		same_chains(name, redacted, less);
	rsp_snapshot_free(less);
	rsp_snapshot_free(redacted);
	return can;
}

static void test_processes_beside(void **state)
{
	size_t cnt = 0;
	glob_t found;

	assert_int_equal(glob("tests/golden/*.rsp", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct rsp_snapshot *snap = read_golden(found.gl_pathv[i]);
		__u32 target = snap->meta.target_pid, other;
		size_t section = 0, off = 0;

		snap->meta.target_start_ns = 0;
		while ((other = next_process(snap, &section, &off)))
			if (other != target)
				cnt += cut_beside(snap, found.gl_pathv[i], target, other);
		rsp_snapshot_free(snap);
	}
	globfree(&found);
	assert_true(cnt > 0);
}

#define CONTAINER "/libpod-3726184226f5d3147c25fdeab5b60097e378e8a720503a5e19ecfdf29f869860.scope"

static void test_containers(void **state)
{
	struct story *s = story_new("0 window 0 10; 0 target 10\n"
				    "0 cgroup 5 " CONTAINER " ino=6; 0 cgroup 7 /lxc/other ino=8\n"
				    "0 container mail cgroup=6; 0 container other cgroup=8\n"
				    "0 alive 10 imap uid=1000 cgroup=6; 0 run 10; 10 block 10\n");
	struct rsp_snapshot *redacted, *less;
	char *text;

	assert_int_equal(rsp_redact(&s->snap, USER, &redacted), 0);
	less = cut(redacted);
	text = report_of(less, RSP_VIEW_CHAINS);
	assert_non_null(strstr(text, "imap [10] in mail computing"));
	free(text);
	rsp_snapshot_free(less);
	rsp_snapshot_free(redacted);
	story_free(s);
}

/* --- each kind of record ---------------------------------------------------------------------- */

/* the fields of a record with which rsp_cut_names_refer() finds names */
struct ref {
	size_t off;
	enum { STACKS = 1, THINGS, CGROUPS } map;
};

#define REF(type, member, map)                                                                     \
	{                                                                                          \
		offsetof(struct type, member), map                                                 \
	}
#define REFS(...) ((const struct ref[]){__VA_ARGS__, {0}})
#define NO_REFS	  ((const struct ref[]){{0}})

static const struct fate {
	enum {
		UNDECIDED,
		KEPT,	 /* see keep_of() and keeps_identity() in lib/model/cut/cut.c */
		LISTED,	 /* kept: the trace has a list of its own, which write_events() copies */
		NAME,	 /* kept only if a kept record refers to it */
		SPLIT,	 /* the trace makes NET records of it */
		UNKNOWN, /* left out, because readers skip this kind */
	} what;
	__u16 flags;
	const struct ref *refs; /* for KEPT */
} fates[RSP_EV_KIND_MAX] = {
	[0] = {UNKNOWN},
	[RSP_EV_SWITCH] = {KEPT, 0,
			   REFS(REF(rsp_ev_switch, object, THINGS),
				REF(rsp_ev_switch, kstack, STACKS),
				REF(rsp_ev_switch, ustack, STACKS))},
	/* the cause: see test_conditional_references() */
	[RSP_EV_WAKING] = {KEPT, 0,
			   REFS(REF(rsp_ev_waking, kstack, STACKS),
				REF(rsp_ev_waking, ustack, STACKS))},
	[RSP_EV_SAMPLE] = {KEPT, 0,
			   REFS(REF(rsp_ev_sample, kstack, STACKS),
				REF(rsp_ev_sample, ustack, STACKS))},
	/* the disk: see test_conditional_references() */
	[RSP_EV_BLOCK] = {KEPT, RSP_BLK_ISSUE, REFS(REF(rsp_ev_block, object, THINGS))},
	[RSP_EV_IRQ] = {KEPT, RSP_IRQ_HARD, REFS(REF(rsp_ev_irq, object, THINGS))},
	[RSP_EV_NET] = {KEPT, 0, REFS(REF(rsp_ev_net, object, THINGS))},
	[RSP_EV_STACK] = {NAME},
	[RSP_EV_OBJECT] = {NAME},
	[RSP_EV_SOCKET] = {NAME},
	[RSP_EV_TASK] = {KEPT, 0, REFS(REF(rsp_ev_task, cgroup_id, CGROUPS))},
	[RSP_EV_EXIT] = {KEPT, 0, NO_REFS},
	[12] = {UNKNOWN},
	[RSP_EV_LOST] = {KEPT, 0, NO_REFS},
	[RSP_EV_WORK] = {KEPT, 0, REFS(REF(rsp_ev_work, function, STACKS))},
	[RSP_EV_BINARY] = {NAME},
	[RSP_EV_SHED] = {LISTED},
	[RSP_EV_DELAY] = {KEPT, RSP_DELAY_RECLAIM, REFS(REF(rsp_ev_delay, object, THINGS))},
	[RSP_EV_MESSAGE] = {SPLIT},
	[RSP_EV_MARK] = {LISTED},
	[RSP_EV_COUNTERS] = {LISTED},
	[RSP_EV_ACCOUNT] = {KEPT, 0, NO_REFS},
	[RSP_EV_CALLS] = {KEPT, 0, NO_REFS},
	[RSP_EV_CPU_TIME] = {KEPT, 0, NO_REFS},
	[RSP_EV_MEMORY] = {KEPT, 0,
			   REFS(REF(rsp_ev_memory, kstack, STACKS),
				REF(rsp_ev_memory, ustack, STACKS))},
	[RSP_EV_MEMORY_WATCH] = {KEPT, 0, NO_REFS},
	[RSP_EV_STOLEN] = {KEPT, 0, NO_REFS},
	[RSP_EV_CONTAINER] = {NAME},
};

static size_t bytes_of(__u16 kind)
{
	size_t bytes = rsp_record_bytes(kind);

	if (kind == RSP_EV_BINARY)
		return bytes + 8;
	return bytes ? bytes : 40;
}

/*
 * Adds a record to the story. All its 32-bit fields contain 10, the thread of the user. This is
 * also a valid length of its parts, except for a stack.
 */
static void add_record(struct story *s, __u16 kind)
{
	size_t bytes = bytes_of(kind);
	__u32 *words = story_record(s, kind, bytes, fates[kind].flags);

	for (size_t i = sizeof(struct rsp_ev_hdr) / 4; i < bytes / 4; i++)
		words[i] = 10;
	if (kind == RSP_EV_STACK)
		((struct rsp_ev_stack *)words)->frame_cnt = 0;
	assert_int_equal(rsp_record_check(words, bytes), 0);
}

/*
 * Cuts a story with a record of a kind, or without it if kind is 0. Returns the number of records
 * of counted_kind in the result.
 */
static size_t kept_cnt(__u16 kind, __u16 counted_kind)
{
	struct story *s = story_begin();
	struct rsp_snapshot *less;
	size_t cnt;

	assert_int_equal(story_read(s, "0 window 0 10; 0 target 10; 0 alive 10 app; 0 run 10"), 0);
	assert_int_equal(story_read(s, "1 block 10; 2 run 10"), 0);
	if (kind)
		add_record(s, kind);
	story_finish(s);
	less = cut(&s->snap);
	cnt = count(less, counted_kind);
	rsp_snapshot_free(less);
	story_free(s);
	return cnt;
}

/* If this fails for a new kind, follow the recipe for record kinds in CONTRIBUTING.md. */
static void test_every_kind_is_decided(void **state)
{
	(void)state;
	for (__u16 kind = 1; kind < RSP_EV_KIND_MAX; kind++) {
		size_t added = kept_cnt(kind, kind) - kept_cnt(0, kind);

		if (fates[kind].what == UNDECIDED)
			fail_msg("kind %u is not in fates", kind);
		if (added != (fates[kind].what == KEPT || fates[kind].what == LISTED))
			fail_msg("kind %u: %zu records are kept", kind, added);
		if ((fates[kind].what == KEPT) != !!fates[kind].refs)
			fail_msg("kind %u: its references are not decided", kind);
	}
	assert_int_equal(kept_cnt(RSP_EV_MESSAGE, RSP_EV_NET), 2);
}

static int map_with(const struct rsp_cut_names *n, __u64 id)
{
	if (rsp_idmap_get(&n->stacks, id, &(uint64_t){0}))
		return STACKS;
	if (rsp_idmap_get(&n->things, id, &(uint64_t){0}))
		return THINGS;
	return rsp_idmap_get(&n->cgroups, id, &(uint64_t){0}) ? CGROUPS : 0;
}

static int expected_map(const struct ref *refs, size_t off)
{
	for (; refs->map; refs++)
		if (refs->off == off)
			return refs->map;
	return 0;
}

static void test_references(void **state)
{
	_Alignas(8) char buf[sizeof(struct rsp_ev_container)];

	(void)state;
	for (__u16 kind = 1; kind < RSP_EV_KIND_MAX; kind++) {
		size_t bytes = rsp_record_bytes(kind);
		struct rsp_ev_hdr *hdr = (void *)buf;
		struct rsp_cut_names names = {0};

		if (fates[kind].what != KEPT)
			continue;
		assert_true(bytes <= sizeof(buf));
		*hdr = (struct rsp_ev_hdr){
			.kind = kind, .size = (__u16)bytes, .flags = fates[kind].flags};
		for (size_t off = sizeof(*hdr); off < bytes; off += 8)
			*(__u64 *)(buf + off) = (__u64)off << 40 | off;
		assert_int_equal(rsp_cut_names_refer(&names, hdr), 0);
		for (size_t off = sizeof(*hdr); off < bytes; off += 8)
			if (map_with(&names, (__u64)off << 40 | off) !=
			    expected_map(fates[kind].refs, off))
				fail_msg("kind %u: the field at byte %zu", kind, off);
		rsp_cut_names_done(&names);
	}
}

static void test_conditional_references(void **state)
{
	struct rsp_ev_waking waking = {.hdr = {.kind = RSP_EV_WAKING}, .cause = 5};
	struct rsp_ev_work work = {.hdr = {.kind = RSP_EV_WORK}, .cause = 5};
	struct rsp_ev_switch sw = {.hdr = {.kind = RSP_EV_SWITCH, .flags = RSP_SW_FUTEX},
				   .object = 5};
	struct rsp_ev_irq irq = {.hdr = {.kind = RSP_EV_IRQ}, .object = 5};
	struct rsp_ev_block block = {.hdr = {.kind = RSP_EV_BLOCK}, .dev = 7};
	struct rsp_cut_names names = {0};

	(void)state;
	assert_int_equal(rsp_cut_names_refer(&names, &sw.hdr), 0);
	assert_int_equal(rsp_cut_names_refer(&names, &irq.hdr), 0);
	assert_int_equal(map_with(&names, 5), 0);
	assert_int_equal(rsp_cut_names_refer(&names, &block.hdr), 0);
	assert_int_equal(map_with(&names, RSP_DISK_ID(7)), THINGS);
	rsp_cut_names_done(&names);
	for (__u32 context = RSP_WAKE_TASK; context <= RSP_WAKE_UNSEEN; context++) {
		bool is_handler = context == RSP_WAKE_HARDIRQ || context == RSP_WAKE_IRQ;
		int map = context == RSP_WAKE_KTIMER ? STACKS : is_handler ? THINGS : 0;

		for (int i = 0; i < 2; i++) {
			names = (struct rsp_cut_names){0};
			waking.context = work.context = context;
			assert_int_equal(rsp_cut_names_refer(&names, i ? &waking.hdr : &work.hdr),
					 0);
			assert_int_equal(map_with(&names, 5), map);
			rsp_cut_names_done(&names);
		}
	}
}

/* A later recorder may write a longer record than the struct of this version. */
static void test_long_record(void **state)
{
	struct story *s = story_begin();
	struct rsp_snapshot *less;

	(void)state;
	assert_int_equal(story_read(s, "0 window 0 10; 0 target 10; 0 alive 10 app; 0 run 10"), 0);
	((struct rsp_ev_memory_watch *)story_record(s, RSP_EV_MEMORY_WATCH, 65528, 0))->tgid = 10;
	story_finish(s);
	less = cut(&s->snap);
	assert_int_equal(count(less, RSP_EV_MEMORY_WATCH), 1);
	rsp_snapshot_free(less);
	story_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded_programs),
		cmocka_unit_test(test_all_their_processes),
		cmocka_unit_test(test_processes_beside),
		cmocka_unit_test(test_containers),
		cmocka_unit_test(test_every_kind_is_decided),
		cmocka_unit_test(test_references),
		cmocka_unit_test(test_conditional_references),
		cmocka_unit_test(test_long_record),
	};

	return cmocka_run_group_tests_name("cut", tests, NULL, NULL);
}
