/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests lib/snapshot/container.h with cgroup paths from real machines, and with paths that only
 * look like those of containers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/snapshot/container.h"
#include "rsp/event.h"

#define ID	   "3726184226f5d3147c25fdeab5b60097e378e8a720503a5e19ecfdf29f869860"
#define OTHER	   "05c48c82caff3be3d7f1e896981dd410e81487538936914f32b624d168de9db0"
#define UID	   "87a18a64-b74a-454a-b10b-a4a36059d0a3"
#define UID_	   "87a18a64_b74a_454a_b10b_a4a36059d0a3"
#define STATIC_UID "5a3c1d6f0b9e4c2ab7a1d0e9f8c7b6a5" /* of a static pod: no dashes */

#define CHARS_8	 "aaaaaaaa"
#define CHARS_64 CHARS_8 CHARS_8 CHARS_8 CHARS_8 CHARS_8 CHARS_8 CHARS_8 CHARS_8

static const struct {
	const char *path;
	enum rsp_runtime runtime;
	const char *id, *pod, *name;
} containers[] = {
	{"/system.slice/docker-" ID ".scope", RSP_RUNTIME_DOCKER, ID, "", ""},
	{"/docker/" ID, RSP_RUNTIME_DOCKER, ID, "", ""},
	{"/user.slice/user-1000.slice/user@1000.service/user.slice/docker-" ID ".scope",
	 RSP_RUNTIME_DOCKER, ID, "", ""},
	{"/system.slice/docker-" ID ".scope/init.scope", RSP_RUNTIME_DOCKER, ID, "", ""},
	{"/machine.slice/libpod-" ID ".scope", RSP_RUNTIME_PODMAN, ID, "", ""},
	{"/machine.slice/libpod-" ID ".scope/container", RSP_RUNTIME_PODMAN, ID, "", ""},
	{"/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID ".scope/container",
	 RSP_RUNTIME_PODMAN, ID, "", ""},
	{"/user.slice/user-1000.slice/user@1000.service/app.slice/redis.service/libpod-payload-" ID,
	 RSP_RUNTIME_PODMAN, ID, "", ""},
	{"/system.slice/nginx.service/libpod-payload-" ID, RSP_RUNTIME_PODMAN, ID, "", ""},
	{"/libpod_parent/libpod-" ID, RSP_RUNTIME_PODMAN, ID, "", ""},
	{"/machine.slice/machine-libpod_pod_" OTHER ".slice/libpod-" ID ".scope",
	 RSP_RUNTIME_PODMAN, ID, OTHER, ""},
	/* Kubernetes */
	{"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_
	 ".slice/cri-containerd-" ID ".scope",
	 RSP_RUNTIME_CONTAINERD, ID, UID, ""},
	{"/kubepods.slice/kubepods-pod" UID_ ".slice/cri-containerd-" ID ".scope",
	 RSP_RUNTIME_CONTAINERD, ID, UID, ""},
	{"/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" UID_ ".slice/crio-" ID
	 ".scope",
	 RSP_RUNTIME_CRIO, ID, UID, ""},
	{"/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" UID_ ".slice/crio-" ID
	 ".scope/container",
	 RSP_RUNTIME_CRIO, ID, UID, ""},
	{"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" STATIC_UID
	 ".slice/docker-" ID ".scope",
	 RSP_RUNTIME_DOCKER, ID, STATIC_UID, ""},
	{"/kubepods/burstable/pod" UID "/" ID, RSP_RUNTIME_KUBERNETES, ID, UID, ""},
	{"/kubepods/pod" UID "/crio-" ID, RSP_RUNTIME_CRIO, ID, UID, ""},
	{"/system.slice/containerd.service/kubepods-burstable-pod" UID_ ".slice:cri-containerd:" ID,
	 RSP_RUNTIME_CONTAINERD, ID, UID, ""},
	{"/system.slice/nerdctl-" ID ".scope", RSP_RUNTIME_CONTAINERD, ID, "", ""},
	{"/system.slice/docker-" OTHER ".scope/kubelet.slice/kubelet-kubepods.slice/"
	 "kubelet-kubepods-pod" UID_ ".slice/cri-containerd-" ID ".scope",
	 RSP_RUNTIME_CONTAINERD, ID, UID, ""},
	{"/machine.slice/machine-web.scope/payload", RSP_RUNTIME_MACHINE, "", "", "web"},
	{"/machine.slice/machine-my\\x2dweb.scope", RSP_RUNTIME_MACHINE, "", "", "my-web"},
	{"/machine.slice/systemd-nspawn@db.service/payload/system.slice/mysql.service",
	 RSP_RUNTIME_MACHINE, "", "", "db"},
	{"/machine.slice/systemd-nspawn@my\\x2dweb.service/payload", RSP_RUNTIME_MACHINE, "", "",
	 "my-web"},
	{"/lxc.payload.mail_1/system.slice", RSP_RUNTIME_LXC, "", "", "mail_1"},
	{"/lxc/101/ns", RSP_RUNTIME_LXC, "", "", "101"},
	/* odd, but harmless */
	{"//docker//" ID "//", RSP_RUNTIME_DOCKER, ID, "", ""},
	{"/…/docker-" ID ".scope", RSP_RUNTIME_DOCKER, ID, "", ""},
	{"/machine-" CHARS_64 ".scope", RSP_RUNTIME_MACHINE, "", "", CHARS_64},
	{"/system.slice/docker-" ID ".scope/supervisor", RSP_RUNTIME_DOCKER, ID, "", ""},
	/* not a pod's uid */
	{"/kubepods-pod../docker-" ID ".scope", RSP_RUNTIME_DOCKER, ID, "", ""},
};

