/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the lists of functions, callers and callees that are made from a profile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/array.h"
#include "lib/base/format.h"
#include "lib/profile/callgraph.h"
#include "lib/profile/function-list.h"

static __u32 string(struct rsp_profile *p, const char *text)
{
	__u32 id;

	assert_int_equal(rsp_intern_put(&p->strings, text, strlen(text), &id), 0);
	return id;
}

static __u32 node(struct rsp_profile *p, __u32 parent, const char *name, const char *module,
		  __u64 self)
{
	struct rsp_profile_node *n;
	__u32 name_id = string(p, name), module_id = string(p, module);

	n = rsp_array_add(&p->nodes);
	assert_non_null(n);
	*n = (struct rsp_profile_node){.parent = parent,
				       .name = name_id,
				       .module = module_id,
				       .ink = parent == RSP_PROFILE_ROOT ? RSP_PROFILE_PROCESS
									 : RSP_PROFILE_USER,
				       .self = self,
				       .cnt = self / 10};
	p->total += self;
	return (__u32)(p->nodes.cnt - 1);
}

/*
 * A profile of app: main 10; main → walk 20; main → walk → visit 30; main → walk → visit → walk 40
 * (recursion); main → visit 50; and two addresses without names.
 */
static struct rsp_profile *tree(void)
{
	struct rsp_profile *p = calloc(1, sizeof(*p));
	__u32 app, main_, walk, visit;

	p->unit = "ns";
	string(p, "");
	app = node(p, RSP_PROFILE_ROOT, "app [7]", "", 0);
	main_ = node(p, app, "main", "app", 10);
	walk = node(p, main_, "walk", "app", 20);
	visit = node(p, walk, "visit", "app", 30);
	node(p, visit, "walk", "app", 40);
	node(p, main_, "visit", "app", 50);
	node(p, main_, "libz.so+0x10", "libz.so", 5);
	node(p, main_, "libz.so+0x20", "libz.so", 6);
	return p;
}

static void tree_free(struct rsp_profile *p)
{
	free(p->nodes.v);
	rsp_intern_done(&p->strings);
	free(p);
}

static const struct rsp_function *function(const struct rsp_function_list *f, const char *name)
{
	__u32 i = rsp_function_list_find(f, name);

	assert_int_not_equal(i, RSP_NO_FUNCTION);
	return &f->list.v[i];
}

static void recursion_counts_once(void **state)
{
	struct rsp_profile *p = tree();
	struct rsp_function_list f;

	assert_int_equal(rsp_function_list_make(p, &f), 0);
	assert_int_equal(f.list.cnt, 4);
	assert_int_equal(function(&f, "main")->self, 10);
	assert_int_equal(function(&f, "main")->total, 161);
	assert_int_equal(function(&f, "walk")->self, 60);
	assert_int_equal(function(&f, "walk")->total, 90);
	assert_int_equal(function(&f, "walk")->total_cnt, 9);
	assert_int_equal(function(&f, "visit")->self, 80);
	assert_int_equal(function(&f, "visit")->total, 120);
	assert_string_equal(rsp_function_name(&f, 0), "main");
	assert_int_equal(rsp_function_list_find(&f, "app [7]"), RSP_NO_FUNCTION);
	rsp_function_list_done(&f);
	tree_free(p);
}

static void code_without_symbols_is_one_function(void **state)
{
	struct rsp_profile *p = tree();
	struct rsp_function_list f;

	assert_int_equal(rsp_function_list_make(p, &f), 0);
	assert_int_equal(function(&f, "libz.so (no symbols)")->self, 11);
	rsp_function_list_done(&f);
	tree_free(p);
}

static __u64 child(const struct rsp_function_list *f, const struct rsp_calls *c, __u32 parent,
		   const char *name, __u32 *ret)
{
	for (__u32 i = 0; i < c->nodes.cnt; i++) {
		if (c->nodes.v[i].parent != parent ||
		    strcmp(rsp_function_name(f, c->nodes.v[i].function), name) != 0)
			continue;
		*ret = i;
		return c->nodes.v[i].total;
	}
	return 0;
}

