/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the search for function names in Python's method tables. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/symbols/pymethods.h"
#include "tests/unit/py-image.h"

/* --- making them ------------------------------------------------------------------------------ */

static void put_u64(struct bytes *b, __u64 value)
{
	put(b, &value, 8);
}

static __u64 here(const struct bytes *b)
{
	return PY_DATA_VADDR + b->len;
}

static __u64 put_text(struct bytes *b, const char *text)
{
	__u64 at = here(b);

	put(b, text, strlen(text) + 1);
	while (b->len % 8)
		put_u8(b, 0);
	return at;
}

static void put_method(struct bytes *b, __u64 name, __u64 function, __u64 flags, __u64 doc)
{
	put_u64(b, name);
	put_u64(b, function);
	put_u64(b, flags);
	put_u64(b, doc);
}

static void put_words(struct bytes *b, size_t cnt)
{
	while (cnt--)
		put_u64(b, 0);
}

static struct bytes make_data(void)
{
	struct bytes b = {0};
	__u64 time = put_text(&b, "time"), sleep = put_text(&b, "sleep");
	__u64 lock = put_text(&b, "_thread.lock"), acquire = put_text(&b, "acquire");
	__u64 list = put_text(&b, "list"), append = put_text(&b, "append");
	__u64 odd = put_text(&b, "two words"), tables[4], slots;

	tables[0] = here(&b);
	put_method(&b, sleep, PY_FUNCTION(0), 8, time);
	put_method(&b, time, PY_FUNCTION(1), 4, 0);
	put_words(&b, 4);
	tables[1] = here(&b);
	put_method(&b, acquire, PY_FUNCTION(2), 3, 0);
	put_words(&b, 4);
	tables[2] = here(&b);
	put_method(&b, append, PY_FUNCTION(3), 8, 0);
	put_words(&b, 4);
	/* No pointer leads here. */
	put_method(&b, append, PY_FUNCTION(4), 0x282, 0);
	put_words(&b, 1);
	/* No methods. */
	put_method(&b, append, PY_FUNCTION(5), 0, 0);
	put_method(&b, append, PY_FUNCTION(6), 0x400, 0);
	put_method(&b, odd, PY_FUNCTION(7), 8, 0);
	put_method(&b, append, PY_FUNCTION(8) + 1, 8, 0);
	put_method(&b, append, PY_FUNCTION(9), 8, 12345);
	put_method(&b, 0, PY_FUNCTION(10), 8, 0);
	put_method(&b, append, CODE_VADDR - 8, 8, 0);
	/* A module. */
	put_words(&b, 5);
	put_u64(&b, time);
	put_words(&b, 2);
	put_u64(&b, tables[0]);
	/* A static type: its name is far before the pointer to its method table. */
	put_words(&b, 3);
	put_u64(&b, list);
	put_words(&b, 25);
	put_u64(&b, tables[2]);
	/* A type that Python makes at run time from an array of slots. */
	put_words(&b, 2);
	slots = here(&b);
	put_u64(&b, 52);
	put_u64(&b, PY_FUNCTION(11));
	put_u64(&b, 64);
	put_u64(&b, tables[1]);
	put_words(&b, 2);
	put_u64(&b, lock);
	put_words(&b, 2);
	put_u64(&b, slots);
	return b;
}

static const char *const want[PY_FUNCTION_CNT] = {
	"time.sleep()", "time.time()", "_thread.lock.acquire()", "list.append()", "append()",
};

static int read_image(const struct bytes *image, struct rsp_elfsyms **ret)
{
	/* The copy has the exact size, so that the sanitizers detect any read beyond its end. */
	void *copy = malloc(image->len);
	struct rsp_elf64 elf;
	int r;

	assert_non_null(copy);
	memcpy(copy, image->v, image->len);
	assert_int_equal(rsp_elfsyms_new(ret), 0);
	r = rsp_elf64_open_memory(&elf, copy, image->len);
	if (r == 0)
		r = rsp_pymethods_add(*ret, &elf);
	assert_int_equal(rsp_elfsyms_finish(*ret), 0);
	free(copy);
	return r;
}

