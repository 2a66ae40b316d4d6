/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests lib/containers/state.h with state files of real container runtimes (tests/unit/containers),
 * and with hostile files.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/containers/state.h"

#define DOCKER	RSP_CONTAINER_STATE_DOCKER
#define OCI	RSP_CONTAINER_STATE_OCI
#define STORAGE RSP_CONTAINER_STATE_STORAGE

#define ID    "3726184226f5d3147c25fdeab5b60097e378e8a720503a5e19ecfdf29f869860"
#define OTHER "05c48c82caff3be3d7f1e896981dd410e81487538936914f32b624d168de9db0"

struct expected {
	const char *name, *pod, *name_space;
};

static void expect(const char *what, const struct rsp_ev_container *got, struct expected want)
{
	if (strcmp(got->name, want.name) || strcmp(got->pod, want.pod) ||
	    strcmp(got->name_space, want.name_space))
		fail_msg("%s: name \"%s\", pod \"%s\", namespace \"%s\"", what, got->name, got->pod,
			 got->name_space);
}

static char *read_file(const char *name, size_t *ret_len)
{
	char path[256], *text = malloc(RSP_CONTAINER_STATE_BYTES_MAX);
	FILE *f;

	snprintf(path, sizeof(path), "tests/unit/containers/%s", name);
	f = fopen(path, "r");
	assert_non_null(f);
	*ret_len = fread(text, 1, RSP_CONTAINER_STATE_BYTES_MAX, f);
	fclose(f);
	return text;
}

static void test_runtimes(void **state)
{
	static const struct {
		const char *file;
		enum rsp_container_state form;
		struct expected want;
	} cases[] = {
		{"docker.json", DOCKER, {"dock-1", "", ""}},
		{"docker-pod.json", DOCKER, {"web", "shop-1", "prod"}},
		{"podman.json", STORAGE, {"web-1", "", ""}},
		{"containerd.json", OCI, {"db", "shop-2", "staging"}},
		{"crio.json", OCI, {"cache", "shop-3", "prod"}},
		{"nerdctl.json", OCI, {"sql-serve", "", ""}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_ev_container got = {0};
		size_t len;
		char *text = read_file(cases[i].file, &len);

		assert_int_equal(
			rsp_container_state_read(
				cases[i].form, text, len,
				"68f3ceb1a4e324737c99768ef46ee7cf9907129640d6d8384576010d142d93e7",
				&got),
			0);
		expect(cases[i].file, &got, cases[i].want);
		free(text);
	}
}

#define NAMED(id, name)	      "{\"id\":\"" id "\",\"names\":[" name "]}"
#define ANNOTATED(key, value) "{\"annotations\":{\"" key "\":" value "}}"
#define LONG		      "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl"

static const struct {
	enum rsp_container_state form;
	const char *text;
	int error;
	struct expected want;
} text_cases[] = {
	{STORAGE, "[" NAMED(OTHER, "\"a\"") "," NAMED(ID, "\"b\",\"c\"") "]", 0, {"b"}},
	{STORAGE, "[" NAMED(OTHER, "\"a\"") "]", -ENOENT, {0}},
	{STORAGE, "[" NAMED(ID, "") "]", -ENOENT, {0}},
	{STORAGE, "[1,null,{},[],{\"id\":1},{\"id\":\"" ID "\",\"names\":{}}]", -ENOENT, {0}},
	{STORAGE, "[]", -ENOENT, {0}},
	{STORAGE, "[", -EBADMSG, {0}},
	{DOCKER, "{\"Name\":\"/web\"}", 0, {"web"}},
	{DOCKER, "{\"Name\":\"web\"}", -ENOENT, {0}},
	{DOCKER, "{\"Name\":[\"/web\"]}", -ENOENT, {0}},
	{DOCKER, "{\"Name\":\"/\"}", -ENOENT, {0}},
	{DOCKER, "{\"Config\":3,\"Name\":\"/web\"}", 0, {"web"}},
	{DOCKER, "", -EBADMSG, {0}},
	{DOCKER, "[]", -EBADMSG, {0}},
	{DOCKER, "{\"Name\":\"/we b\"}", -ENOENT, {0}},
	{DOCKER, "{\"Name\":\"/we\\u0000b\"}", -ENOENT, {0}},
	{DOCKER, "{\"Name\":\"/we\\nb\"}", -ENOENT, {0}},
	{DOCKER, "{\"Name\":\"/we\\u001b[31mb\"}", -ENOENT, {0}},
	{DOCKER, "{\"Name\":\"/we\\u202eb\"}", -ENOENT, {0}},
	{DOCKER, "{\"Name\":\"/../web\"}", -ENOENT, {0}},
	{DOCKER, "{\"Name\":\"/.web\"}", -ENOENT, {0}},
	{DOCKER, "{\"Name\":\"/-rf\"}", -ENOENT, {0}},
	{DOCKER, "{\"Name\":\"/a/b\"}", -ENOENT, {0}},
	{DOCKER, "{\"Name\":\"/" LONG LONG "\"}", -ENOENT, {0}},
	{OCI,
	 "{\"annotations\":{\"io.kubernetes.cri.container-name\":\"db\","
	 "\"io.kubernetes.cri.sandbox-name\":\"a b\","
	 "\"io.kubernetes.cri.sandbox-namespace\":\"" LONG "\"}}",
	 0,
	 {"db"}},
	/* a sandbox */
	{OCI, ANNOTATED("io.kubernetes.cri.sandbox-name", "\"p\""), 0, {"", "p"}},
	{OCI, ANNOTATED("io.kubernetes.cri-o.KubeName", "\"p\""), 0, {"", "p"}},
	{OCI, ANNOTATED("nerdctl/name", "7"), -ENOENT, {0}},
	{OCI, "{\"annotations\":[]}", -ENOENT, {0}},
};

static void test_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(text_cases) / sizeof(text_cases[0]); i++) {
		struct rsp_ev_container got = {0};
		struct expected want = text_cases[i].want;
		int r = rsp_container_state_read(text_cases[i].form, text_cases[i].text,
						 strlen(text_cases[i].text), ID, &got);

		if (r != text_cases[i].error)
			fail_msg("%s: %d", text_cases[i].text, r);
		expect(text_cases[i].text, &got,
		       (struct expected){want.name ? want.name : "", want.pod ? want.pod : "",
					 want.name_space ? want.name_space : ""});
	}
}

static void test_depth(void **state)
{
	const size_t depth = RSP_CONTAINER_STATE_BYTES_MAX / 2;
	char *text = malloc(2 * depth);
	struct rsp_ev_container got = {0};

	(void)state;
	assert_non_null(text);
	memset(text, '[', depth);
	memset(text + depth, ']', depth);
	assert_int_equal(rsp_container_state_read(STORAGE, text, 2 * depth, ID, &got), -EBADMSG);
	free(text);
}

static void test_cut_short(void **state)
{
	size_t len;
	char *text = read_file("podman.json", &len);
	struct rsp_ev_container got = {0};

	(void)state;
	for (size_t i = 0; i + 3 < len; i += 7)
		assert_int_equal(rsp_container_state_read(STORAGE, text, i, ID, &got), -EBADMSG);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runtimes),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_cut_short),
	};

	return cmocka_run_group_tests_name("container-state", tests, NULL, NULL);
}
