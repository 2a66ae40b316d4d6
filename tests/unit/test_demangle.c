/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the demangling of C++ and Rust names, and of hostile names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/symbols/demangle.h"

static const struct {
	const char *mangled, *name; /* NULL: the name stays the same */
} names[] = {
	{"main", NULL},
	{"", NULL},
	{"_", NULL},
	{"_start", NULL},
	{"_Z", NULL},
	{"_Zonk", NULL},
	{"_R", NULL},
	{"_Z3foov", "foo"},
	{"_ZN4demo6Server6handleERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
	 "demo::Server::handle"},
	{"_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back"},
	{"_ZN3FooD1Ev", "Foo::~Foo"},
	{"_ZL6helperi.part.0", "helper"},
	{"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"},
	{"_ZN9hashbrown3raw21RawTable$LT$T$C$A$GT$14reserve_rehash17h0247875e966b8700E.llvm.43",
	 "hashbrown::raw::RawTable<T,A>::reserve_rehash"},
	{"_ZN34_$LT$r..Sq$u20$as$u20$r..Shape$GT$4area17h0123456789abcdefE",
	 "<r::Sq as r::Shape>::area"},
	{"_RNvCskwGfYPst2Cb_3foo3bar", "foo::bar"},
	{"_RINvMs6_NtCsgvbsrvnw3yD_9hashbrown3rawINtB6_8RawTableTNtNtCslNYArtu3iFV_5alloc6string"
	 "6StringINtNtBU_3vec3VechEEE14reserve_rehashNCINvNtB8_3map11make_hasherBQ_B1s_NtNtNtCsjr"
	 "HSEGnQ3l9_3std4hash6random11RandomStateE0ECs6GmmlP4bgsG_1r.llvm.55",
	 "<hashbrown::raw::RawTable<(alloc::string::String, alloc::vec::Vec<u8>)>>::reserve_rehash::"
	 "<hashbrown::map::make_hasher<alloc::string::String, alloc::vec::Vec<u8>, "
	 "std::hash::random::RandomState>::{closure#0}>"},
	{"_RNvNtCs1234_7mycrate3mod4func", "mycrate::mod::func"},
};

static void test_names(void **state)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *name = rsp_demangle(names[i].mangled);

		if (names[i].name) {
			assert_non_null(name);
			assert_string_equal(name, names[i].name);
		} else if (name) {
			fail_msg("%s became %s", names[i].mangled, name);
		}
		free(name);
	}
}

/* Each substitution refers to the previous one, so the text doubles each time. */
static void test_exponential_name_is_left_alone(void **state)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[1024] = "_Z3fooI1PI1TS0_E";
	char *end = name + strlen(name);

	for (int i = 1; i < 34; i++)
		end += sprintf(end, "S_IS%c_S%c_E", digits[i], digits[i]);
	strcpy(end, "Evv");
	assert_null(rsp_demangle(name));
}

static void test_deep_name_is_left_alone(void **state)
{
	size_t len = 1 << 20;
	char *name = malloc(len + 1);

	memset(name, 'P', len);
	memcpy(name, "_Z1fI", 5);
	name[len] = '\0';
	assert_null(rsp_demangle(name));
	memset(name, 'R', len);
	name[0] = '_';
	assert_null(rsp_demangle(name));
	free(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_exponential_name_is_left_alone),
		cmocka_unit_test(test_deep_name_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
