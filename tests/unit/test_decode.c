/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests lib/snapshot/decode.h. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/snapshot/decode.h"

union record {
	struct rsp_ev_hdr hdr;
	struct rsp_ev_stack stack;
	struct rsp_ev_object obj;
	struct rsp_ev_task task;
	struct rsp_ev_binary binary;
	char bytes[2048];
};

static const struct {
	__u16 kind, size;
	size_t len;
	int want;
} size_cases[] = {
	{RSP_EV_SWITCH, 56, 56, 0},
	{RSP_EV_SWITCH, 56, 2048, 0},
	{RSP_EV_SWITCH, 56, 55, -EBADMSG},
	{RSP_EV_SWITCH, 48, 2048, -EBADMSG},
	{RSP_EV_SWITCH, 64, 2048, -EBADMSG},
	{RSP_EV_WAKING, 56, 56, 0},
	{RSP_EV_SAMPLE, 40, 40, 0},
	{RSP_EV_BLOCK, 56, 56, 0},
	{RSP_EV_IRQ, 40, 40, 0},
	{RSP_EV_NET, 48, 48, 0},
	{RSP_EV_STACK, 32, 32, 0},
	{RSP_EV_STACK, 24, 2048, -EBADMSG},
	{RSP_EV_OBJECT, 280, 280, 0},
	{RSP_EV_OBJECT, 272, 2048, -EBADMSG},
	{RSP_EV_SOCKET, 72, 72, 0},
	{RSP_EV_TASK, 80, 80, 0},
	{RSP_EV_EXIT, 32, 32, 0},
	{12, 16, 16, 0}, /* this kind is no longer in use */
	{RSP_EV_LOST, 40, 40, 0},
	{RSP_EV_WORK, 56, 56, 0},
	{RSP_EV_WORK, 48, 2048, -EBADMSG},
	{RSP_EV_BINARY, 72, 72, 0},
	{RSP_EV_BINARY, 64, 2048, -EBADMSG}, /* the path has no room for its NUL */
	{RSP_EV_BINARY, 56, 2048, -EBADMSG},
	{RSP_EV_SHED, 32, 32, 0},
	{RSP_EV_SHED, 40, 2048, -EBADMSG},
	{RSP_EV_DELAY, 48, 48, 0},
	{RSP_EV_DELAY, 56, 2048, -EBADMSG},
	{RSP_EV_MESSAGE, 40, 40, 0},
	{RSP_EV_MESSAGE, 48, 2048, -EBADMSG},
	{RSP_EV_MARK, 256, 256, 0},
	{RSP_EV_MARK, 248, 2048, -EBADMSG},
	{RSP_EV_COUNTERS, 64, 64, 0},
	{RSP_EV_COUNTERS, 72, 2048, -EBADMSG},
	{RSP_EV_ACCOUNT, 40, 40, 0},
	{RSP_EV_ACCOUNT, 32, 2048, -EBADMSG},
	{RSP_EV_CALLS, 72, 72, 0},
	{RSP_EV_CALLS, 64, 2048, -EBADMSG},
	{RSP_EV_CPU_TIME, 64, 64, 0},
	{RSP_EV_CPU_TIME, 72, 2048, -EBADMSG},
	{RSP_EV_MEMORY, 72, 72, 0},
	{RSP_EV_MEMORY, 64, 2048, -EBADMSG},
	{RSP_EV_MEMORY_WATCH, 72, 72, 0}, /* of older versions */
	{RSP_EV_MEMORY_WATCH, 120, 120, 0},
	{RSP_EV_MEMORY_WATCH, 64, 2048, -EBADMSG},
	{RSP_EV_STOLEN, 32, 32, 0},
	{RSP_EV_STOLEN, 24, 2048, -EBADMSG},
	{RSP_EV_CONTAINER, 472, 472, 0},
	{RSP_EV_CONTAINER, 464, 2048, -EBADMSG},
	{RSP_EV_KIND_MAX, 16, 16, 0}, /* unknown, plausible */
	{999, 2048, 2048, 0},
	{999, 2048, 2040, -EBADMSG},
	{999, 20, 2048, -EBADMSG},
	{999, 8, 2048, -EBADMSG},
	{999, 0, 2048, -EBADMSG},
	{0, 16, 2048, -EBADMSG},
	{RSP_EV_SWITCH, 56, 15, -EBADMSG},
	{RSP_EV_SWITCH, 56, 0, -EBADMSG},
};

