/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the search for debug files at their standard paths. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
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

#include "lib/base/cleanup.h"
#include "lib/symbols/debugdirs.h"
#include "lib/symbols/debugfiles.h"
#include "lib/symbols/elf.h"
#include "lib/symbols/minidebug.h"

#define GONE_TGID 0x7fffffff /* above any limit of the kernel */

static const __u8 build_id[20] = {0xab, 0xcd, 0xef, [19] = 1};

#define BUILD_ID_PATH "ab/cdef0000000000000000000000000000000001.debug"

struct image {
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdr;
	Elf64_Nhdr note;
	char note_name[4];
	__u8 id[20];
};

static struct image make_image(void)
{
	struct image image = {
		.ehdr = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				     EV_CURRENT},
			 .e_type = ET_DYN,
			 .e_machine = EM_X86_64,
			 .e_version = EV_CURRENT,
			 .e_phoff = offsetof(struct image, phdr),
			 .e_ehsize = sizeof(Elf64_Ehdr),
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = 1},
		.phdr = {.p_type = PT_NOTE,
			 .p_offset = offsetof(struct image, note),
			 .p_filesz = sizeof(Elf64_Nhdr) + 24,
			 .p_memsz = sizeof(Elf64_Nhdr) + 24,
			 .p_align = 4},
		.note = {.n_namesz = 4, .n_descsz = 20, .n_type = NT_GNU_BUILD_ID},
		.note_name = "GNU",
	};

	memcpy(image.id, build_id, 20);
	return image;
}

static char *dir; /* of one test */

static int setup(void **state)
{
	dir = strdup("/tmp/test_debugfile.XXXXXX");
	return dir && mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", dir);
	free(dir);
	return system(command);
}

static void put_file(const char *name, const void *bytes, size_t len)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	for (char *slash = path + strlen(dir) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
		*slash = '/';
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	close(fd);
}

static int open_file(const struct rsp_file_request *file, const struct rsp_ev_binary *binary,
		     void *userdata)
{
	if (file->kind >= RSP_FILE_LISTED)
		return rsp_debugdirs_open(userdata, file);
	return rsp_file_open(file, binary, "/proc/self");
}

/* Searches in dir, which plays the user's own directory of debug files. */
static bool found(const struct rsp_debug_request *file, bool alt)
{
	const char *list[] = {dir};
	struct rsp_debugfiles *d = NULL;
	struct rsp_debugdirs *dirs = NULL;
	struct rsp_files files = {.open = open_file};
	int fd;

	assert_int_equal(rsp_debugdirs_new(list, 1, &dirs), 0);
	files.userdata = dirs;
	assert_int_equal(rsp_debugfiles_new(&files, true, false, &d), 0);
	fd = alt ? rsp_debugfiles_open_alt(d, file) : rsp_debugfiles_open(d, file);
	rsp_debugfiles_free(d);
	rsp_debugdirs_free(dirs);
	if (fd < 0)
		assert_int_equal(fd, -ENOENT);
	else
		close(fd);
	return fd >= 0;
}

static union {
	struct rsp_ev_binary record;
	char bytes[sizeof(struct rsp_ev_binary) + 256];
} gone = {.record = {.tgid = GONE_TGID}};

static const struct rsp_debug_request by_id = {
	.binary = &gone.record, .build_id = build_id, .build_id_len = sizeof(build_id)};

static void test_by_build_id(void **state)
{
	static const struct {
		const char *name;
		bool found;
	} cases[] = {
		{".build-id/" BUILD_ID_PATH, true},
		{BUILD_ID_PATH, true},
		{"any name", true},
		{"deeper/any name", false},
		{".build-id/ab/cdef.debug", false},
	};
	struct image image = make_image();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (int other = 0; other < 2; other++) {
			image.id[5] = (__u8)other;
			teardown(NULL);
			setup(NULL);
			put_file(cases[i].name, &image, sizeof(image));
			if (found(&by_id, false) != (cases[i].found && !other))
				fail_msg("%s%s", cases[i].name, other ? " of another" : "");
		}
	}
}

