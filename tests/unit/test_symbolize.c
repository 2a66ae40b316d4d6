/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names the functions in stacks of this program with the program's own files. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/cleanup.h"
#include "lib/snapshot/symbols.h"
#include "lib/symbols/elf.h"
#include "lib/symbols/symbolize.h"

#define RECORDS_BYTES 65536
#define GONE_TGID     0x7fffffff /* above any limit of the kernel */

static _Alignas(8) char records[RECORDS_BYTES];
static size_t records_len;

__attribute__((noinline)) void demo_run(void) __asm__("_ZN4demo6Server3runEi");
void demo_run(void)
{
	__asm__ volatile("");
}

/* --- records --------------------------------------------------------------------------------- */

static void *add_record(__u64 ts_ns, __u16 kind, size_t size)
{
	struct rsp_ev_hdr *hdr = (void *)(records + records_len);

	size = (size + 7) & ~(size_t)7;
	assert_true(records_len + size <= sizeof(records));
	memset(hdr, 0, size);
	*hdr = (struct rsp_ev_hdr){.ts_ns = ts_ns, .kind = kind, .size = (__u16)size};
	records_len += size;
	return hdr;
}

static void add_stack(__u64 ts_ns, __u64 id, __u32 tgid, const __u64 *frames, __u32 frame_cnt)
{
	struct rsp_ev_stack *s = add_record(ts_ns, RSP_EV_STACK,
					    sizeof(*s) + frame_cnt * sizeof(*frames));

	s->hdr.flags = RSP_STACK_USER;
	s->id = id;
	s->tgid = tgid;
	s->frame_cnt = frame_cnt;
	memcpy(s->frames, frames, frame_cnt * sizeof(*frames));
}

/*
 * Adds a BINARY record for the file that is mapped at addr, and stores the frame for addr in
 * *ret_frame.
 */
static struct rsp_ev_binary *add_binary_of(__u32 number, const void *addr, __u64 *ret_frame)
{
	FILE *f = fopen("/proc/self/maps", "re");
	unsigned long start, end, pgoff, ino;
	unsigned int dev_major, dev_minor;
	struct rsp_ev_binary *binary = NULL;
	char line[4096], path[4096];

	assert_non_null(f);
	while (!binary && fgets(line, sizeof(line), f)) {
		path[0] = '\0';
		if (sscanf(line, "%lx-%lx %*s %lx %x:%x %lu %4095[^\n]", &start, &end, &pgoff,
			   &dev_major, &dev_minor, &ino, path) < 6)
			continue;
		if ((uintptr_t)addr < start || (uintptr_t)addr >= end)
			continue;
		binary = add_record(0, RSP_EV_BINARY, sizeof(*binary) + strlen(path) + 1);
		binary->number = number;
		binary->tgid = (__u32)getpid();
		binary->ino = ino;
		binary->dev = dev_major << 20 | dev_minor;
		strcpy(binary->path, path);
		*ret_frame = RSP_FRAME_IN_BINARY | (__u64)number << RSP_FRAME_OFFSET_BITS |
			     ((uintptr_t)addr - start + pgoff);
	}
	fclose(f);
	assert_non_null(binary);
	return binary;
}

static int setup(void **state)
{
	records_len = 0;
	return 0;
}

/* --- results --------------------------------------------------------------------------------- */

struct names {
	void *data;
	struct rsp_symbols *symbols;
};

static void names_done(struct names *n)
{
	rsp_symbols_free(n->symbols);
	free(n->data);
}
#define _cleanup_names_ _cleanup_(names_done)

static struct names symbolize(void)
{
	struct rsp_section section = {RSP_SEC_EVENTS, records, records_len};
	struct rsp_snapshot snap = {.sections = &section, .section_cnt = 1};
	struct rsp_trace *trace = NULL;
	const struct rsp_symbolize_options options = {0};
	struct names n = {0};
	size_t len = 0;

	assert_int_equal(rsp_trace_new(&snap, &trace), 0);
	assert_int_equal(trace->bad_cnt, 0);
	assert_int_equal(rsp_symbolize_user(trace, &options, &n.data, &len), 0);
	assert_int_equal(rsp_symbols_open(n.data, len, &n.symbols), 0);
	rsp_trace_free(trace);
	return n;
}

static void assert_frame(const struct names *n, __u64 id, int i, const char *symbol,
			 const char *module)
{
	const char *got_symbol, *got_module;

	assert_true(i >= 0 && i < rsp_symbols_frame_cnt(n->symbols, id));
	rsp_symbols_frame(n->symbols, id, i, &got_symbol, &got_module);
	assert_string_equal(got_symbol, symbol);
	assert_string_equal(got_module, module);
}

static void assert_other_frame(const struct names *n, __u64 id, int i, const char *symbol,
			       const char *module)
{
	const char *got_symbol, *got_module;

	rsp_symbols_frame(n->symbols, id, i, &got_symbol, &got_module);
	assert_string_not_equal(got_symbol, symbol);
	assert_string_equal(got_module, module);
}