static void test_size_fits_kind(void **state)
{
	for (size_t i = 0; i < sizeof(size_cases) / sizeof(size_cases[0]); i++) {
		union record rec = {
			.hdr = {.kind = size_cases[i].kind, .size = size_cases[i].size}};

		if (rsp_record_check(&rec, size_cases[i].len) != size_cases[i].want)
			fail_msg("case %zu: kind %u size %u len %zu", i, size_cases[i].kind,
				 size_cases[i].size, size_cases[i].len);
	}
}

static void test_stack_frames_fit(void **state)
{
	static const struct {
		__u16 size;
		__u32 frame_cnt;
		int want;
	} cases[] = {
		{40, 1, 0},
		{40, 0, 0}, /* there is room for one frame, but the stack has none */
		{40, 2, -EBADMSG},
		{40, UINT32_MAX, -EBADMSG},
		{32 + 8 * 127, 127, 0},
		{32 + 8 * 128, 128, -EBADMSG},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		union record rec = {.stack = {.hdr = {.kind = RSP_EV_STACK, .size = cases[i].size},
					      .frame_cnt = cases[i].frame_cnt}};

		assert_int_equal(rsp_record_check(&rec, sizeof(rec)), cases[i].want);
	}
}

static void test_strings_end(void **state)
{
	union record obj = {
		.obj = {.hdr = {.kind = RSP_EV_OBJECT, .size = 280}, .name_len = RSP_NAME_MAX}};
	union record task = {.task = {.hdr = {.kind = RSP_EV_TASK, .size = 80}}};
	union record binary = {.binary = {.hdr = {.kind = RSP_EV_BINARY, .size = 80}}};

	memset(obj.obj.name, 'x', RSP_NAME_MAX);
	assert_int_equal(rsp_record_check(&obj, sizeof(obj)), -EBADMSG);
	obj.obj.name[RSP_NAME_MAX - 1] = '\0';
	assert_int_equal(rsp_record_check(&obj, sizeof(obj)), 0);
	obj.obj.name_len = RSP_NAME_MAX + 1;
	assert_int_equal(rsp_record_check(&obj, sizeof(obj)), -EBADMSG);

	memset(task.task.comm, 'x', RSP_TASK_COMM_LEN);
	assert_int_equal(rsp_record_check(&task, sizeof(task)), -EBADMSG);
	task.task.comm[RSP_TASK_COMM_LEN - 1] = '\0';
	assert_int_equal(rsp_record_check(&task, sizeof(task)), 0);

	memset(binary.binary.path, 'x', 16);
	assert_int_equal(rsp_record_check(&binary, sizeof(binary)), -EBADMSG);
	binary.binary.path[15] = '\0';
	assert_int_equal(rsp_record_check(&binary, sizeof(binary)), 0);
	binary.binary.build_id_len = RSP_BUILD_ID_MAX + 1;
	assert_int_equal(rsp_record_check(&binary, sizeof(binary)), -EBADMSG);
}

