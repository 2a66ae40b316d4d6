/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the conversion of files in /proc and /sys to COUNTERS records. */
#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/machine/counters.h"
#include "lib/snapshot/decode.h"

#define S 1000000000ULL

static char root[] = "/tmp/rsp-counters-XXXXXX";

struct got {
	__u64 v[RSP_COUNTER_SET_CNT * RSP_COUNTER_SET_SIZE];
	size_t cnt;
};

static void sink(const void *record, size_t len, void *userdata)
{
	const struct rsp_ev_counters *rec = record;
	struct got *got = userdata;

	assert_int_equal(rsp_record_check(record, len), 0);
	assert_true(rec->hdr.flags < RSP_COUNTER_SET_CNT);
	memcpy(got->v + rec->hdr.flags * RSP_COUNTER_SET_SIZE, rec->v, sizeof(rec->v));
	got->cnt++;
}

static void put_file(const char *name, const char *text)
{
	char path[PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", root, name);
	for (char *p = path + sizeof(root); (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		mkdir(path, 0700);
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static int begin(void **state)
{
	strcpy(root + sizeof(root) - 7, "XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int end(void **state)
{
	return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void read_all(struct got *ret)
{
	struct rsp_counters c;

	memset(ret->v, 0xee, sizeof(ret->v));
	ret->cnt = 0;
	rsp_counters_open(&c, root);
	rsp_counters_poll(&c, 100 * S, sink, ret);
	rsp_counters_close(&c);
}

static void test_no_files_no_records(void **state)
{
	struct got got;

	read_all(&got);
	assert_int_equal(got.cnt, 0);
}

static void test_all_files(void **state)
{
	struct got got;

	put_file("/proc/pressure/cpu", "some avg10=0.80 avg60=0.99 avg300=2.23 total=22666182828\n"
				       "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
	put_file("/proc/pressure/memory", "some avg10=1.04 avg60=0.90 avg300=0.83 total=11\n"
					  "full avg10=0.91 avg60=0.78 avg300=0.71 total=12\n");
	put_file("/proc/pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.00 total=13\n"
				      "full avg10=0.00 avg60=0.00 avg300=0.00 total=14\n");
	put_file("/proc/meminfo", "MemTotal:       24684092 kB\nMemFree:        23463820 kB\n"
				  "MemAvailable:   23989276 kB\nSwapCached:            1 kB\n"
				  "SwapTotal:             2 kB\nSwapFree:              3 kB\n"
				  "Dirty:                 4 kB\nWriteback:             5 kB\n"
				  "WritebackTmp:          6 kB\n");
	put_file("/proc/loadavg", "10.05 0.58 0.59 3/467 12345\n");
	put_file("/sys/devices/system/cpu/cpufreq/policy0/scaling_cur_freq", "800000\n");
	put_file("/sys/devices/system/cpu/cpufreq/policy1/scaling_cur_freq", "3200000\n");
	read_all(&got);

	assert_int_equal(got.cnt, RSP_COUNTER_SET_CNT);
	assert_int_equal(got.v[RSP_COUNTER_CPU_SOME], 22666182828);
	assert_int_equal(got.v[RSP_COUNTER_MEMORY_SOME], 11);
	assert_int_equal(got.v[RSP_COUNTER_MEMORY_FULL], 12);
	assert_int_equal(got.v[RSP_COUNTER_IO_SOME], 13);
	assert_int_equal(got.v[RSP_COUNTER_IO_FULL], 14);
	assert_int_equal(got.v[RSP_COUNTER_IO_FULL + 1], RSP_COUNTER_ABSENT);
	assert_int_equal(got.v[RSP_COUNTER_MEM_TOTAL], 24684092);
	assert_int_equal(got.v[RSP_COUNTER_MEM_AVAILABLE], 23989276);
	assert_int_equal(got.v[RSP_COUNTER_SWAP_TOTAL], 2);
	assert_int_equal(got.v[RSP_COUNTER_SWAP_FREE], 3);
	assert_int_equal(got.v[RSP_COUNTER_DIRTY], 4);
	assert_int_equal(got.v[RSP_COUNTER_WRITEBACK], 5);
	assert_int_equal(got.v[RSP_COUNTER_LOAD], 1005);
	assert_int_equal(got.v[RSP_COUNTER_RUNNABLE], 3);
	assert_int_equal(got.v[RSP_COUNTER_TASKS], 467);
	assert_int_equal(got.v[RSP_COUNTER_FREQ_MEAN], 2000000);
	assert_int_equal(got.v[RSP_COUNTER_FREQ_MIN], 800000);
	assert_int_equal(got.v[RSP_COUNTER_FREQ_MAX], 3200000);
}

/* If one value of a set is missing, the set's record still contains the other values. */
static void test_what_is_missing_is_absent(void **state)
{
	struct got got;

	put_file("/proc/pressure/io",
		 "some avg10=0.00 total=13\n"); /* no "full", like cpu before 5.13 */
	put_file("/proc/meminfo", "MemTotal: 9 kB\nMemAvailable: ? kB\n");
	put_file("/proc/loadavg", "nonsense\n");
	put_file("/sys/devices/system/cpu/cpufreq/policy0/scaling_cur_freq", "<unknown>\n");
	put_file("/sys/devices/system/cpu/cpufreq/boost", "1\n");
	read_all(&got);

	assert_int_equal(got.cnt, 2);
	assert_int_equal(got.v[RSP_COUNTER_CPU_SOME], RSP_COUNTER_ABSENT);
	assert_int_equal(got.v[RSP_COUNTER_IO_SOME], 13);
	assert_int_equal(got.v[RSP_COUNTER_IO_FULL], RSP_COUNTER_ABSENT);
	assert_int_equal(got.v[RSP_COUNTER_MEM_TOTAL], 9);
	assert_int_equal(got.v[RSP_COUNTER_MEM_AVAILABLE], RSP_COUNTER_ABSENT);
}

static void test_some_of_many_cpus(void **state)
{
	struct got got;
	char name[96], khz[16];

	for (unsigned int i = 0; i < 64; i++) {
		snprintf(name, sizeof(name),
			 "/sys/devices/system/cpu/cpufreq/policy%u/scaling_cur_freq", i);
		snprintf(khz, sizeof(khz), "%u\n", i);
		put_file(name, khz);
	}
	read_all(&got);
	assert_int_equal(got.v[RSP_COUNTER_FREQ_MIN], 0);
	assert_int_equal(got.v[RSP_COUNTER_FREQ_MEAN], 30);
	assert_int_equal(got.v[RSP_COUNTER_FREQ_MAX], 60);
}

static void test_once_a_second(void **state)
{
	struct rsp_counters c;
	struct got got = {.cnt = 0};

	put_file("/proc/loadavg", "1.00 0.58 0.59 1/1 1\n");
	rsp_counters_open(&c, root);
	rsp_counters_poll(&c, 100 * S, sink, &got);
	assert_int_equal(got.cnt, 1);
	put_file("/proc/loadavg", "2.00 0.58 0.59 1/1 1\n");
	rsp_counters_poll(&c, 101 * S - 1, sink, &got);
	assert_int_equal(got.cnt, 1);
	rsp_counters_poll(&c, 101 * S, sink, &got);
	assert_int_equal(got.cnt, 2);
	assert_int_equal(got.v[RSP_COUNTER_LOAD], 200);
	rsp_counters_close(&c);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_no_files_no_records),
		TEST(test_all_files),
		TEST(test_what_is_missing_is_absent),
		TEST(test_some_of_many_cpus),
		TEST(test_once_a_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
