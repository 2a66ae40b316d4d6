/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests lib/snapshot/snapshot.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/snapshot/snapshot-format.h"
#include "lib/snapshot/snapshot.h"

struct image {
	unsigned char *bytes;
	size_t len;
};

static const struct rsp_meta meta = {
	.id = "0123456789abcdef0123456789abcdef",
	.host = "build\"7\\",
	.kernel = "6.18.0",
	.arch = "x86_64",
	.version = "0.1.0",
	.command = "sh -c 'echo h\xc3\xa9'",
	.cpu_cnt = 2,
	.target_pid = UINT32_MAX,
	.target_start_ns = UINT64_MAX,
	.since_ns = 1,
	.until_ns = (1ULL << 53) + 1,
	.window_oldest_ns = 3,
	.realtime_offset_ns = -1234567890123456789,
	.sample_hz = 99,
	.exit_status = -1,
};

static const struct rsp_meta breach_meta = {
	.id = "0123456789abcdef0123456789abcdef",
	.target_pid = 7,
	.target_tid = UINT32_MAX,
	.since_ns = 1,
	.until_ns = 2,
	.events_until_ns = UINT64_MAX,
	.redacted = true,
	.exit_status = -1,
	.trigger = {.slo = "checkout",
		    .measure = "request",
		    .subject = "Unit=nginx.service",
		    .resource = "io",
		    .full = true,
		    .value_ns = UINT64_MAX,
		    .threshold_ns = 250000000,
		    .quantile_ppm = 990000,
		    .over_ns = 10000000000,
		    .cnt = 1234,
		    .over_cnt = 13},
	.boot_id = "fedcba9876543210fedcba9876543210",
	.host_cnt = 2,
	.hosts = {{.name = "web", .id = "1"},
		  {.name = "web#2",
		   .id = "2",
		   .cpu_first = 4,
		   .offset_ns = -3000000000,
		   .drift_ppb = -200000,
		   .drift_error_ppb = 1300,
		   .uncertainty_ns = 21000}},
};

static const uint64_t events_a[100] = {1, 2, 3, [99] = 4};
static const char events_b[] = "12345678";
static const char symbols[] = "names";

static int new_memfd(void)
{
	int fd = memfd_create("test", MFD_ALLOW_SEALING);

	assert_true(fd >= 0);
	return fd;
}

static struct image image_of_fd(int fd)
{
	struct image img = {.len = (size_t)lseek(fd, 0, SEEK_END)};

	img.bytes = malloc(img.len + 1);
	assert_int_equal(pread(fd, img.bytes, img.len, 0), img.len);
	return img;
}

/*
 * Writes a sample: the sections META, EVENTS, a section of an unknown type, EVENTS (empty), EVENTS,
 * SYMBOLS, END.
 */
static int write_sample_fd(void)
{
	struct rsp_snapshot_writer *w;
	int fd = new_memfd();

	assert_int_equal(rsp_snapshot_writer_new(fd, &w), 0);
	assert_int_equal(rsp_snapshot_write_meta(w, &meta), 0);
	assert_int_equal(rsp_snapshot_write_section(w, RSP_SEC_EVENTS, events_a, sizeof(events_a)),
			 0);
	assert_int_equal(rsp_snapshot_write_section(w, 4711, "future", 6), 0);
	assert_int_equal(rsp_snapshot_write_section(w, RSP_SEC_EVENTS, NULL, 0), 0);
	assert_int_equal(rsp_snapshot_write_section(w, RSP_SEC_EVENTS, events_b, sizeof(events_b)),
			 0);
	assert_int_equal(rsp_snapshot_write_section(w, RSP_SEC_SYMBOLS, symbols, sizeof(symbols)),
			 0);
	assert_int_equal(rsp_snapshot_writer_finish(w), 0);
	rsp_snapshot_writer_free(w);
	return fd;
}

static struct image write_sample(void)
{
	int fd = write_sample_fd();
	struct image img = image_of_fd(fd);

	close(fd);
	return img;
}