static void assert_unnamed(const struct names *n, __u64 id, int i, const char *module)
{
	const char *got_symbol, *got_module;
	char prefix[64];

	snprintf(prefix, sizeof(prefix), "%s+0x", module);
	rsp_symbols_frame(n->symbols, id, i, &got_symbol, &got_module);
	assert_memory_equal(got_symbol, prefix, strlen(prefix));
	assert_string_equal(got_module, module);
}

static const char *program_name(void)
{
	return program_invocation_short_name;
}

/* --- frames in binaries ---------------------------------------------------------------------- */

static void test_places(void **state)
{
	_cleanup_names_ struct names n = {0};
	__u64 program, libc, frames[5];

	add_binary_of(1, (void *)(uintptr_t)demo_run, &program);
	add_binary_of(0x7fffff, dlsym(RTLD_DEFAULT, "getppid"), &libc);
	frames[0] = libc;
	frames[1] = program + 1;
	frames[2] = program; /* as a return address, it belongs to a call before the function */
	frames[3] = libc + 1;
	frames[4] = RSP_FRAME_IN_BINARY | 7ULL << RSP_FRAME_OFFSET_BITS | 0x10;
	add_stack(2, 77, 0, frames, 5);
	add_stack(2, 78, 0, &program, 1);
	n = symbolize();
	assert_int_equal(rsp_symbols_frame_cnt(n.symbols, 77), 5);
	assert_frame(&n, 77, 0, "getppid", "libc.so.6");
	assert_frame(&n, 77, 1, "demo::Server::run", program_name());
	assert_other_frame(&n, 77, 2, "demo::Server::run", program_name());
	assert_frame(&n, 77, 3, "getppid", "libc.so.6");
	assert_frame(&n, 77, 4, "[gone]+0x10", "[gone]");
	assert_frame(&n, 78, 0, "demo::Server::run", program_name());
}

/*
 * A file has two binary numbers, because two containers use it. In the second container, the file
 * may be inaccessible.
 */
static void test_one_file_of_two_binaries(void **state)
{
	_cleanup_names_ struct names n = {0};
	_cleanup_close_ int fd = -1;
	struct rsp_ev_binary *binary;
	__u64 frames[2];
	size_t len = 0;

	for (__u32 i = 0; i < 2; i++) {
		binary = add_binary_of(1 + i, dlsym(RTLD_DEFAULT, "getppid"), &frames[i]);
		fd = fd < 0 ? open(binary->path, O_RDONLY | O_CLOEXEC) : fd;
		assert_int_equal(rsp_elf_read_build_id(fd, binary->build_id, &len), 0);
		binary->build_id_len = (__u32)len;
		binary->ino = 0;
		if (i == 0) {
			binary->tgid = GONE_TGID;
			strcpy(binary->path, "/libother");
		}
	}
	frames[1]++;
	add_stack(2, 77, 0, frames, 2);
	n = symbolize();
	assert_frame(&n, 77, 0, "getppid", "libother");
	assert_frame(&n, 77, 1, "getppid", "libc.so.6");
}

/*
 * Names are found only in a file that is provably the recorded file: by its build-id, or if the
 * record has no build-id, by its inode.
 */