static void test_odd_directories(void **state)
{
	const char *dirs[] = {"/nonexistent"};
	struct rsp_debugdirs *d = (void *)8;
	struct image image = make_image();
	char path[256];

	assert_int_equal(rsp_debugdirs_new(dirs, 1, &d), -ENOENT);
	assert_ptr_equal(d, (void *)8);
	put_file("empty", "", 0);
	put_file("text", "text", 4);
	snprintf(path, sizeof(path), "%s/pipe", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_false(found(&by_id, false));
	put_file("z", &image, sizeof(image));
	assert_true(found(&by_id, false));
}

/* The checksum in .gnu_debuglink or the build-id must match the debug file. */
static void test_by_link(void **state)
{
	static const char *const names[] = {"prog.debug", ".debug/prog.debug"};
	struct image image = make_image();
	struct rsp_debug_request file = {.binary = &gone.record, .link = "prog.debug"};

	snprintf(gone.record.path, 256, "%s/prog", dir);
	for (size_t i = 0; i < 2; i++) {
		put_file(names[i], "123456789", 9);
		file.link_crc = 0xcbf43926;
		assert_true(found(&file, false));
		file.link_crc++;
		assert_false(found(&file, false));
		put_file(names[i], &image, sizeof(image));
		assert_false(found(&file, false));
		file.build_id = build_id;
		file.build_id_len = sizeof(build_id);
		assert_true(found(&file, false));
		file.build_id_len = 0;
		put_file(names[i], "", 0);
	}
	put_file("prog.debug", "123456789", 9);
	put_file("below/file", "", 0);
	file.link = "below/../prog.debug";
	file.link_crc = 0xcbf43926;
	assert_false(found(&file, false));
}

static void test_dwz(void **state)
{
	struct image image = make_image();
	struct rsp_debug_request file = by_id;

	put_file(".dwz/x86_64-linux-gnu/pkg.debug", &image, sizeof(image));
	file.link = "../../.dwz/x86_64-linux-gnu/other.debug";
	assert_false(found(&file, true));
	file.link = "../../.dwz/x86_64-linux-gnu/pkg.debug";
	assert_true(found(&file, true));
	file.link = "pkg.debug";
	assert_false(found(&file, true));
	put_file("any", &image, sizeof(image));
	assert_true(found(&file, true));
}

/* --- .gnu_debugdata -------------------------------------------------------------------------- */

enum { SCN_NULL, SCN_MINI, SCN_STRINGS, SCN_CNT };

struct mini {
	Elf64_Ehdr ehdr;
	Elf64_Shdr shdrs[SCN_CNT];
	char strings[16];
	__u8 data[4096];
};

static struct mini make_mini(const void *content, size_t len)
{
	struct mini mini = {
		.ehdr = make_image().ehdr,
		.shdrs = {[SCN_MINI] = {.sh_name = 1,
					.sh_type = SHT_PROGBITS,
					.sh_offset = offsetof(struct mini, data)},
			  [SCN_STRINGS] = {.sh_type = SHT_STRTAB,
					   .sh_offset = offsetof(struct mini, strings),
					   .sh_size = sizeof(mini.strings)}},
		.strings = "\0.gnu_debugdata",
	};
	size_t used = 0;

	mini.ehdr.e_phnum = 0;
	mini.ehdr.e_phoff = 0;
	mini.ehdr.e_shoff = offsetof(struct mini, shdrs);
	mini.ehdr.e_shentsize = sizeof(Elf64_Shdr);
	mini.ehdr.e_shnum = SCN_CNT;
	mini.ehdr.e_shstrndx = SCN_STRINGS;
	assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, content, len, mini.data,
						 &used, sizeof(mini.data)),
			 LZMA_OK);
	mini.shdrs[SCN_MINI].sh_size = used;
	return mini;
}

static int read_mini(struct mini *mini, void **ret, size_t *ret_len)
{
	_cleanup_elf_ Elf *elf = NULL;

	assert_int_equal(rsp_elf_open_memory(mini, sizeof(*mini), &elf), 0);
	return rsp_minidebug_read(elf, ret, ret_len);
}

static void test_minidebug(void **state)
{
	_cleanup_free_ char *content = calloc(1, 1000000);
	_cleanup_free_ void *got = NULL;
	struct mini mini = make_mini(content, 1000000);
	size_t len;

	assert_int_equal(read_mini(&mini, &got, &len), 0);
	assert_int_equal(len, 1000000);
	assert_memory_equal(got, content, len);
	mini.strings[2] = 'x';
	assert_int_equal(read_mini(&mini, &got, &len), -ENODATA);
}

static void test_damaged_minidebug(void **state)
{
	struct mini mini = make_mini("a few bytes", 11);
	size_t bytes = mini.shdrs[SCN_MINI].sh_size, len;
	void *got;

	for (size_t i = 0; i < bytes; i++) {
		mini.shdrs[SCN_MINI].sh_size = i;
		assert_int_equal(read_mini(&mini, &got, &len), -EBADMSG);
	}
	mini.shdrs[SCN_MINI].sh_size = bytes;
	for (size_t i = 0; i < bytes; i++) {
		mini.data[i] ^= 0x55;
		if (read_mini(&mini, &got, &len) == 0)
			free(got);
		mini.data[i] ^= 0x55;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_by_build_id, setup, teardown),
		cmocka_unit_test_setup_teardown(test_odd_directories, setup, teardown),
		cmocka_unit_test_setup_teardown(test_by_link, setup, teardown),
		cmocka_unit_test_setup_teardown(test_dwz, setup, teardown),
		cmocka_unit_test(test_minidebug),
		cmocka_unit_test(test_damaged_minidebug),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