static const struct rsp_section expected[] = {
	{RSP_SEC_EVENTS, events_a, sizeof(events_a)},
	{RSP_SEC_EVENTS, "", 0},
	{RSP_SEC_EVENTS, events_b, sizeof(events_b)},
	{RSP_SEC_SYMBOLS, symbols, sizeof(symbols)},
};
#define EXPECTED_CNT (sizeof(expected) / sizeof(expected[0]))

/* Checks that the sections of a damaged sample are the first of the written sections, unchanged. */
static void assert_prefix(const struct rsp_snapshot *s)
{
	assert_true(s->section_cnt <= EXPECTED_CNT);
	for (size_t i = 0; i < s->section_cnt; i++) {
		assert_int_equal(s->sections[i].type, expected[i].type);
		assert_int_equal(s->sections[i].len, expected[i].len);
		assert_memory_equal(s->sections[i].data, expected[i].data, expected[i].len);
		assert_int_equal((uintptr_t)s->sections[i].data % 8, 0);
	}
}

static void assert_whole(const struct rsp_snapshot *s)
{
	assert_memory_equal(&s->meta, &meta, sizeof(meta));
	assert_prefix(s);
	assert_int_equal(s->section_cnt, EXPECTED_CNT);
	assert_false(s->truncated);
	assert_int_equal(s->usable_bytes, s->file_bytes);
}

static void test_roundtrip(void **state)
{
	int fd = write_sample_fd();
	struct image img = image_of_fd(fd);
	struct rsp_snapshot *s = NULL;

	assert_int_equal(rsp_snapshot_open(img.bytes, img.len, &s), 0);
	assert_int_equal(s->file_bytes, img.len);
	memset(img.bytes, 0xff, img.len); /* the caller may free the bytes */
	assert_whole(s);
	rsp_snapshot_free(s);

	lseek(fd, 5, SEEK_SET);
	assert_int_equal(rsp_snapshot_open_fd(fd, &s), 0);
	assert_whole(s);
	rsp_snapshot_free(s);
	free(img.bytes);
	close(fd);
}

static void test_meta_alone(void **state)
{
	int fd = write_sample_fd();
	struct rsp_snapshot *s = NULL;
	off_t len = lseek(fd, 0, SEEK_END);

	assert_int_equal(rsp_snapshot_open_meta_fd(fd, &s), 0);
	assert_memory_equal(&s->meta, &meta, sizeof(meta));
	assert_int_equal(s->section_cnt, 0);
	assert_false(s->truncated);
	rsp_snapshot_free(s);

	assert_int_equal(ftruncate(fd, len - 1), 0);
	assert_int_equal(rsp_snapshot_open_meta_fd(fd, &s), 0);
	assert_true(s->truncated);
	rsp_snapshot_free(s);
	close(fd);
}

static void test_every_cut(void **state)
{
	struct image img = write_sample();
	size_t cnt_before = 0;

	for (size_t len = 0; len < img.len; len++) {
		unsigned char *copy = malloc(len ? len
						 /*
						  * the copy has the exact size, so that a sanitizer
						  * detects any read beyond its end
						  */
						 : 1);
		struct rsp_snapshot *s = NULL;
		int r;

		memcpy(copy, img.bytes, len);
		r = rsp_snapshot_open(copy, len, &s);
		if (r < 0) {
			assert_int_equal(r, len < 8 ? -EPROTO : -EBADMSG);
			assert_null(s);
			assert_int_equal(cnt_before, 0);
		} else {
			assert_true(s->truncated);
			assert_true(s->usable_bytes <= len);
			assert_int_equal(s->file_bytes, len);
			assert_memory_equal(&s->meta, &meta, sizeof(meta));
			assert_prefix(s);
			assert_true(s->section_cnt >= cnt_before);
			cnt_before = s->section_cnt;
		}
		rsp_snapshot_free(s);
		free(copy);
	}
	assert_int_equal(cnt_before, EXPECTED_CNT);
	free(img.bytes);
}

