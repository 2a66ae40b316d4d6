/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares lib/base/sort.h with insertion sort. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/base/sort.h"

struct element {
	int key;
	int order; /* original position */
	char more[8];
};

static int compare(const void *pa, const void *pb)
{
	const struct element *a = pa, *b = pb;

	return (a->key > b->key) - (a->key < b->key);
}

static void insertion_sort(struct element *v, size_t cnt)
{
	for (size_t i = 1; i < cnt; i++)
		for (size_t at = i; at > 0 && v[at - 1].key > v[at].key; at--) {
			struct element moved = v[at];

			v[at] = v[at - 1];
			v[at - 1] = moved;
		}
}

#define CNT_MAX 300

static void check(size_t cnt, int run_max, int key_max)
{
	struct element v[CNT_MAX] = {0}, sorted[CNT_MAX] = {0};

	for (size_t i = 0; i < cnt; i++) {
		bool goes_on = i > 0 && rand() % run_max;

		v[i].key = goes_on ? v[i - 1].key + rand() % 3 : rand() % key_max;
		v[i].order = (int)i;
		v[i].more[7] = (char)i;
	}
	memcpy(sorted, v, sizeof(v));
	insertion_sort(sorted, cnt);
	assert_int_equal(rsp_sort(v, cnt, sizeof(*v), compare), 0);
	assert_memory_equal(v, sorted, sizeof(v));
}

static void test_any_runs(void **state)
{
	srand(1);
	for (size_t cnt = 0; cnt < CNT_MAX; cnt++) {
		check(cnt, 1, 10);	 /* not sorted, many equal keys */
		check(cnt, 2, 100000);	 /* short runs */
		check(cnt, 50, 20);	 /* long runs that overlap */
		check(cnt, 1000000, 10); /* one run */
	}
}

static int compare_ints(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void test_reversed(void **state)
{
	int v[] = {9, 8, 7, 6, 5, 4, 3, 2, 1};

	assert_int_equal(rsp_sort(v, 9, sizeof(*v), compare_ints), 0);
	for (int i = 0; i < 9; i++)
		assert_int_equal(v[i], i + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_runs),
		cmocka_unit_test(test_reversed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
