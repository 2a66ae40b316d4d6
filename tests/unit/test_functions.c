/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the search for functions: the results must be the addresses to which this program maps
 * them.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/cleanup.h"
#include "lib/symbols/functions.h"

void test_functions_exported(void);

void test_functions_exported(void)
{
}

static int find(const char *path, const char *name, __u64 *ret)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	return rsp_functions_find(fd, name, ret);
}

struct place {
	uintptr_t address;
	__u64 file_off; /* 0: not in a file */
	char path[256];
};

/* Finds the file of an address with the dynamic linker, which the code under test does not use. */
static int look_in(struct dl_phdr_info *info, size_t size, void *data)
{
	struct place *place = data;

	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *phdr = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + phdr->p_vaddr;

		if (phdr->p_type != PT_LOAD || place->address < start ||
		    place->address - start >= phdr->p_filesz)
			continue;
		place->file_off = place->address - start + phdr->p_offset;
		snprintf(place->path, sizeof(place->path), "%s",
			 *info->dlpi_name ? info->dlpi_name : "/proc/self/exe");
		return 1;
	}
	return 0;
}

static void assert_found(const char *name, uintptr_t address)
{
	struct place place = {.address = address};
	__u64 got = 0;

	assert_int_equal(dl_iterate_phdr(look_in, &place), 1);
	assert_int_equal(find(place.path, name, &got), 0);
	assert_int_equal(got, place.file_off);
}

static void test_found(void **state)
{
	assert_found("test_functions_exported", (uintptr_t)test_functions_exported);
	assert_found("find", (uintptr_t)find);
}

static void test_in_library(void **state)
{
	assert_found("qsort", (uintptr_t)qsort);
}

static void test_not_there(void **state)
{
	static const char *const names[] = {"", "test_functions_exporte", "stdout", "no such name"};
	__u64 got = 17;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(find("/proc/self/exe", names[i], &got), -ENOENT);
	assert_int_equal(find("/proc/self/status", "main", &got), -EBADMSG);
	assert_int_equal(find("/dev/null", "main", &got), -EBADMSG);
	assert_int_equal(got, 17);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_in_library),
		cmocka_unit_test(test_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
