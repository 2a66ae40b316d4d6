/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Demangling of C++ and Rust names, and of names made to hurt. */
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
	const char *mangled, *name; /* NULL: stays as it is */
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
	{"_RNvCskwGfYPst2Cb_3foo3bar", "foo::bar"},
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

/* foo<P<T,T>, P<that,that>, …>: each substitution doubles the text. */
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
