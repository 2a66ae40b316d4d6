/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a process has mapped, after forks, execs and mappings over mappings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lib/symbols/images.h"

#define MS 1000000ULL

enum what {
	END,
	MAP,	/* tgid maps [start, end); pgoff names the mapping */
	MARK,	/* the address space of tgid is replaced */
	THREAD, /* tid start of tgid */
	FORK,	/* tgid, by thread start */
	EXEC,	/* tgid */
	EXIT,	/* tgid's first thread */
	ASK,	/* tgid at start: the mapping named pgoff, 0: none */
};

struct step {
	enum what what;
	__u64 ms;
	__u32 tgid;
	__u64 start, end;
	__u64 pgoff;
};

#define STEPS_MAX 16

static const struct {
	const char *name;
	struct step steps[STEPS_MAX];
} cases[] = {
	{"nobody",
	 {{ASK, 1, 1, 0x1000, 0, 0}, {MAP, 1, 1, 0x1000, 0x2000, 7}, {ASK, 1, 2, 0x1000, 0, 0}}},
	{"bounds",
	 {{MAP, 1, 1, 0x3000, 0x4000, 8},
	  {MAP, 1, 1, 0x1000, 0x2000, 7},
	  {ASK, 1, 1, 0xfff, 0, 0},
	  {ASK, 1, 1, 0x1000, 0, 7},
	  {ASK, 1, 1, 0x1fff, 0, 7},
	  {ASK, 1, 1, 0x2000, 0, 0},
	  {ASK, 1, 1, 0x3fff, 0, 8},
	  {ASK, 1, 1, 0x4000, 0, 0},
	  {ASK, 1, 1, UINT64_MAX, 0, 0}}},
	{"over the middle",
	 {{MAP, 1, 1, 0x1000, 0x9000, 7},
	  {MAP, 2, 1, 0x3000, 0x4000, 8},
	  {ASK, 2, 1, 0x2fff, 0, 7},
	  {ASK, 2, 1, 0x3000, 0, 8},
	  {ASK, 2, 1, 0x4000, 0, 7},
	  {ASK, 2, 1, 0x8fff, 0, 7}}},
	{"over several",
	 {{MAP, 1, 1, 0x1000, 0x3000, 1},
	  {MAP, 1, 1, 0x3000, 0x4000, 2},
	  {MAP, 1, 1, 0x5000, 0x6000, 3},
	  {MAP, 1, 1, 0x6000, 0x8000, 4},
	  {MAP, 2, 1, 0x2000, 0x7000, 5},
	  {ASK, 2, 1, 0x1fff, 0, 1},
	  {ASK, 2, 1, 0x2000, 0, 5},
	  {ASK, 2, 1, 0x4800, 0, 5},
	  {ASK, 2, 1, 0x6fff, 0, 5},
	  {ASK, 2, 1, 0x7000, 0, 4}}},
	{"exactly over",
	 {{MAP, 1, 1, 0x1000, 0x2000, 1},
	  {MAP, 1, 1, 0x2000, 0x3000, 2},
	  {MAP, 2, 1, 0x1000, 0x2000, 3},
	  {ASK, 2, 1, 0x1fff, 0, 3},
	  {ASK, 2, 1, 0x2000, 0, 2}}},
	{"a length that wraps is ignored",
	 {{MAP, 1, 1, 0x1000, 0x800, 1}, {ASK, 1, 1, 0x1000, 0, 0}}},
	{"fork inherits, then they part",
	 {{MAP, 1, 1, 0x1000, 0x2000, 1},
	  {FORK, 2, 50, 1, 0, 0},
	  {ASK, 2, 50, 0x1000, 0, 1},
	  {MAP, 3, 50, 0x1000, 0x2000, 2},
	  {MAP, 4, 1, 0x5000, 0x6000, 3},
	  {ASK, 4, 50, 0x1000, 0, 2},
	  {ASK, 4, 50, 0x5000, 0, 0},
	  {ASK, 4, 1, 0x1000, 0, 1},
	  {ASK, 4, 1, 0x5000, 0, 3}}},
	{"fork by a thread that is not the first",
	 {{THREAD, 1, 1, 33, 0, 0},
	  {MAP, 1, 1, 0x1000, 0x2000, 1},
	  {FORK, 2, 50, 33, 0, 0},
	  {ASK, 2, 50, 0x1000, 0, 1}}},
	{"fork by a stranger drops what a reused tgid had",
	 {{MAP, 1, 50, 0x1000, 0x2000, 1}, {FORK, 2, 50, 99, 0, 0}, {ASK, 2, 50, 0x1000, 0, 0}}},
	{"exec with a marker, slow to load",
	 {{MAP, 1, 1, 0x1000, 0x2000, 1},
	  {MARK, 1000, 1, 0, 0, 0},
	  {ASK, 1000, 1, 0x1000, 0, 0},
	  {MAP, 1001, 1, 0x4000, 0x5000, 2},
	  {EXEC, 3000, 1, 0, 0, 0},
	  {ASK, 3000, 1, 0x4000, 0, 2},
	  {ASK, 3000, 1, 0x1000, 0, 0}}},
	{"exec without a marker",
	 {{MAP, 1, 1, 0x1000, 0x2000, 1},
	  {MAP, 999, 1, 0x4000, 0x5000, 2},
	  {EXEC, 1000, 1, 0, 0, 0},
	  {ASK, 1000, 1, 0x1000, 0, 0},
	  {ASK, 1000, 1, 0x4000, 0, 2}}},
	{"a marker serves one exec",
	 {{MARK, 1, 1, 0, 0, 0},
	  {MAP, 2, 1, 0x1000, 0x2000, 1},
	  {EXEC, 3, 1, 0, 0, 0},
	  {MAP, 2001, 1, 0x4000, 0x5000, 2},
	  {EXEC, 2002, 1, 0, 0, 0},
	  {ASK, 2002, 1, 0x1000, 0, 0},
	  {ASK, 2002, 1, 0x4000, 0, 2}}},
	{"exec of a child leaves the parent alone",
	 {{MAP, 1, 1, 0x1000, 0x2000, 1},
	  {FORK, 100, 50, 1, 0, 0},
	  {EXEC, 200, 50, 0, 0, 0},
	  {ASK, 200, 50, 0x1000, 0, 0},
	  {ASK, 200, 1, 0x1000, 0, 1}}},
	{"exec of an unknown process", {{EXEC, 1, 1, 0, 0, 0}, {ASK, 1, 1, 0x1000, 0, 0}}},
	{"mappings outlive the exit of the first thread",
	 {{MAP, 1, 1, 0x1000, 0x2000, 1}, {EXIT, 2, 1, 0, 0, 0}, {ASK, 2, 1, 0x1000, 0, 1}}},
};

