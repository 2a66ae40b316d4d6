/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests lib/symbols/places.h with copies of this program. */
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/cleanup.h"
#include "lib/symbols/debugfiles.h"
#include "lib/symbols/elf.h"
#include "lib/symbols/places.h"
#include "tests/unit/one-function.h"

#define EFFORT (1ULL << 20)

/* The tests look up addresses in this function. It is static, so only .symtab contains it. */
static _one_function_ int target(volatile int *p)
{
	return *p * *p + (*p ? *p / 3 : *p / 5);
}

struct copy {
	char path[64];
	int fd;
	off_t len;
	struct rsp_debugfiles *debugfiles;
	union {
		struct rsp_ev_binary binary;
		char bytes[sizeof(struct rsp_ev_binary) + 64];
	} rec;
};

static int setup(void **state)
{
	_cleanup_close_ int exe = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct copy *c = calloc(1, sizeof(*c));
	struct stat st;

	if (!c || exe < 0 || fstat(exe, &st) < 0)
		return -1;
	*state = c;
	strcpy(c->path, "/tmp/test_places.XXXXXX");
	c->fd = mkostemp(c->path, O_CLOEXEC);
	c->len = st.st_size;
	for (off_t off = 0; off < c->len;)
		if (sendfile(c->fd, exe, &off, (size_t)(c->len - off)) <= 0)
			return -1;
	if (fstat(c->fd, &st) < 0)
		return -1;
	c->rec.binary.ino = st.st_ino;
	c->rec.binary.dev = major(st.st_dev) << 20 | minor(st.st_dev);
	c->rec.binary.tgid = (__u32)getpid();
	strcpy(c->rec.binary.path, c->path);
	return rsp_debugfiles_new(&rsp_files_direct, false, false, &c->debugfiles);
}

static int teardown(void **state)
{
	struct copy *c = *state;

	rsp_debugfiles_free(c->debugfiles);
	unlink(c->path);
	close(c->fd);
	free(c);
	return 0;
}

static int name(struct copy *c, struct rsp_code_place *places, size_t cnt,
		struct rsp_code_names *names)
{
	const struct rsp_ev_binary *binaries[] = {&c->rec.binary};
	struct rsp_places_how how = {
		.files = &rsp_files_direct, .debugfiles = c->debugfiles, .effort = EFFORT};

	return rsp_code_places_name(&how, binaries, 1, places, cnt, names);
}

static int find_file_off(struct dl_phdr_info *info, size_t size, void *arg)
{
	__u64 *addr = arg;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *phdr = &info->dlpi_phdr[i];
		__u64 start = info->dlpi_addr + phdr->p_vaddr;

		if (phdr->p_type == PT_LOAD && *addr >= start && *addr - start < phdr->p_filesz) {
			*addr = *addr - start + phdr->p_offset;
			return 1;
		}
	}
	return 0;
}

static __u64 target_off(void)
{
	__u64 off = (uintptr_t)target;

	assert_int_equal(dl_iterate_phdr(find_file_off, &off), 1);
	return off;
}

static void take(struct copy *c, const char *section)
{
	_cleanup_elf_ Elf *elf = NULL;
	Elf64_Word gone = SHT_NOBITS;
	GElf_Ehdr ehdr;
	GElf_Shdr shdr;
	Elf_Scn *scn;

	assert_int_equal(rsp_elf_open(c->fd, &elf), 0);
	assert_non_null(gelf_getehdr(elf, &ehdr));
	scn = rsp_elf_section(elf, section, 0, &shdr);
	assert_non_null(scn);
	assert_int_equal(pwrite(c->fd, &gone, sizeof(gone),
				(off_t)(ehdr.e_shoff + elf_ndxscn(scn) * ehdr.e_shentsize +
					offsetof(Elf64_Shdr, sh_type))),
			 sizeof(gone));
}

static bool has(struct copy *c, const char *section)
{
	_cleanup_elf_ Elf *elf = NULL;
	GElf_Shdr shdr;

	assert_int_equal(rsp_elf_open(c->fd, &elf), 0);
	return rsp_elf_section(elf, section, 0, &shdr);
}

static void assert_target(struct copy *c, bool has_name)
{
	struct rsp_code_place places[] = {{target_off() - 1}, {target_off()}, {target_off() + 5}};
	struct rsp_code_names names = {0};

	assert_int_equal(name(c, places, 3, &names), 0);
	for (int i = 1; i < 3; i++) {
		if (has_name) {
			assert_int_equal(places[i].name_cnt, 1);
			assert_string_equal(rsp_code_place_name(&names, &places[i], 0), "target");
			continue;
		}
		assert_int_equal(places[i].name_cnt, 0);
		assert_int_equal(places[i].function_off, target_off());
	}
	assert_int_not_equal(places[0].function_off, target_off());
	rsp_code_names_done(&names);
}

static void test_ever_less(void **state)
{
	struct copy *c = *state;

	target(&(int){1});
	assert_target(c, true);
	take(c, ".symtab");
	if (has(c, ".debug_info")) {
		assert_target(c, true);
		take(c, ".debug_info");
	}
	assert_target(c, false);
}

static void test_no_file(void **state)
{
	struct copy *c = *state;
	struct rsp_code_place place = {target_off()};
	struct rsp_code_names names = {0};

	unlink(c->path);
	assert_int_equal(name(c, &place, 1, &names), 0);
	assert_int_equal(place.name_cnt, 0);
	assert_int_equal(place.function_off, RSP_CODE_NO_FUNCTION);
	rsp_code_names_done(&names);
}

static void poke(struct copy *c)
{
	struct rsp_code_place places[100];
	struct rsp_code_names names = {0};
	size_t letters = 0;

	for (__u64 i = 0; i < 100; i++)
		places[i] = (struct rsp_code_place){target_off() / 64 * i};
	assert_int_equal(name(c, places, 100, &names), 0);
	for (size_t i = 0; i < 100; i++)
		for (size_t n = 0; n < places[i].name_cnt; n++)
			letters += strlen(rsp_code_place_name(&names, &places[i], n));
	assert_true(letters < (size_t)c->len * 100);
	rsp_code_names_done(&names);
}

/* Half of the damage is in headers, because finding all other data depends on them. */
static void test_damaged(void **state)
{
	struct copy *c = *state;
	__u32 random = 1;

	for (int i = 0; i < 100; i++) {
		unsigned char was[4];
		off_t at[4];

		for (int k = 0; k < 4; k++) {
			unsigned char new;

			random = random * 1103515245 + 12345;
			at[k] = i % 4 == 0   ? random >> 8 & 0x3ff
				: i % 4 == 1 ? c->len - 1 - (random >> 8) % 0xc00
					     : (random >> 8) % c->len;
			new = (unsigned char)(random >> 3);
			assert_int_equal(pread(c->fd, &was[k], 1, at[k]), 1);
			assert_int_equal(pwrite(c->fd, &new, 1, at[k]), 1);
		}
		poke(c);
		for (int k = 4; k-- > 0;)
			assert_int_equal(pwrite(c->fd, &was[k], 1, at[k]), 1);
	}
}

static void test_truncated(void **state)
{
	struct copy *c = *state;

	for (int i = 63; i >= 0; i--) {
		assert_int_equal(ftruncate(c->fd, c->len / 64 * i), 0);
		poke(c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_ever_less, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_file, setup, teardown),
		cmocka_unit_test_setup_teardown(test_damaged, setup, teardown),
		cmocka_unit_test_setup_teardown(test_truncated, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