static const char *const others[] = {
	"",
	"/",
	"/init.scope",
	"/system.slice/docker.service",
	"/user.slice/user-1000.slice/user@1000.service/app.slice",
	/* processes that watch or start a container, and a virtual machine */
	"/machine.slice/libpod-conmon-" ID ".scope",
	"/system.slice/crio-conmon-" ID ".scope",
	"/lxc.monitor.mail",
	"/machine.slice/systemd-nspawn@db.service/supervisor",
	"/machine.slice/machine-qemu\\x2d1\\x2dvm.scope",
	"/system.slice/docker-3726184226f5.scope",
	"/system.slice/docker-" ID "0.scope",
	"/system.slice/docker-X726184226f5d3147c25fdeab5b60097e378e8a720503a5e19ecfdf29f869860.scope",
	"/docker/3726184226F5D3147C25FDEAB5B60097E378E8A720503A5E19ECFDF29F869860",
	"/system.slice/docker-.scope",
	"docker-.scope",
	/* known words in other places */
	"/" ID,
	"/dockers/" ID,
	"/system.slice/docker-" ID ".service",
	"/system.slice/xdocker-" ID ".scope",
	"/pod1234/" ID,
	"/kubepods-burstable-pod" UID_ ".slice",
	"/kubepods-burstable-pod" UID_ ".slice:cri-containerd:" ID "0",
	"/nothing:cri-containerd:" ID,
	"/machine-a\x1b[31mred.scope",
	"/machine-a\\x1b.scope",
	"/machine-a b.scope",
	"/machine-.scope",
	"/machine-" CHARS_64 "a.scope",
	"/machine-\\x2.scope",
	"/lxc.payload.",
	"/lxc.payload.a\nb",
	"/lxc.payload.\xc3\xa9",
};

static void test_containers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(containers) / sizeof(containers[0]); i++) {
		struct rsp_container c;

		if (!rsp_container_of_path(containers[i].path, &c, NULL))
			fail_msg("%s: not found", containers[i].path);
		if (c.runtime != containers[i].runtime || strcmp(c.id, containers[i].id) ||
		    strcmp(c.pod, containers[i].pod) || strcmp(c.name, containers[i].name))
			fail_msg("%s: %s, id %s, pod %s, name %s", containers[i].path,
				 rsp_runtime_key(c.runtime), c.id, c.pod, c.name);
	}
}