static void test_proofs(void **state)
{
	static const struct {
		bool has_build_id, right_build_id, has_inode, right_inode, named;
	} cases[] = {
		{false, false, true, true, true},    {false, false, true, false, false},
		{false, false, false, false, false}, {true, true, false, false, true},
		{true, true, true, false, true},     {true, false, true, true, false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		_cleanup_names_ struct names n = {0};
		_cleanup_close_ int fd = -1;
		struct rsp_ev_binary *binary;
		__u64 frame;
		size_t len = 0;

		records_len = 0;
		binary = add_binary_of(1, dlsym(RTLD_DEFAULT, "getppid"), &frame);
		fd = open(binary->path, O_RDONLY | O_CLOEXEC);
		assert_int_equal(rsp_elf_read_build_id(fd, binary->build_id, &len), 0);
		binary->build_id_len = cases[i].has_build_id ? (__u32)len : 0;
		binary->build_id[0] ^= !cases[i].right_build_id;
		binary->ino = cases[i].has_inode ? binary->ino + !cases[i].right_inode : 0;
		add_stack(2, 77, 0, &frame, 1);
		n = symbolize();
		if (cases[i].named)
			assert_frame(&n, 77, 0, "getppid", "libc.so.6");
		else
			assert_unnamed(&n, 77, 0, "libc.so.6");
	}
}

static void *find_in_vdso(const char *name)
{
	void *vdso = dlopen("linux-vdso.so.1", RTLD_NOW | RTLD_NOLOAD);

	return vdso ? dlsym(vdso, name) : NULL;
}

static void test_vdso(void **state)
{
	__u64 vdso = getauxval(AT_SYSINFO_EHDR), call = (uintptr_t)find_in_vdso("clock_gettime");
	struct rsp_ev_binary *binary;
	__u64 frame;
	size_t len = 0;
	Elf *elf = NULL;

	if (!vdso || !call) {
		print_message("skipped: no vdso here that has symbols\n");
		skip();
	}
	for (int other = 0; other < 2; other++) {
		_cleanup_names_ struct names n = {0};

		records_len = 0;
		binary = add_binary_of(1, (void *)(uintptr_t)call, &frame);
		assert_string_equal(binary->path, "[vdso]");
		assert_int_equal(rsp_elf_open_memory((void *)(uintptr_t)vdso, 4096, &elf), 0);
		assert_int_equal(rsp_elf_build_id(elf, binary->build_id, &len), 0);
		rsp_elf_close(&elf);
		binary->build_id_len = (__u32)len;
		binary->build_id[0] ^= (__u8)other;
		add_stack(2, 77, 0, &frame, 1);
		n = symbolize();
		assert_frame(&n, 77, 0, other ? "[vdso]" : "clock_gettime", "[vdso]");
	}
}

/* --- addresses of no file -------------------------------------------------------------------- */

#define MAP_PID 1234567 /* this process's PID in a PID namespace; the namespace does not exist */

static char map_path[64];

static void write_map(const char *text)
{
	int fd;

	snprintf(map_path, sizeof(map_path), "/tmp/perf-%u.map", MAP_PID);
	unlink(map_path);
	fd = open(map_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static int remove_map(void **state)
{
	unlink(map_path);
	return 0;
}

static struct rsp_ev_task *add_self(__u32 tgid)
{
	struct rsp_ev_task *t = add_record(0, RSP_EV_TASK, sizeof(*t));
	struct stat st;

	assert_int_equal(stat("/proc/self/ns/mnt", &st), 0);
	t->hdr.flags = RSP_TASK_SEED;
	t->tid = t->tgid = tgid;
	t->uid = getuid();
	t->ns_tgid = MAP_PID;
	t->mntns = (__u32)st.st_ino;
	return t;
}

static void test_perf_map(void **state)
{
	static const __u32 tgids[] = {0, GONE_TGID}; /* 0: this one */

	for (size_t i = 0; i < 2; i++) {
		__u32 tgid = tgids[i] ? tgids[i] : (__u32)getpid();
		__u64 frames[] = {0x1000, 0x1010, 0x1011, 0x2000};
		_cleanup_names_ struct names n = {0};

		records_len = 0;
		write_map("1000 10 one\n1010 10 two\n");
		add_self(tgid);
		add_stack(2, 77, tgid, frames, 4);
		n = symbolize();
		assert_frame(&n, 77, 0, "one", "[jit]");
		assert_frame(&n, 77, 1, "one", "[jit]"); /* returns to its end */
		assert_frame(&n, 77, 2, "two", "[jit]");
		assert_frame(&n, 77, 3, "0x2000", "?");
	}
}

enum { FOREIGN_USER, EARLIER_PROCESS, OTHER_NAMESPACE, PIPE, CASE_CNT };

static void test_perf_map_of_another(void **state)
{
	static const struct timespec old[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1}};
	__u64 frame = 0x1000;

	for (int i = 0; i < CASE_CNT; i++) {
		__u32 tgid = i == OTHER_NAMESPACE ? GONE_TGID : (__u32)getpid();
		_cleanup_names_ struct names n = {0};
		struct rsp_ev_task *task;

		if (i == FOREIGN_USER && getuid() != 0)
			continue;
		records_len = 0;
		write_map("1000 10 one\n");
		task = add_self(tgid);
		task->start_ns = 1000 * 1000000000ULL;
		task->mntns += i == OTHER_NAMESPACE;
		if (i == FOREIGN_USER)
			assert_int_equal(chown(map_path, 12345, 12345), 0);
		if (i == EARLIER_PROCESS)
			assert_int_equal(utimensat(AT_FDCWD, map_path, old, 0), 0);
		if (i == PIPE) {
			unlink(map_path);
			assert_int_equal(mkfifo(map_path, 0600), 0);
		}
		add_stack(2, 77, tgid, &frame, 1);
		n = symbolize();
		assert_frame(&n, 77, 0, "0x1000", "?");
	}
}

static void test_code_without_a_map(void **state)
{
	void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	__u64 frames[] = {(uintptr_t)code, (uintptr_t)records};
	_cleanup_names_ struct names n = {0};
	char text[24];

	assert_ptr_not_equal(code, MAP_FAILED);
	add_stack(2, 77, (__u32)getpid(), frames, 2);
	n = symbolize();
	munmap(code, 4096);
	snprintf(text, sizeof(text), "0x%llx", frames[1]);
	assert_frame(&n, 77, 0, "[jit]", "[jit]");
	assert_frame(&n, 77, 1, text, "?");
}

static void test_empty_trace(void **state)
{
	_cleanup_names_ struct names n = symbolize();

	assert_int_equal(rsp_symbols_frame_cnt(n.symbols, 77), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_places, setup),
		cmocka_unit_test_setup(test_one_file_of_two_binaries, setup),
		cmocka_unit_test_setup(test_proofs, setup),
		cmocka_unit_test_setup(test_vdso, setup),
		cmocka_unit_test_setup_teardown(test_perf_map, setup, remove_map),
		cmocka_unit_test_setup_teardown(test_perf_map_of_another, setup, remove_map),
		cmocka_unit_test_setup(test_code_without_a_map, setup),
		cmocka_unit_test_setup(test_empty_trace, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