static void test_every_flipped_bit(void **state)
{
	struct image img = write_sample();

	for (size_t bit = 0; bit < img.len * 8; bit++) {
		struct rsp_snapshot *s = NULL;

		img.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
		if (rsp_snapshot_open(img.bytes, img.len, &s) == 0) {
			assert_memory_equal(&s->meta, &meta, sizeof(meta));
			assert_prefix(s);
			assert_true(s->truncated || s->section_cnt == EXPECTED_CNT);
		} else {
			assert_null(s);
		}
		rsp_snapshot_free(s);
		img.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	free(img.bytes);
}

static void test_noise_behind_a_good_header(void **state)
{
	struct rsp_file_header hdr = {.version = RSP_SNAPSHOT_VERSION};
	unsigned int seed = 7;

	memcpy(hdr.magic, RSP_SNAPSHOT_MAGIC, sizeof(hdr.magic));
	for (int round = 0; round < 5000; round++) {
		unsigned char buf[300];
		struct rsp_section_header sec;
		struct rsp_snapshot *s = NULL;

		for (size_t i = 0; i < sizeof(buf); i++)
			buf[i] = (unsigned char)rand_r(&seed);
		memcpy(buf, &hdr, sizeof(hdr));
		sec = (struct rsp_section_header){.type = 1 + (uint32_t)rand_r(&seed) % 4,
						  .stored_len = (uint64_t)rand_r(&seed) % 300,
						  .raw_len = (uint64_t)rand_r(&seed) %
							     RSP_SNAPSHOT_RATIO_FREE};
		sec.check = rsp_section_header_check(&sec);
		memcpy(buf + sizeof(hdr), &sec, sizeof(sec));
		memcpy(buf + sizeof(hdr) + sizeof(sec), "\x28\xb5\x2f\xfd", 4); /* zstd's magic */
		assert_int_equal(rsp_snapshot_open(buf, sizeof(buf), &s), -EBADMSG);
	}
}

static void test_foreign_and_future_files(void **state)
{
	static const struct {
		size_t off;
		unsigned char byte;
		int want;
	} cases[] = {
		{0, 'R', -EPROTO}, {7, '\r', -EPROTO}, {8, RSP_SNAPSHOT_VERSION + 1, -ENOTSUP},
		{11, 1, -ENOTSUP}, {12, 1, 0},
	};
	struct rsp_snapshot *s;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct image img = write_sample();

		img.bytes[cases[i].off] = cases[i].byte;
		s = NULL;
		assert_int_equal(rsp_snapshot_open(img.bytes, img.len, &s), cases[i].want);
		rsp_snapshot_free(s);
		free(img.bytes);
	}
	assert_int_equal(rsp_snapshot_open(NULL, 0, &s), -EPROTO);
	assert_int_equal(rsp_snapshot_open_fd(-1, &s), -EBADF);
}

static void test_bytes_after_the_end_do_not_count(void **state)
{
	struct image img = write_sample();
	struct rsp_snapshot *s;

	img.bytes[img.len] = 'x';
	assert_int_equal(rsp_snapshot_open(img.bytes, img.len + 1, &s), 0);
	assert_false(s->truncated);
	assert_int_equal(s->usable_bytes, img.len);
	assert_int_equal(s->file_bytes, img.len + 1);
	rsp_snapshot_free(s);
	free(img.bytes);
}

/*
 * Opens a sample in which the header of the first EVENTS section states other sizes. The header has
 * a valid checksum.
 */
static int open_with_claim(uint64_t raw_len, int stored_delta, struct rsp_snapshot **ret)
{
	struct image img = write_sample();
	struct rsp_section_header hdr;
	size_t off = sizeof(struct rsp_file_header);
	int r;

	memcpy(&hdr, img.bytes + off, sizeof(hdr));
	off += sizeof(hdr) + rsp_section_padded(hdr.stored_len);
	memcpy(&hdr, img.bytes + off, sizeof(hdr));
	assert_int_equal(hdr.type, RSP_SEC_EVENTS);
	hdr.raw_len = raw_len;
	hdr.stored_len += (uint64_t)(int64_t)stored_delta;
	hdr.check = rsp_section_header_check(&hdr);
	memcpy(img.bytes + off, &hdr, sizeof(hdr));
	r = rsp_snapshot_open(img.bytes, img.len, ret);
	free(img.bytes);
	return r;
}