static void test_others(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct rsp_container c;

		if (rsp_container_of_path(others[i], &c, NULL))
			fail_msg("%s: %s, id %s, name %s", others[i], rsp_runtime_key(c.runtime),
				 c.id, c.name);
	}
}

static void test_length(void **state)
{
	static const char path[] = "/machine.slice/libpod-" ID ".scope";
	struct rsp_container c;
	size_t len = 0;

	(void)state;
	assert_true(
		rsp_container_of_path("/machine.slice/libpod-" ID ".scope/container/a", &c, &len));
	assert_int_equal(len, strlen(path));
}

static void test_very_long(void **state)
{
	static char path[1 << 20];
	struct rsp_container c;

	(void)state;
	memset(path, 'a', sizeof(path) - 1);
	assert_false(rsp_container_of_path(path, &c, NULL));
	for (size_t i = 0; i < sizeof(path) - 1; i += 2)
		path[i] = '/';
	assert_false(rsp_container_of_path(path, &c, NULL));
	memcpy(path, "/lxc/b", 6);
	assert_true(rsp_container_of_path(path, &c, NULL));
	assert_string_equal(c.name, "b");
}

static void test_object(void **state)
{
	static const char leaf_first[] = "container\0libpod-" ID ".scope\0machine.slice";
	struct rsp_ev_object obj = {.type = RSP_OBJ_CGROUP, .name_len = sizeof(leaf_first)};
	struct rsp_container c;

	(void)state;
	memcpy(obj.name, leaf_first, sizeof(leaf_first));
	assert_true(rsp_container_of_object(&obj, &c));
	assert_string_equal(c.id, ID);
	obj.type = RSP_OBJ_FILE;
	assert_false(rsp_container_of_object(&obj, &c));
}

static void test_label(void **state)
{
	struct rsp_container docker = {.id = ID}, machine = {.name = "web"},
			     pod = {.runtime = RSP_RUNTIME_CRIO,
				    .id = ID,
				    .name = "web",
				    .pod_name = "shop-1",
				    .name_space = "prod"},
			     sandbox = {.id = ID, .pod_name = "shop-1"};
	char buf[RSP_CONTAINER_LABEL_BYTES], described[RSP_CONTAINER_DESCRIBED_BYTES];

	(void)state;
	assert_string_equal(rsp_container_label(&pod, buf), "shop-1/web");
	assert_string_equal(rsp_container_label(&sandbox, buf), "shop-1/3726184226f5");
	assert_string_equal(rsp_container_describe(&pod, described),
			    "prod/shop-1/web (cri-o, ID 3726184226f5)");
	assert_string_equal(rsp_container_describe(&docker, described),
			    "3726184226f5 (docker, ID 3726184226f5)");
	assert_string_equal(rsp_container_label(&docker, buf), "3726184226f5");
	assert_string_equal(rsp_container_label(&machine, buf), "web");
}

