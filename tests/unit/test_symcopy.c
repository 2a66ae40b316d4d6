/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests lib/symbols/symcopy.h with copies of this program's symbols. */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include <cmocka.h>

#include "lib/base/cleanup.h"
#include "lib/symbols/elf.h"
#include "lib/symbols/perfmap.h"
#include "lib/symbols/symcopy.h"
#include "tests/unit/one-function.h"

/* The function is static, so only .symtab contains it. */
static _one_function_ int target(volatile int *p)
{
	return *p * *p + (*p ? *p / 3 : *p / 5);
}

static int program(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static int file_of(const void *bytes, size_t len)
{
	int fd = memfd_create("copy", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	return fd;
}

static int read_bytes(const void *bytes, size_t len, struct rsp_perfmap **ret)
{
	_cleanup_close_ int fd = file_of(bytes, len);

	return rsp_symcopy_read(fd, ret);
}

static int find_base(struct dl_phdr_info *info, size_t size, void *userdata)
{
	*(__u64 *)userdata = info->dlpi_addr;
	return 1;
}

static __u64 offset_of(uintptr_t address)
{
	_cleanup_close_ int fd = program();
	_cleanup_elf_ Elf *elf = NULL;
	struct rsp_elf_code code;
	__u64 base = 0, off = 0;

	dl_iterate_phdr(find_base, &base);
	assert_int_equal(rsp_elf_open(fd, &elf), 0);
	assert_int_equal(rsp_elf_code_read(elf, &code), 0);
	assert_true(rsp_elf_code_off(&code, address - base, &off));
	return off;
}

static void test_names(void **state)
{
	struct rsp_perfmap *map;
	void *copy;
	size_t len;
	int two = 2;

	assert_int_equal(target(&two), 4);
	assert_int_equal(rsp_symcopy_make(program(), &copy, &len), 0);
	assert_int_equal(read_bytes(copy, len, &map), 0);
	assert_string_equal(rsp_perfmap_lookup(map, offset_of((uintptr_t)target)), "target");
	assert_string_equal(rsp_perfmap_lookup(map, offset_of((uintptr_t)target + 1)), "target");
	assert_string_equal(rsp_perfmap_lookup(map, offset_of((uintptr_t)rsp_symcopy_make)),
			    "rsp_symcopy_make");
	assert_null(rsp_perfmap_lookup(map, 0));
	rsp_perfmap_free(map);
	free(copy);
}

static void test_without_symbols(void **state)
{
	void *copy = NULL;
	size_t len;

	assert_int_equal(rsp_symcopy_make(file_of("no program", 10), &copy, &len), -EBADMSG);
	assert_int_equal(rsp_symcopy_make(file_of("", 0), &copy, &len), -EBADMSG);
	assert_null(copy);
}

static void test_damaged(void **state)
{
	struct rsp_perfmap *map = NULL;
	void *copy;
	size_t len;

	assert_int_equal(read_bytes("", 0, &map), -EBADMSG);
	assert_int_equal(read_bytes("1000 20 not compressed\n", 23, &map), -EBADMSG);
	assert_int_equal(rsp_symcopy_make(program(), &copy, &len), 0);
	for (size_t cut = 1; cut < len; cut += len / 16)
		assert_int_equal(read_bytes(copy, len - cut, &map), -EBADMSG);
	assert_null(map);
	free(copy);
}

/*
 * Zeroes compress to less than a thousandth of their size, so a small file could make the reader
 * use much memory.
 */
static void test_bomb(void **state)
{
	static char zeroes[RSP_SYMCOPY_MAP_BYTES_MAX + 1], bytes[65536];
	struct rsp_perfmap *map = NULL;
	size_t len = ZSTD_compress(bytes, sizeof(bytes), zeroes, sizeof(zeroes), 1);

	assert_false(ZSTD_isError(len));
	assert_int_equal(read_bytes(bytes, len, &map), -EFBIG);
	assert_null(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_without_symbols),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_bomb),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