static void test_lying_lengths(void **state)
{
	static const struct {
		uint64_t raw_len;
		int stored_delta;
		int want;
	} cases[] = {
		{sizeof(events_a) - 1, 0, 0},
		{sizeof(events_a) + 1, 0, 0},
		{0, 0, 0},
		{RSP_SNAPSHOT_RATIO_FREE, 0, 0},		  /* no data follows */
		{RSP_SNAPSHOT_RATIO_FREE + (1 << 20), 0, -E2BIG}, /* the file is small */
		{RSP_SNAPSHOT_BYTES_MAX, 0, -E2BIG},
		{UINT64_MAX, 0, -E2BIG},
		{sizeof(events_a), 1, 0},
		{sizeof(events_a), -1, 0},
		{sizeof(events_a), 1 << 20, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_snapshot *s = NULL;

		assert_int_equal(open_with_claim(cases[i].raw_len, cases[i].stored_delta, &s),
				 cases[i].want);
		if (!s)
			continue;
		assert_true(s->truncated);
		assert_int_equal(s->section_cnt, 0);
		rsp_snapshot_free(s);
	}
}

/*
 * One section compresses so well that the reader's first guess of its size is too small. The other
 * section cannot be compressed.
 */
static void test_extreme_ratios(void **state)
{
	size_t len = 9 << 20;
	unsigned char *zeroes = calloc(1, len), *noise = malloc(len);
	struct rsp_snapshot_writer *w;
	struct rsp_snapshot *s;
	unsigned int seed = 3;
	int fd = new_memfd();

	for (size_t i = 0; i < len; i++)
		noise[i] = (unsigned char)(rand_r(&seed) >> 8);
	assert_int_equal(rsp_snapshot_writer_new(fd, &w), 0);
	assert_int_equal(rsp_snapshot_write_meta(w, &meta), 0);
	assert_int_equal(rsp_snapshot_write_section(w, RSP_SEC_EVENTS, zeroes, len), 0);
	assert_int_equal(rsp_snapshot_write_section(w, RSP_SEC_EVENTS, noise, len), 0);
	assert_int_equal(rsp_snapshot_writer_finish(w), 0);
	rsp_snapshot_writer_free(w);
	assert_int_equal(rsp_snapshot_open_fd(fd, &s), 0);
	assert_false(s->truncated);
	assert_int_equal(s->section_cnt, 2);
	assert_memory_equal(s->sections[0].data, zeroes, len);
	assert_memory_equal(s->sections[1].data, noise, len);
	rsp_snapshot_free(s);
	free(zeroes);
	free(noise);
	close(fd);
}

static int open_with_meta_text(const char *json, size_t len, struct rsp_snapshot **ret)
{
	struct rsp_snapshot_writer *w;
	int r, fd = new_memfd();

	assert_int_equal(rsp_snapshot_writer_new(fd, &w), 0);
	assert_int_equal(rsp_snapshot_write_section(w, RSP_SEC_META, json, len), 0);
	assert_int_equal(rsp_snapshot_writer_finish(w), 0);
	rsp_snapshot_writer_free(w);
	r = rsp_snapshot_open_fd(fd, ret);
	close(fd);
	return r;
}

static void test_untrusted_meta(void **state)
{
	static const struct {
		const char *json;
		int want;
	} cases[] = {
		{"{}", 0},
		{"{\"host\":\"h\",\"later\":{\"a\":[1,2,{}]},\"cpu_cnt\":4}", 0},
		{"", -EBADMSG},
		{"{", -EBADMSG},
		{"[]", -EBADMSG},
		{"null", -EBADMSG},
		{"{} {}", -EBADMSG},
		{"{\"x\":[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]}", -EBADMSG},
	};
	struct rsp_snapshot *s;
	char *big;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		s = NULL;
		assert_int_equal(open_with_meta_text(cases[i].json, strlen(cases[i].json), &s),
				 cases[i].want);
		rsp_snapshot_free(s);
	}
	big = malloc(RSP_META_BYTES_MAX + 1);
	memset(big, ' ', RSP_META_BYTES_MAX + 1);
	memcpy(big, "{}", 2);
	s = NULL;
	assert_int_equal(open_with_meta_text(big, RSP_META_BYTES_MAX + 1, &s), -EBADMSG);
	assert_int_equal(open_with_meta_text(big, RSP_META_BYTES_MAX, &s), 0);
	rsp_snapshot_free(s);
	free(big);
}