static void test_next_steps_and_stops(void **state)
{
	struct rsp_ev_exit recs[3];
	const struct rsp_ev_hdr *hdr = NULL;
	size_t off = 0;

	for (__u32 i = 0; i < 3; i++)
		recs[i] = (struct rsp_ev_exit){.hdr = {.kind = RSP_EV_EXIT, .size = 32}, .tid = i};
	for (int i = 0; i < 3; i++) {
		assert_int_equal(rsp_record_next(recs, sizeof(recs), &off, &hdr), 1);
		assert_ptr_equal(hdr, &recs[i]);
	}
	assert_int_equal(rsp_record_next(recs, sizeof(recs), &off, &hdr), 0);
	assert_int_equal(off, sizeof(recs));

	recs[1].hdr.size = 24;
	off = 0;
	assert_int_equal(rsp_record_next(recs, sizeof(recs), &off, &hdr), 1);
	assert_int_equal(rsp_record_next(recs, sizeof(recs), &off, &hdr), -EBADMSG);
	assert_int_equal(off, 32);
	assert_ptr_equal(hdr, &recs[0]);

	off = 0;
	assert_int_equal(rsp_record_next(NULL, 0, &off, &hdr), 0);
	assert_int_equal(rsp_record_next(recs, 31, &off, &hdr), -EBADMSG);
	assert_int_equal(off, 0);
}

/*
 * Reading random bytes must not go beyond their end. The sanitizers would detect an access there.
 */
static void test_next_survives_noise(void **state)
{
	unsigned int seed = 1;

	for (int round = 0; round < 20000; round++) {
		size_t len = (size_t)rand_r(&seed) % 400, off = 0, before = 0;
		unsigned char *buf = malloc(len ? len : 1);
		const struct rsp_ev_hdr *hdr;

		for (size_t i = 0; i < len; i++)
			buf[i] = (unsigned char)rand_r(&seed);
		if (len >= 16) { /* makes valid headers frequent */
			((struct rsp_ev_hdr *)buf)->kind = (__u16)(rand_r(&seed) % 16);
			((struct rsp_ev_hdr *)buf)->size = (__u16)(rand_r(&seed) % 50 * 8);
		}
		while (rsp_record_next(buf, len, &off, &hdr) > 0) {
			char name[64];

			assert_true(off > before && off <= len);
			before = off;
			if (hdr->kind == RSP_EV_OBJECT)
				rsp_object_name((const void *)hdr, name, sizeof(name));
		}
		assert_int_equal(off, before);
		free(buf);
	}
}

static void test_object_names(void **state)
{
	static const struct {
		__u32 type;
		__u16 flags;
		const char *name;
		__u32 name_len;
		const char *want;
	} cases[] = {
		{RSP_OBJ_FILE, 0, "log\0var", 8, "/var/log"},
		{RSP_OBJ_FILE, 0, "a", 2, "/a"},
		{RSP_OBJ_FILE, 0, "", 0, "/"},
		{RSP_OBJ_FILE, RSP_OBJ_TRUNCATED, "log\0var", 8, ".../var/log"},
		{RSP_OBJ_DEVICE, 0, "null\0dev", 9, "/dev/null"},
		{RSP_OBJ_CGROUP, 0, "web\0system.slice", 17, "/system.slice/web"},
		{RSP_OBJ_CGROUP, 0, "", 0, "/"},
		{RSP_OBJ_FILE, 0, "a\nb\x1b[0m", 8, "/a?b?[0m"},
		{RSP_OBJ_FILE, 0, "\x7f\xc2\x9b\xc3\xa9", 6, "/??\xc3\xa9"},
		{RSP_OBJ_PIPE, 0, "", 0, "pipe"},
		{RSP_OBJ_UNIX, 0, "/run/x.sock", 12, "/run/x.sock"},
		{RSP_OBJ_UNIX, 0, "", 1, "unix socket"},
		{RSP_OBJ_SOCKET, 0, "", 0, "socket"},
		{RSP_OBJ_ANON, 0, "[eventpoll]", 12, "[eventpoll]"},
		{RSP_OBJ_ANON, 0, "", 0, "[anon]"},
		{RSP_OBJ_IRQ, 0, "virtio2-req.0", 14, "virtio2-req.0"},
		{77, 0, "", 0, "?"},
	};
	char buf[64];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_ev_object obj = {.hdr.flags = cases[i].flags,
					    .type = cases[i].type,
					    .name_len = cases[i].name_len};

		memcpy(obj.name, cases[i].name, cases[i].name_len);
		assert_string_equal(rsp_object_name(&obj, buf, sizeof(buf)), cases[i].want);
	}
}

