/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests folded stacks and pictures of profiles. With any names, the output must be valid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/array.h"
#include "lib/flame/flame.h"

/* names: one name per line, from the root to the leaf. */
static void add_stack(struct rsp_profile *p, const char *names, __u64 weight)
{
	__u32 parent = RSP_PROFILE_ROOT;
	struct rsp_profile_node *node = NULL;
	uint32_t name;

	for (const char *end; *names; names = *end ? end + 1 : end) {
		end = names + strcspn(names, "\n");
		assert_int_equal(rsp_intern_put(&p->strings, names, (size_t)(end - names), &name),
				 0);
		node = rsp_array_add(&p->nodes);
		assert_non_null(node);
		*node = (struct rsp_profile_node){
			.parent = parent, .name = name, .ink = RSP_PROFILE_USER};
		parent = (__u32)(p->nodes.cnt - 1);
	}
	node->self = weight;
	node->cnt = 1;
	p->total += weight;
}

static struct rsp_profile begin(void)
{
	struct rsp_profile p = {.unit = "ns"};
	uint32_t empty;

	assert_int_equal(rsp_intern_put(&p.strings, "", 0, &empty), 0);
	return p;
}

static char *fold(struct rsp_profile *p)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(rsp_flame_folded(p, out), 0);
	fclose(out);
	return text;
}

static char *draw(struct rsp_profile *p, struct rsp_flame_options opt)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	opt.title = opt.title ? opt.title : "Title";
	opt.empty = "Nothing.";
	opt.events = "samples";
	opt.min_width = opt.min_width ? opt.min_width : RSP_FLAME_MIN_WIDTH_DEFAULT;
	assert_int_equal(rsp_flame_svg(p, &opt, out), 0);
	fclose(out);
	return text;
}

static void assert_folded(struct rsp_profile *p, const char *expected)
{
	char *text = fold(p);

	assert_string_equal(text, expected);
	free(text);
	rsp_profile_done(p);
}

/* --- folded ----------------------------------------------------------------------------------- */

static void test_names_do_not_break_lines(void **state)
{
	struct rsp_profile p = begin();

	add_stack(&p, "a b;c 5\noperator new(unsigned long) 12\ntab\there\nbell\a", 7);
	assert_folded(&p, "a_b:c_5;operator_new(unsigned_long)_12;tab?here;bell? 7\n");
}

static void test_names_become_utf8(void **state)
{
	struct rsp_profile p = begin();

	add_stack(&p, "bad\xff\xc0\x80\ncut\xe2\x82\nfür €\nline\xe2\x80\xa8sep", 1);
	assert_folded(&p, "bad???;cut??;für_€;line?sep 1\n");
}

static void test_kernel_frames_are_marked(void **state)
{
	struct rsp_profile p = begin();

	add_stack(&p, "app\nentry\n", 1);
	p.nodes.v[1].ink = RSP_PROFILE_KERNEL;
	assert_folded(&p, "app;entry_[k] 1\n");
}

static void test_no_name(void **state)
{
	struct rsp_profile p = begin();

	add_stack(&p, "app\n\nf", 1);
	assert_folded(&p, "app;[unknown];f 1\n");
}

static void test_stacks_are_in_order(void **state)
{
	struct rsp_profile p = begin();

	add_stack(&p, "b\nf", 1);
	add_stack(&p, "a\nz", 2);
	add_stack(&p, "c", 3);
	assert_folded(&p, "a;z 2\nb;f 1\nc 3\n");
}

static void test_inner_nodes_have_weight(void **state)
{
	struct rsp_profile p = begin();

	add_stack(&p, "a\nb", 2);
	p.nodes.v[0].self = 3;
	p.total += 3;
	assert_folded(&p, "a 3\na;b 2\n");
}

static void test_empty_is_empty(void **state)
{
	struct rsp_profile p = begin();

	assert_folded(&p, "");
}

/* --- svg -------------------------------------------------------------------------------------- */

static size_t count(const char *text, const char *part)
{
	size_t cnt = 0;

	for (; (text = strstr(text, part)); text++)
		cnt++;
	return cnt;
}

static void test_names_are_escaped(void **state)
{
	struct rsp_profile p = begin();
	char *svg;

	add_stack(&p, "<script>alert(1)</script>\n]]><b>\n\"onload=\"x\n&lt;\n\xef\xbf\xbf\x01", 5);
	svg = draw(&p, (struct rsp_flame_options){.title = "</text><script>alert(2)</script>",
						  .warning = "<&>"});
	assert_int_equal(count(svg, "<script"), 1);
	assert_int_equal(count(svg, "</script>"), 1);
	assert_int_equal(count(svg, "]]>"), 1);
	assert_non_null(strstr(svg, "<title>&lt;script&gt;alert(1)&lt;/script&gt;\n"));
	assert_non_null(strstr(svg, "<title>]]&gt;&lt;b&gt;\n"));
	assert_non_null(strstr(svg, "<title>&quot;onload=&quot;x\n"));
	assert_non_null(strstr(svg, "<title>&amp;lt;\n"));
	assert_non_null(strstr(svg, "<title>??\n"));
	assert_non_null(strstr(svg, ">&lt;&amp;&gt;</text>"));
	free(svg);
	rsp_profile_done(&p);
}