static void test_matches(void **state)
{
	static const struct rsp_container docker = {.id = ID}, pod = {.id = ID, .pod = UID},
					  machine = {.name = "web"},
					  named = {.id = ID,
						   .pod = UID,
						   .name = "web",
						   .pod_name = "shop-1",
						   .name_space = "prod"};
	static const struct {
		const struct rsp_container *of;
		const char *text;
		bool matches;
	} cases[] = {
		{&docker, ID, true},
		{&docker, "3726184226f5", true},
		{&docker, "3726", true},
		{&docker, "372", false},
		{&docker, "726184", false},
		{&docker, ID "0", false},
		{&docker, "", false},
		{&docker, "/3726184226f5", false},
		{&pod, "87a1/3726", true},
		{&pod, UID "/" ID, true},
		{&pod, "87a/3726", false},
		{&pod, "87a2/3726", false},
		{&pod, "3726", true},
		{&pod, "87a1/", false},
		{&machine, "web", true},
		{&machine, "we", false},
		{&machine, "web-1", false},
		{&machine, "", false},
		{&machine, "x/web", false},
		{&named, "web", true},
		{&named, "shop-1/web", true},
		{&named, "prod/shop-1/web", true},
		{&named, "prod/shop-1/3726", true},
		{&named, "prod/87a1/web", true},
		{&named, "shop-1", false},
		{&named, "shop/web", false},
		{&named, "pro/shop-1/web", false},
		{&named, "x/prod/shop-1/web", false},
		{&named, "/web", false},
		{&named, "/shop-1/web", false},
		{&named, "shop-1/web/", false},
		{&docker, "/", false},
		{&docker, "//", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (rsp_container_matches(cases[i].of, cases[i].text) != cases[i].matches)
			fail_msg("case %zu: %s", i, cases[i].text);
}

static const struct rsp_ev_container names = {.name = "web", .pod = "shop-1", .name_space = "prod"};

static void test_names(void **state)
{
	struct rsp_container c = {.id = ID}, machine = {.name = "mail"};
	struct rsp_ev_container bad = {.name = "a b", .pod = "..", .name_space = "\x1b[31m"};

	(void)state;
	rsp_container_add_names(NULL, &c);
	rsp_container_add_names(&bad, &c);
	assert_string_equal(c.name, "");
	assert_string_equal(c.pod_name, "");
	assert_string_equal(c.name_space, "");
	rsp_container_add_names(&names, &c);
	assert_string_equal(c.name, "web");
	assert_string_equal(c.pod_name, "shop-1");
	assert_string_equal(c.name_space, "prod");
	rsp_container_add_names(&names, &machine);
	assert_string_equal(machine.name, "mail");
}

static void test_name_ok(void **state)
{
	char name[8];

	(void)state;
	memset(name, 'a', sizeof(name));
	assert_false(rsp_container_name_ok(name, sizeof(name)));
	name[7] = '\0';
	assert_true(rsp_container_name_ok(name, sizeof(name)));
	assert_true(rsp_container_name_ok("a_.-9", 6));
	assert_false(rsp_container_name_ok("", 1));
	assert_false(rsp_container_name_ok(".a", 3));
	assert_false(rsp_container_name_ok("a/b", 4));
}

static void test_print(void **state)
{
	static const char path[] = "/odd dir/libpod-" ID ".scope";
	char text[RSP_CONTAINER_PRINTED_BYTES];
	struct rsp_container c, again;

	(void)state;
	for (int named = 0; named < 2; named++) {
		assert_true(rsp_container_of_path(path, &c, NULL));
		rsp_container_add_names(named ? &names : NULL, &c);
		rsp_container_print(&c, path, text);
		assert_string_equal(rsp_container_parse(text, &again), path);
		assert_string_equal(again.id, c.id);
		assert_string_equal(again.name, c.name);
		assert_string_equal(again.pod_name, c.pod_name);
		assert_string_equal(again.name_space, c.name_space);
	}
	assert_null(rsp_container_parse("", &again));
	assert_null(rsp_container_parse("a b", &again));
	assert_null(rsp_container_parse("   /init.scope", &again));
}

static void test_candidates(void **state)
{
	char list[RSP_CANDIDATES_BYTES] = "";
	struct rsp_container c = {.runtime = RSP_RUNTIME_PODMAN, .id = ID, .name = "web"};

	(void)state;
	rsp_candidates_add(list, &c);
	rsp_candidates_add(list, &c);
	assert_string_equal(list, "web (podman, ID 3726184226f5), web (podman, ID 3726184226f5)");
	for (int i = 0; i < 100; i++)
		rsp_candidates_add(list, &c);
	assert_true(strlen(list) < sizeof(list) && list[strlen(list) - 1] == ')');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_containers), cmocka_unit_test(test_others),
		cmocka_unit_test(test_length),	   cmocka_unit_test(test_very_long),
		cmocka_unit_test(test_object),	   cmocka_unit_test(test_label),
		cmocka_unit_test(test_matches),	   cmocka_unit_test(test_names),
		cmocka_unit_test(test_name_ok),	   cmocka_unit_test(test_print),
		cmocka_unit_test(test_candidates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