static void test_object_name_is_cut(void **state)
{
	struct rsp_ev_object obj = {.type = RSP_OBJ_FILE, .name_len = 8, .name = "log\0var"};
	char buf[64];

	assert_string_equal(rsp_object_name(&obj, buf, 6), "/var/");
	assert_string_equal(rsp_object_name(&obj, buf, 1), "");
	memset(obj.name, 'x', sizeof(obj.name) - 1);
	obj.name[RSP_NAME_MAX - 1] = '\0';
	obj.name_len = RSP_NAME_MAX;
	assert_int_equal(strlen(rsp_object_name(&obj, buf, sizeof(buf))), sizeof(buf) - 1);
}

static void test_socket_names(void **state)
{
	static const struct {
		__u16 family, port;
		__u8 addr[16];
		const char *want;
	} cases[] = {
		{2, 80, {10, 0, 0, 1}, "10.0.0.1:80"},
		{2, 0, {10, 0, 0, 1}, "10.0.0.1:*"},
		{2, 80, {0}, "*:80"},
		{2, 80, {[15] = 1}, "*:80"},
		{2, 0, {0}, "*:*"},
		{10, 80, {[15] = 1}, "[::1]:80"},
		{10, 65535, {0xfe, 0x80, [15] = 2}, "[fe80::2]:65535"},
		{10, 80, {0}, "*:80"},
		{1, 0, {1}, "unix socket"},
		{99, 80, {1}, "?"},
	};
	char buf[64];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_ev_socket sock = {.family = cases[i].family,
					     .local_port = cases[i].port};

		memcpy(sock.local, cases[i].addr, 16);
		assert_string_equal(rsp_socket_local(&sock, buf, sizeof(buf)), cases[i].want);
		sock = (struct rsp_ev_socket){.family = cases[i].family,
					      .remote_port = cases[i].port};
		memcpy(sock.remote, cases[i].addr, 16);
		assert_string_equal(rsp_socket_remote(&sock, buf, sizeof(buf)), cases[i].want);
	}
	struct rsp_ev_socket sock = {.family = 2, .local = {10, 0, 0, 1}, .local_port = 80};

	assert_string_equal(rsp_socket_local(&sock, buf, 5), "10.0");
}

static void test_binary_names(void **state)
{
	static const struct {
		const char *path, *name;
	} cases[] = {
		{"/usr/lib/libc.so.6", "libc.so.6"},
		{"/usr/lib/libc.so.6 (deleted)", "libc.so.6"},
		{"/tmp/a (deleted) b", "a (deleted) b"},
		{"/ (deleted)", " (deleted)"},
		{"[vdso]", "[vdso]"},
		{"/tmp/\033[1m", "?[1m"},
		{"/", ""},
		{"", ""},
	};
	union {
		struct rsp_ev_binary binary;
		char bytes[sizeof(struct rsp_ev_binary) + 64];
	} rec = {0};
	char name[32];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		strcpy(rec.binary.path, cases[i].path);
		assert_string_equal(rsp_binary_name(&rec.binary, name, sizeof(name)),
				    cases[i].name);
	}
	strcpy(rec.binary.path, "/usr/lib/libc.so.6");
	assert_string_equal(rsp_binary_name(&rec.binary, name, 5), "libc");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_size_fits_kind),
		cmocka_unit_test(test_stack_frames_fit),
		cmocka_unit_test(test_strings_end),
		cmocka_unit_test(test_next_steps_and_stops),
		cmocka_unit_test(test_next_survives_noise),
		cmocka_unit_test(test_object_names),
		cmocka_unit_test(test_object_name_is_cut),
		cmocka_unit_test(test_binary_names),
		cmocka_unit_test(test_socket_names),
	};

	return cmocka_run_group_tests_name("decode", tests, NULL, NULL);
}