union record {
	struct rsp_ev_hdr hdr;
	struct rsp_ev_task task;
	struct rsp_ev_exit exit;
	struct {
		struct rsp_ev_mmap mmap;
		char path[8];
	};
};

static union record make_task(const struct step *s, __u16 reason)
{
	return (union record){
		.task = {
			.hdr = {s->ms * MS, RSP_EV_TASK, sizeof(struct rsp_ev_task), 0, reason},
			.tid = s->what == THREAD ? (__u32)s->start : s->tgid,
			.tgid = s->tgid,
			.ptid = s->what == FORK ? (__u32)s->start : 1,
		}};
}

static union record make_record(const struct step *s)
{
	switch (s->what) {
	case THREAD:
		return make_task(s, RSP_TASK_SEED);
	case FORK:
		return make_task(s, RSP_TASK_FORK);
	case EXEC:
		return make_task(s, RSP_TASK_EXEC);
	case EXIT:
		return (union record){.exit = {.hdr = {s->ms * MS, RSP_EV_EXIT, 32, 0, 0},
					       .tid = s->tgid,
					       .tgid = s->tgid}};
	default:
		return (union record){.mmap = {.hdr = {s->ms * MS, RSP_EV_MMAP, 88, 0, 0},
					       .start = s->start,
					       .len = s->end - s->start,
					       .pgoff_bytes = s->pgoff,
					       .tgid = s->tgid}};
	}
}

static void run_case(const char *name, const struct step *steps)
{
	union record records[STEPS_MAX];
	struct rsp_images *images = NULL;

	assert_int_equal(rsp_images_new(&images), 0);
	for (size_t i = 0; i < STEPS_MAX && steps[i].what != END; i++) {
		const struct step *s = &steps[i];
		const struct rsp_ev_mmap *map;

		if (s->what != ASK) {
			records[i] = make_record(s);
			assert_int_equal(rsp_images_apply(images, &records[i].hdr), 0);
			continue;
		}
		map = rsp_images_find(images, s->tgid, s->start);
		if ((map ? map->pgoff_bytes : 0) != s->pgoff)
			fail_msg("%s: step %zu: got %llu", name, i, map ? map->pgoff_bytes : 0);
	}
	rsp_images_free(images);
}

static void test_cases(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		run_case(cases[i].name, cases[i].steps);
}

/* Random mappings over each other, against an array of pages that is obviously right. */
static void test_against_pages(void **state)
{
	enum { PAGES = 64, ROUNDS = 2000 };
	struct rsp_images *images = NULL;
	struct rsp_ev_mmap *records = calloc(ROUNDS, sizeof(*records));
	size_t pages[PAGES] = {0};
	unsigned int seed = 1;

	assert_int_equal(rsp_images_new(&images), 0);
	for (size_t i = 1; i < ROUNDS; i++) {
		size_t start = (size_t)rand_r(&seed) % PAGES;
		size_t len = 1 + (size_t)rand_r(&seed) % 8;

		records[i] = (struct rsp_ev_mmap){
			.hdr = {i, RSP_EV_MMAP, sizeof(*records), 0, 0},
			.start = start << 12,
			.len = len << 12,
			.tgid = 1,
		};
		assert_int_equal(rsp_images_apply(images, &records[i].hdr), 0);
		for (size_t p = start; p < start + len && p < PAGES; p++)
			pages[p] = i;
		for (size_t p = 0; p < PAGES; p++) {
			const struct rsp_ev_mmap *map = rsp_images_find(images, 1, p << 12);

			assert_ptr_equal(map, pages[p] ? &records[pages[p]] : NULL);
		}
	}
	rsp_images_free(images);
	free(records);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_against_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
