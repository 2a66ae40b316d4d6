/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests opening a part of a snapshot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/snapshot/decode.h"
#include "lib/snapshot/snapshot.h"
#include "rsp/event.h"

#define SECTION_RECORDS 8
#define S		1000000000ULL

struct section {
	struct {
		struct rsp_ev_stack rec;
		__u64 frame;
	} stack;
	struct rsp_ev_task task;
	struct rsp_ev_switch switches[SECTION_RECORDS];
};
_Static_assert(sizeof(struct section) % 8 == 0, "records follow each other");

/*
 * Makes a section with a switch every 10 ns from from_ns on. After the last switch, the thread
 * sleeps.
 */
static struct section make_section(__u32 number, __u64 from_ns)
{
	struct section s = {
		.stack = {.rec = {.hdr = {.ts_ns = from_ns,
					  .kind = RSP_EV_STACK,
					  .size = sizeof(s.stack),
					  .flags = RSP_STACK_USER},
				  .id = 100 + number,
				  .frame_cnt = 1}},
		.task = {.hdr = {.ts_ns = from_ns,
				 .kind = RSP_EV_TASK,
				 .size = sizeof(s.task),
				 .flags = RSP_TASK_SEED},
			 .tid = number,
			 .tgid = number,
			 .comm = "task"},
	};

	for (__u32 i = 0; i < SECTION_RECORDS; i++) {
		s.switches[i] = (struct rsp_ev_switch){
			.hdr = {.ts_ns = from_ns + 10ULL * i,
				.kind = RSP_EV_SWITCH,
				.size = sizeof(s.switches[i])},
			.prev_tid = i % 2 ? number : 0,
			.next_tid = i % 2 ? 0 : number,
			.prev_state = i % 2,
			.syscall_nr = -1,
		};
	}
	return s;
}

static int write_sections(const struct section *v, size_t cnt, __u64 since_ns, __u64 until_ns,
			  __u64 events_until_ns)
{
	const struct rsp_meta meta = {.target_pid = 1,
				      .window_oldest_ns = 1,
				      .since_ns = since_ns,
				      .until_ns = until_ns,
				      .events_until_ns = events_until_ns};
	int fd = memfd_create("test", MFD_CLOEXEC);
	struct rsp_snapshot_writer *w;

	assert_int_equal(rsp_snapshot_writer_new(fd, &w), 0);
	assert_int_equal(rsp_snapshot_write_meta(w, &meta), 0);
	for (size_t i = 0; i < cnt; i++)
		assert_int_equal(rsp_snapshot_write_section(w, RSP_SEC_EVENTS, &v[i], sizeof(v[i])),
				 0);
	assert_int_equal(rsp_snapshot_writer_finish(w), 0);
	rsp_snapshot_writer_free(w);
	return fd;
}

static size_t count(const struct rsp_snapshot *s, __u16 kind, __u64 from_ns)
{
	size_t cnt = 0;

	for (size_t i = 0; i < s->section_cnt; i++) {
		const struct rsp_ev_hdr *rec;
		size_t off = 0;

		while (rsp_record_next(s->sections[i].data, s->sections[i].len, &off, &rec) > 0)
			cnt += (!kind || rec->kind == kind) && rec->ts_ns >= from_ns;
		assert_int_equal(off, s->sections[i].len);
	}
	return cnt;
}

static const struct rsp_ev_switch *carried(const struct rsp_snapshot *s, __u32 tid)
{
	for (size_t i = 0; i < s->section_cnt; i++) {
		const struct rsp_ev_hdr *rec;
		size_t off = 0;

		while (rsp_record_next(s->sections[i].data, s->sections[i].len, &off, &rec) > 0)
			if (rec->kind == RSP_EV_SWITCH && rec->flags & RSP_SW_CARRIED &&
			    ((const struct rsp_ev_switch *)rec)->prev_tid == tid)
				return (const void *)rec;
	}
	return NULL;
}

static void test_all_fits(void **state)
{
	const struct section v[] = {make_section(1, 1000), make_section(2, 2000)};
	int fd = write_sections(v, 2, 1000, 3000, 0);
	struct rsp_snapshot *s;

	assert_int_equal(rsp_snapshot_open_recent_fd(fd, sizeof(v), &s), 0);
	assert_int_equal(count(s, 0, 0), 2 * (SECTION_RECORDS + 2));
	assert_int_equal(s->left_out_cnt, 0);
	assert_int_equal(s->left_out_ns, 0);
	assert_int_equal(s->meta.window_oldest_ns, 1);
	assert_int_equal(s->meta.since_ns, 1000);
	rsp_snapshot_free(s);
	close(fd);
}