static void test_meta_values_are_tamed(void **state)
{
	static const char json[] =
		"{\"host\":\"a\\u001b[0m\\nb\",\"arch\":\"0123456789abcdefXYZ\","
		"\"id\":7,\"kernel\":null,\"cpu_cnt\":99999999999,"
		"\"target_pid\":-5,\"sample_hz\":\"99\","
		"\"exit_status\":-99999999999,\"since_ns\":18446744073709551615}";
	struct rsp_snapshot *s;

	assert_int_equal(open_with_meta_text(json, sizeof(json) - 1, &s), 0);
	assert_string_equal(s->meta.host, "a?[0m?b");
	assert_string_equal(s->meta.arch, "0123456789abcde");
	assert_string_equal(s->meta.id, "");
	assert_string_equal(s->meta.kernel, "");
	assert_int_equal(s->meta.cpu_cnt, UINT32_MAX);
	assert_int_equal(s->meta.target_pid, 0);
	assert_int_equal(s->meta.sample_hz, 0);
	assert_int_equal(s->meta.exit_status, INT32_MIN);
	assert_true(s->meta.since_ns == UINT64_MAX);
	rsp_snapshot_free(s);

	assert_int_equal(open_with_meta_text("{}", 2, &s), 0);
	assert_int_equal(s->meta.exit_status, -1);
	rsp_snapshot_free(s);
}

static void test_meta_of_a_breach(void **state)
{
	struct rsp_snapshot *s;
	char *json, *found;
	size_t len;

	assert_int_equal(rsp_meta_format(&breach_meta, &json, &len), 0);
	assert_int_equal(open_with_meta_text(json, len, &s), 0);
	assert_memory_equal(&s->meta, &breach_meta, sizeof(breach_meta));
	rsp_snapshot_free(s);
	free(json);

	assert_int_equal(rsp_meta_format(&meta, &json, &len), 0);
	for (size_t i = 0; i < 6; i++) {
		static const char *const keys[] = {"trigger",  "target_tid", "events_until_ns",
						   "redacted", "hosts",	     "boot_id"};

		found = strstr(json, keys[i]);
		assert_null(found);
	}
	free(json);
}

static void test_untrusted_triggers(void **state)
{
	static const char *const none[] = {
		"{\"trigger\":7}",
		"{\"trigger\":[{\"slo\":\"x\"}]}",
		"{\"trigger\":{\"slo\":7}}",
		"{\"slo\":\"x\",\"redacted\":1,\"target_tid\":true}",
	};
	static const char odd[] =
		"{\"trigger\":{\"slo\":\"a\\nb\",\"measure\":\"0123456789abcdefXYZ\","
		"\"full\":\"yes\",\"value_ns\":-1,\"quantile_ppm\":99999999999}}";
	struct rsp_snapshot *s;

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		assert_int_equal(open_with_meta_text(none[i], strlen(none[i]), &s), 0);
		assert_string_equal(s->meta.trigger.slo, "");
		assert_false(s->meta.redacted);
		assert_int_equal(s->meta.target_tid, 0);
		rsp_snapshot_free(s);
	}
	assert_int_equal(open_with_meta_text(odd, sizeof(odd) - 1, &s), 0);
	assert_string_equal(s->meta.trigger.slo, "a?b");
	assert_string_equal(s->meta.trigger.measure, "0123456789abcde");
	assert_false(s->meta.trigger.full);
	assert_int_equal(s->meta.trigger.value_ns, 0);
	assert_true(s->meta.trigger.quantile_ppm == UINT32_MAX);
	rsp_snapshot_free(s);
}

static void test_untrusted_hosts(void **state)
{
	static const char odd[] =
		"{\"hosts\":[7,{\"name\":\"a\\nb\",\"drift_ppb\":-99999999999},[],{},{},{},{},{},{},{}]}";
	struct rsp_snapshot *s;

	(void)state;
	assert_int_equal(open_with_meta_text("{\"hosts\":7}", 11, &s), 0);
	assert_int_equal(s->meta.host_cnt, 0);
	rsp_snapshot_free(s);
	assert_int_equal(open_with_meta_text(odd, sizeof(odd) - 1, &s), 0);
	assert_int_equal(s->meta.host_cnt, RSP_HOST_CNT_MAX);
	assert_string_equal(s->meta.hosts[0].name, "");
	assert_string_equal(s->meta.hosts[1].name, "a?b");
	assert_true(s->meta.hosts[1].drift_ppb == INT32_MIN);
	rsp_snapshot_free(s);
}