static void expect_names(const struct bytes *image)
{
	struct rsp_elfsyms *syms;

	assert_int_equal(read_image(image, &syms), 5);
	for (size_t i = 0; i < PY_FUNCTION_CNT; i++)
		for (__u64 at = 0; at < PY_FUNCTION_BYTES; at += PY_FUNCTION_BYTES - 1) {
			const char *name = rsp_elfsyms_lookup(syms, PY_FUNCTION(i) + at);

			if (!name != !want[i] || (name && strcmp(name, want[i]) != 0))
				fail_msg("%zu is %s", i, name ? name : "nothing");
		}
	rsp_elfsyms_free(syms);
}

/* --- reading them ----------------------------------------------------------------------------- */

static void methods_go_by_their_owners(void **state)
{
	struct bytes data = make_data(), image = make_python(&data);

	expect_names(&image);
	free(image.v);
	free(data.v);
}

/*
 * In a position-independent file, the words with addresses are 0, and relocations contain the
 * addresses.
 */
static void relocations_contain_addresses(void **state)
{
	struct bytes data = make_data(), relocations = {0}, image;

	for (size_t off = 0; off + 8 <= data.len; off += 8) {
		__u64 word;

		memcpy(&word, data.v + off, 8);
		if (word < CODE_VADDR || word > PY_DATA_VADDR + data.len)
			continue;
		memset(data.v + off, 0, 8);
		put(&relocations,
		    &(Elf64_Rela){PY_DATA_VADDR + off, ELF64_R_INFO(0, R_X86_64_RELATIVE),
				  (Elf64_Sxword)word},
		    sizeof(Elf64_Rela));
	}
	assert_true(relocations.len > 0);
	image = make_python(&data);
	/* There is no room for more section headers, so the test copies all of them to the end. */
	{
		Elf64_Ehdr *ehdr = (Elf64_Ehdr *)image.v;
		size_t from = ehdr->e_shoff, len = ehdr->e_shnum * sizeof(Elf64_Shdr);
		__u8 *headers = malloc(len);

		assert_non_null(headers);
		memcpy(headers, image.v + from, len);
		ehdr->e_shoff = image.len;
		put(&image, headers, len);
		free(headers);
	}
	add_sections(&image, &(struct section){".rela.dyn", relocations.v, relocations.len}, 1);
	expect_names(&image);
	free(image.v);
	free(relocations.v);
	free(data.v);
}

static void other_programs_have_none(void **state)
{
	static const char text[] = "append";
	struct bytes data = {0}, image;
	struct rsp_elfsyms *syms;

	for (int i = 0; i < 100; i++)
		put(&data, text, sizeof(text));
	image = make_python(&data);
	assert_int_equal(read_image(&image, &syms), 0);
	rsp_elfsyms_free(syms);
	free(image.v);
	free(data.v);
}

static void try(const struct bytes *data)
{
	struct bytes image = make_python(data);
	struct rsp_elfsyms *syms;

	read_image(&image, &syms);
	for (size_t i = 0; i < PY_FUNCTION_CNT; i++) {
		const char *name = rsp_elfsyms_lookup(syms, PY_FUNCTION(i));

		assert_true(!name || strlen(name) < 256);
	}
	rsp_elfsyms_free(syms);
	free(image.v);
}

static void damage_does_no_harm(void **state)
{
	struct bytes data = make_data();
	unsigned int seed = 1;

	for (int i = 0; i < 4000; i++) {
		size_t at = (size_t)rand_r(&seed) % data.len;
		__u8 mask = (__u8)(1 << rand_r(&seed) % 8);

		data.v[at] ^= mask;
		try(&data);
		data.v[at] ^= mask;
	}
	while (data.len--)
		try(&data);
	free(data.v);
}

/* From each slot, the reader walks back to the beginning of the array of slots. */
static void lists_of_slots_end(void **state)
{
	struct bytes data = {0};
	__u64 name = put_text(&data, "f"), table = here(&data);

	put_method(&data, name, PY_FUNCTION(0), 1, 0);
	for (int i = 0; i < 200000; i++) {
		put_u64(&data, 64);
		put_u64(&data, table);
	}
	try(&data);
	free(data.v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(methods_go_by_their_owners),
		cmocka_unit_test(relocations_contain_addresses),
		cmocka_unit_test(other_programs_have_none),
		cmocka_unit_test(damage_does_no_harm),
		cmocka_unit_test(lists_of_slots_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