/*
 * Section 1 is left out. Section 2 begins before section 1 ends, so some records of section 2 are
 * left out, too.
 */
static void test_oldest_goes(void **state)
{
	const struct section v[] = {make_section(1, 1000), make_section(2, 1040),
				    make_section(3, 3000)};
	int fd = write_sections(v, 3, 1000, 4000, 0);
	const struct rsp_ev_switch *sleep;
	struct rsp_snapshot *s;

	assert_int_equal(rsp_snapshot_open_recent_fd(fd, 2 * sizeof(v[0]), &s), 0);
	assert_int_equal(s->meta.window_oldest_ns, 1071);
	assert_int_equal(s->meta.since_ns, 1071);
	assert_int_equal(s->left_out_ns, 71);
	/*
	 * Left out are the TASK record and all switches of section 1, and the TASK record and the 4
	 * switches until 1070 of section 2.
	 */
	assert_int_equal(s->left_out_cnt, 1 + SECTION_RECORDS + 1 + 4);
	assert_int_equal(count(s, RSP_EV_SWITCH, 1071), 4 + SECTION_RECORDS);
	assert_int_equal(count(s, RSP_EV_TASK, 0), 3);
	sleep = carried(s, 1);
	assert_non_null(sleep);
	assert_int_equal(sleep->hdr.ts_ns, 1070);
	assert_null(carried(s, 3));
	/* Stacks of the records that are left out stay, because later records may refer to them. */
	assert_int_equal(count(s, RSP_EV_STACK, 0), 3);
	rsp_snapshot_free(s);
	close(fd);
}

/*
 * The only section is larger than the limit. It stays, because otherwise no records would be left.
 */
static void test_one_large_section(void **state)
{
	const struct section v[] = {make_section(1, 1000)};
	int fd = write_sections(v, 1, 1000, 2000, 0);
	struct rsp_snapshot *s;

	assert_int_equal(rsp_snapshot_open_recent_fd(fd, 64, &s), 0);
	assert_int_equal(count(s, 0, 0), SECTION_RECORDS + 2);
	assert_int_equal(s->left_out_cnt, 0);
	rsp_snapshot_free(s);
	close(fd);
}

/*
 * The slow request ended long before the end of its snapshot. The records before and after the span
 * of the request are left out.
 */
static void test_span_stays(void **state)
{
	const struct section v[] = {make_section(1, 1 * S), make_section(2, 2 * S),
				    make_section(3, 3 * S), make_section(4, 9 * S)};
	int fd = write_sections(v, 4, 2 * S, 3 * S + 1000, 10 * S);
	struct rsp_snapshot *s;

	assert_int_equal(rsp_snapshot_open_recent_fd(fd, sizeof(v[0]), &s), 0);
	assert_int_equal(s->meta.since_ns, 2 * S);
	assert_int_equal(s->left_out_ns, 0);
	assert_int_equal(s->left_out_cnt, 2 * (SECTION_RECORDS + 1));
	assert_int_equal(count(s, RSP_EV_SWITCH, 2 * S), 2 * SECTION_RECORDS);
	assert_int_equal(count(s, RSP_EV_SWITCH, 4 * S), 0);
	rsp_snapshot_free(s);
	close(fd);
}

static void test_kinds(void **state)
{
	const struct section v[] = {make_section(1, 1000), make_section(2, 2000)};
	int fd = write_sections(v, 2, 1000, 3000, 0);
	struct rsp_snapshot *s;

	assert_int_equal(rsp_snapshot_open_kinds_fd(fd, 1U << RSP_EV_STACK | 1U << RSP_EV_TASK, &s),
			 0);
	assert_int_equal(count(s, 0, 0), 4);
	assert_int_equal(count(s, RSP_EV_STACK, 0), 2);
	assert_int_equal(count(s, RSP_EV_TASK, 0), 2);
	rsp_snapshot_free(s);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_fits),
		cmocka_unit_test(test_oldest_goes),
		cmocka_unit_test(test_one_large_section),
		cmocka_unit_test(test_span_stays),
		cmocka_unit_test(test_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