static void descendants_begin_at_the_outermost_call(void **state)
{
	struct rsp_profile *p = tree();
	struct rsp_function_list f;
	struct rsp_calls c;
	__u32 at;

	assert_int_equal(rsp_function_list_make(p, &f), 0);
	assert_int_equal(rsp_calls_make(&f, rsp_function_list_find(&f, "walk"), RSP_CALLS_DOWN, &c),
			 0);
	assert_int_equal(child(&f, &c, UINT32_MAX, "walk", &at), 90);
	assert_int_equal(c.nodes.v[at].self, 20);
	assert_int_equal(child(&f, &c, at, "visit", &at), 70);
	assert_int_equal(child(&f, &c, at, "walk", &at), 40);
	rsp_calls_done(&c);
	rsp_function_list_done(&f);
	tree_free(p);
}

static void callers_add_up(void **state)
{
	struct rsp_profile *p = tree();
	struct rsp_function_list f;
	struct rsp_calls c;
	__u32 root, at;

	assert_int_equal(rsp_function_list_make(p, &f), 0);
	assert_int_equal(rsp_calls_make(&f, rsp_function_list_find(&f, "visit"), RSP_CALLS_UP, &c),
			 0);
	assert_int_equal(child(&f, &c, UINT32_MAX, "visit", &root), 120);
	assert_int_equal(child(&f, &c, root, "main", &at), 50);
	assert_int_equal(child(&f, &c, root, "walk", &at), 70);
	assert_int_equal(child(&f, &c, at, "main", &at), 70);
	rsp_calls_done(&c);
	rsp_function_list_done(&f);
	tree_free(p);
}

static void bottom_up_has_all_time(void **state)
{
	struct rsp_profile *p = tree();
	struct rsp_function_list f;
	struct rsp_calls c;
	__u64 sum = 0;
	__u32 at;

	assert_int_equal(rsp_function_list_make(p, &f), 0);
	assert_int_equal(rsp_calls_make(&f, RSP_NO_FUNCTION, RSP_CALLS_UP, &c), 0);
	for (__u32 i = 0; i < c.nodes.cnt; i++)
		sum += c.nodes.v[i].parent == UINT32_MAX ? c.nodes.v[i].total : 0;
	assert_int_equal(sum, p->total);
	assert_int_equal(child(&f, &c, UINT32_MAX, "walk", &at), 60);
	rsp_calls_done(&c);
	rsp_function_list_done(&f);
	tree_free(p);
}

static char *report(struct rsp_profile *p, struct rsp_callgraph_options opt, int expected)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	opt.title = "Time of app [7]";
	assert_int_equal(rsp_callgraph_report(p, &opt, f), expected);
	assert_int_equal(fclose(f), 0);
	return text;
}

static void text_fits_80_columns(void **state)
{
	struct rsp_profile *p = tree();
	char name[200], *text;

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	node(p, 1, name, "a-module-with-a-rather-long-name.so.6", 30);
	text = report(p, (struct rsp_callgraph_options){0}, 0);
	assert_non_null(strstr(text, "Functions (5 of 5)"));
	assert_non_null(strstr(text, "walk (app)"));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		assert_in_range(rsp_format_columns(line), 0, 80);
	free(text);
	free(report(p, (struct rsp_callgraph_options){.function = "nothing"}, -2 /* ENOENT */));
	tree_free(p);
}

static void an_empty_profile_is_no_error(void **state)
{
	struct rsp_profile p = {.unit = "ns"};
	char *text = report(&p, (struct rsp_callgraph_options){0}, 0);

	assert_string_equal(text, "Time of app [7]: –\n");
	free(text);
	text = report(&p, (struct rsp_callgraph_options){.json = true}, 0);
	assert_non_null(strstr(text, "\"functions\":[]"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recursion_counts_once),
		cmocka_unit_test(code_without_symbols_is_one_function),
		cmocka_unit_test(descendants_begin_at_the_outermost_call),
		cmocka_unit_test(callers_add_up),
		cmocka_unit_test(bottom_up_has_all_time),
		cmocka_unit_test(text_fits_80_columns),
		cmocka_unit_test(an_empty_profile_is_no_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