static void test_names_of_tasks(void **state)
{
	struct rsp_meta two = {.host_cnt = 2, .hosts = {{.name = "web"}, {.name = "db"}}};
	struct rsp_ev_task task = {.tid = rsp_host_merged_tid(1, 10), .comm = "postgres\x01"};
	char buf[RSP_COMM_MAX];

	(void)state;
	two.target_pid = 10;
	assert_string_equal(rsp_meta_comm(&two, &task, buf), "postgres?@db");
	two.target_pid = rsp_host_merged_tid(1, 99);
	assert_string_equal(rsp_meta_comm(&two, &task, buf), "postgres?");
	task.tid = rsp_host_merged_tid(7, 10); /* there is no such host */
	assert_string_equal(rsp_meta_comm(&two, &task, buf), "postgres?");
}

static void test_meta_is_valid_utf8(void **state)
{
	struct rsp_meta odd = {.command = "a\xff\x01"};
	char *json;
	size_t len;

	memset(odd.arch, 'x', sizeof(odd.arch)); /* not terminated */
	assert_int_equal(rsp_meta_format(&odd, &json, &len), 0);
	assert_int_equal(len, strlen(json));
	assert_non_null(strstr(json, "\"command\":\"a??\""));
	assert_non_null(strstr(json, "\"arch\":\"xxxxxxxxxxxxxxxx\""));
	free(json);
}

static void test_write_errors_stick(void **state)
{
	struct rsp_snapshot_writer *w = NULL;
	int full = open("/dev/full", O_WRONLY), fd = new_memfd();
	off_t len;

	assert_true(full >= 0);
	assert_int_equal(rsp_snapshot_writer_new(full, &w), -ENOSPC);
	assert_null(w);

	assert_int_equal(rsp_snapshot_writer_new(fd, &w), 0);
	assert_int_equal(rsp_snapshot_write_meta(w, &meta), 0);
	len = lseek(fd, 0, SEEK_END);
	assert_int_equal(dup2(full, fd), fd);
	assert_int_equal(rsp_snapshot_write_section(w, RSP_SEC_EVENTS, "x", 1), -ENOSPC);
	close(fd);
	fd = new_memfd();
	assert_int_equal(rsp_snapshot_write_section(w, RSP_SEC_EVENTS, "x", 1), -ENOSPC);
	assert_int_equal(rsp_snapshot_write_meta(w, &meta), -ENOSPC);
	assert_int_equal(rsp_snapshot_writer_finish(w), -ENOSPC);
	assert_true(len > 0);
	assert_int_equal(lseek(fd, 0, SEEK_END), 0);
	rsp_snapshot_writer_free(w);
	close(fd);
	close(full);
}

static void test_reopen_adds_a_section(void **state)
{
	int fd = write_sample_fd();
	struct rsp_snapshot_writer *w;
	struct rsp_snapshot *s;

	assert_int_equal(rsp_snapshot_reopen(fd, &w), 0);
	assert_int_equal(rsp_snapshot_open_fd(fd, &s), 0);
	assert_true(s->truncated); /* until it is finished again */
	rsp_snapshot_free(s);
	assert_int_equal(rsp_snapshot_write_section(w, RSP_SEC_SYMBOLS, "more", 4), 0);
	assert_int_equal(rsp_snapshot_writer_finish(w), 0);
	rsp_snapshot_writer_free(w);

	assert_int_equal(rsp_snapshot_open_fd(fd, &s), 0);
	assert_false(s->truncated);
	assert_int_equal(s->section_cnt, EXPECTED_CNT + 1);
	assert_memory_equal(s->sections[EXPECTED_CNT].data, "more", 4);
	s->section_cnt--;
	assert_prefix(s);
	s->section_cnt++;
	rsp_snapshot_free(s);
	close(fd);
}