static void test_narrow_boxes_are_left_out(void **state)
{
	struct rsp_profile p = begin();
	char *svg;

	add_stack(&p, "wide\ninner", 999999);
	add_stack(&p, "thin\ndeep\ndeeper\ndeepest", 1);
	svg = draw(&p, (struct rsp_flame_options){0});
	assert_int_equal(count(svg, "<g class=\"f "), 3);
	assert_null(strstr(svg, "<title>thin"));
	assert_non_null(strstr(svg, "data-levels=\"3\""));
	assert_non_null(strstr(svg, "data-w=\"1000000\""));
	free(svg);
	svg = draw(&p, (struct rsp_flame_options){.min_width = 1e-9});
	assert_non_null(strstr(svg, "1 ns, &lt;0.1 %, samples: 1"));
	assert_int_equal(count(svg, "<g class=\"f "), 7);
	free(svg);
	rsp_profile_done(&p);
}

static void test_inverted(void **state)
{
	struct rsp_profile p = begin();
	char *svg;

	add_stack(&p, "a\nb", 10);
	svg = draw(&p, (struct rsp_flame_options){0});
	assert_non_null(strstr(svg, "data-d=\"0\"><title>all\n10 ns, 100 %, samples: 1</title>"
				    "<rect x=\"10.00\" y=\"94\""));
	free(svg);
	svg = draw(&p, (struct rsp_flame_options){.inverted = true});
	assert_non_null(strstr(svg, "data-d=\"0\"><title>all\n10 ns, 100 %, samples: 1</title>"
				    "<rect x=\"10.00\" y=\"60\""));
	free(svg);
	rsp_profile_done(&p);
}

static void test_colours_by_name(void **state)
{
	struct rsp_profile p = begin();
	char *svg, *first, *second;

	add_stack(&p, "p\nsame", 10);
	add_stack(&p, "q\nsame", 10);
	add_stack(&p, "r\nother", 10);
	svg = draw(&p, (struct rsp_flame_options){.colours = RSP_FLAME_BY_NAME});
	first = strstr(strstr(svg, "<title>same"), "fill:");
	second = strstr(strstr(first, "<title>same"), "fill:");
	assert_memory_equal(first, second, strlen("fill:#123456"));
	second = strstr(strstr(svg, "<title>other"), "fill:");
	assert_memory_not_equal(first, second, strlen("fill:#123456"));
	free(svg);
	rsp_profile_done(&p);
}

static void test_time_off_cpus_has_another_colour(void **state)
{
	struct rsp_profile p = begin();
	char *svg;

	add_stack(&p, "p\nrun", 100);
	add_stack(&p, "p\nwait", 100);
	p.nodes.v[2].self = 100;
	p.total += 100;
	p.nodes.v[3].off = 100;
	svg = draw(&p, (struct rsp_flame_options){0});
	assert_non_null(strstr(svg, "<g class=\"f u\" data-b=\"0\" data-w=\"100\" data-d=\"2\">"
				    "<title>run"));
	assert_non_null(strstr(svg, "<g class=\"f u off\" data-b=\"100\" data-w=\"100\" "
				    "data-d=\"2\"><title>wait"));
	assert_non_null(strstr(svg, "<g class=\"f u both\" data-b=\"100\" data-w=\"200\" "
				    "data-d=\"1\"><title>p"));
	free(svg);
	rsp_profile_done(&p);
}

static void test_few_events_do_not_wait(void **state)
{
	struct rsp_profile p = begin();
	char *svg;

	p.unit = "faults";
	add_stack(&p, "p\ntouch", 3);
	svg = draw(&p, (struct rsp_flame_options){0});
	assert_non_null(strstr(svg, "<g class=\"f u\" data-b=\"0\" data-w=\"3\" data-d=\"2\">"
				    "<title>touch"));
	assert_null(strstr(svg, ">waits"));
	free(svg);
	rsp_profile_done(&p);
}

static void test_an_empty_picture_says_so(void **state)
{
	struct rsp_profile p = begin();
	char *svg = draw(&p, (struct rsp_flame_options){.warning = "records were lost"});

	assert_non_null(strstr(svg, ">Nothing.</text>"));
	assert_non_null(strstr(svg, ">records were lost</text>"));
	assert_int_equal(count(svg, "<g class=\"f "), 0);
	free(svg);
	rsp_profile_done(&p);
}

static void test_bytes(void **state)
{
	struct rsp_profile p = begin();
	char *svg;

	p.unit = "bytes";
	add_stack(&p, "malloc", 3 << 20);
	svg = draw(&p, (struct rsp_flame_options){0});
	assert_non_null(strstr(svg, "<title>malloc\n3.0 MiB, 100 %"));
	free(svg);
	rsp_profile_done(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_do_not_break_lines),
		cmocka_unit_test(test_names_become_utf8),
		cmocka_unit_test(test_kernel_frames_are_marked),
		cmocka_unit_test(test_no_name),
		cmocka_unit_test(test_stacks_are_in_order),
		cmocka_unit_test(test_inner_nodes_have_weight),
		cmocka_unit_test(test_empty_is_empty),
		cmocka_unit_test(test_names_are_escaped),
		cmocka_unit_test(test_narrow_boxes_are_left_out),
		cmocka_unit_test(test_inverted),
		cmocka_unit_test(test_colours_by_name),
		cmocka_unit_test(test_time_off_cpus_has_another_colour),
		cmocka_unit_test(test_few_events_do_not_wait),
		cmocka_unit_test(test_an_empty_picture_says_so),
		cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