static void test_reopen_refuses(void **state)
{
	int fd = write_sample_fd();
	off_t len = lseek(fd, 0, SEEK_END);
	struct rsp_snapshot_writer *w = NULL;

	assert_int_equal(ftruncate(fd, len - 1), 0);
	assert_int_equal(rsp_snapshot_reopen(fd, &w), -EBADMSG);
	assert_int_equal(lseek(fd, 0, SEEK_END), len - 1);
	assert_int_equal(ftruncate(fd, 4), 0);
	assert_int_equal(rsp_snapshot_reopen(fd, &w), -EPROTO);
	close(fd);

	fd = write_sample_fd();
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	assert_int_equal(rsp_snapshot_reopen(fd, &w), -EPERM);
	assert_null(w);
	close(fd);
}

/* --- saving --------------------------------------------------------------------------------- */

static int entry_cnt(const char *dir)
{
	DIR *d = opendir(dir);
	int cnt = 0;

	assert_non_null(d);
	while (readdir(d))
		cnt++;
	closedir(d);
	return cnt - 2; /* . and .. */
}

static void assert_file(const char *path, const char *content)
{
	char buf[64];
	struct stat st;
	int fd = open(path, O_RDONLY);

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(read(fd, buf, sizeof(buf)), strlen(content));
	assert_memory_equal(buf, content, strlen(content));
	close(fd);
}

static void test_save(void **state)
{
	char dir[] = "/tmp/rsp-test-XXXXXX", path[300], sub[300], longest[256];

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a.rsp", dir);
	assert_int_equal(rsp_snapshot_save(path, "one", 3), 0);
	assert_file(path, "one");
	assert_int_equal(rsp_snapshot_save(path, "three", 5), 0);
	assert_file(path, "three");
	assert_int_equal(entry_cnt(dir), 1);

	snprintf(sub, sizeof(sub), "%s/none/a.rsp", dir);
	assert_int_equal(rsp_snapshot_save(sub, "x", 1), -ENOENT);
	snprintf(sub, sizeof(sub), "%s/dir", dir);
	assert_int_equal(mkdir(sub, 0700), 0);
	assert_int_equal(rsp_snapshot_save(sub, "x", 1), -EISDIR);
	assert_int_equal(entry_cnt(dir), 2);
	rmdir(sub);
	unlink(path);

	memset(longest, 'n', 255); /* the longest name that file systems allow */
	longest[255] = '\0';
	snprintf(sub, sizeof(sub), "%s/%s", dir, longest);
	assert_int_equal(rsp_snapshot_save(sub, "x", 1), 0);
	unlink(sub);

	assert_int_equal(chdir(dir), 0);
	assert_int_equal(rsp_snapshot_save("plain", "x", 1), 0);
	assert_file("plain", "x");
	unlink("plain");
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(rmdir(dir), 0);
}

static void test_save_leaves_devices_alone(void **state)
{
	struct stat st;

	assert_int_equal(rsp_snapshot_save("/dev/null", "x", 1), 0);
	assert_int_equal(rsp_snapshot_save("/dev/full", "x", 1), -ENOSPC);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_roundtrip),
		cmocka_unit_test(test_meta_alone),
		cmocka_unit_test(test_every_cut),
		cmocka_unit_test(test_every_flipped_bit),
		cmocka_unit_test(test_noise_behind_a_good_header),
		cmocka_unit_test(test_foreign_and_future_files),
		cmocka_unit_test(test_bytes_after_the_end_do_not_count),
		cmocka_unit_test(test_lying_lengths),
		cmocka_unit_test(test_extreme_ratios),
		cmocka_unit_test(test_untrusted_meta),
		cmocka_unit_test(test_meta_values_are_tamed),
		cmocka_unit_test(test_meta_of_a_breach),
		cmocka_unit_test(test_untrusted_triggers),
		cmocka_unit_test(test_untrusted_hosts),
		cmocka_unit_test(test_names_of_tasks),
		cmocka_unit_test(test_meta_is_valid_utf8),
		cmocka_unit_test(test_write_errors_stick),
		cmocka_unit_test(test_reopen_adds_a_section),
		cmocka_unit_test(test_reopen_refuses),
		cmocka_unit_test(test_save),
		cmocka_unit_test(test_save_leaves_devices_alone),
	};

	return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}
