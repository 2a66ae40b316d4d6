/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests daemon/config/config.h. */
#include <errno.h>
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

#include "daemon/config/config-keys.h"
#include "daemon/config/config.h"
#include "daemon/config/sizes.h"
#include "lib/config/config-file.h"

#define S_NS   1000000000ULL
#define MIN_NS (60 * S_NS)

/* --- a tree of files ------------------------------------------------------------------------- */

static char root[] = "/tmp/rsp-config-XXXXXX";
static const char *const tree[] = {"etc", "run", "lib"};
static char dir_paths[3][64];
static const char *dirs[4];

static int set_up(void **state)
{
	char path[256];

	strcpy(strrchr(root, '-'), "-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	for (size_t i = 0; i < 3; i++) {
		snprintf(dir_paths[i], sizeof(dir_paths[i]), "%s/%s", root, tree[i]);
		dirs[i] = dir_paths[i];
		mkdir(dir_paths[i], 0755);
		snprintf(path, sizeof(path), "%s/rsp", dir_paths[i]);
		mkdir(path, 0755);
		snprintf(path, sizeof(path), "%s/rsp/rspd.conf.d", dir_paths[i]);
		mkdir(path, 0755);
	}
	return 0;
}

static int tear_down(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return system(command) == 0 ? 0 : -1;
}

static void in_tree(const char *name, char *ret, size_t size)
{
	snprintf(ret, size, "%s/%s", root, name);
}

static void put_bytes(const char *name, const void *bytes, size_t len)
{
	char path[256];
	FILE *f;

	in_tree(name, path, sizeof(path));
	f = fopen(path, "we");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static void put(const char *name, const char *text)
{
	put_bytes(name, text, strlen(text));
}

/* --- reported problems ---------------------------------------------------------------------- */

struct problems {
	unsigned int cnt, line; /* the last one */
	char file[256], text[512];
	char all[8192];
};

static void on_problem(const char *file, unsigned int line, const char *text, void *userdata)
{
	struct problems *problems = userdata;
	size_t used = strlen(problems->all);

	problems->cnt++;
	problems->line = line;
	snprintf(problems->file, sizeof(problems->file), "%s", file ? file : "");
	snprintf(problems->text, sizeof(problems->text), "%s", text);
	snprintf(problems->all + used, sizeof(problems->all) - used, "%u: %s\n", line, text);
}

static struct rsp_config *load_bytes(const void *bytes, size_t len, struct problems *problems)
{
	struct rsp_config *c = NULL;
	unsigned int cnt = 77;
	char path[256];

	*problems = (struct problems){0};
	put_bytes("one", bytes, len);
	in_tree("one", path, sizeof(path));
	assert_int_equal(rsp_config_load_file(path, on_problem, problems, &c, &cnt), 0);
	assert_int_equal(cnt, problems->cnt);
	return c;
}

static struct rsp_config *load_text(const char *text, struct problems *problems)
{
	return load_bytes(text, strlen(text), problems);
}

static struct rsp_config *load_tree(struct problems *problems)
{
	struct rsp_config *c = NULL;
	unsigned int cnt = 77;

	*problems = (struct problems){0};
	assert_int_equal(rsp_config_load(dirs, on_problem, problems, &c, &cnt), 0);
	assert_int_equal(cnt, problems->cnt);
	return c;
}

static void expect_quiet(const struct problems *problems)
{
	if (problems->cnt)
		fail_msg("told: %s", problems->all);
}

static void expect_problem(const struct problems *problems, unsigned int line, const char *part)
{
	if (problems->cnt != 1 || problems->line != line || !strstr(problems->text, part))
		fail_msg("wanted '%u: …%s…', told:\n%s", line, part, problems->all);
}

/* --- values ----------------------------------------------------------------------------------- */

static void expect_defaults(const struct rsp_config *c)
{
	assert_int_equal(c->window_bytes, 0);
	assert_int_equal(c->ring_bytes, 0);
	assert_int_equal(c->table_bytes, 32 << 20);
	assert_int_equal(c->sample_hz, 99);
	assert_int_equal(c->net, RSP_NET_AUTO);
	assert_int_equal(c->cpu_ppm, 10000);
	assert_int_equal(c->max_use_bytes, 1 << 30);
	assert_int_equal(c->keep_free_bytes, 1 << 30);
	assert_int_equal(c->max_files, 100);
	assert_true(c->users);
	assert_int_equal(c->slo_cnt, 0);
}

static void test_defaults(void **state)
{
	struct rsp_config *c, *made = rsp_config_new();
	struct problems problems;

	expect_defaults(made);
	rsp_config_free(made);
	c = load_tree(&problems);
	expect_quiet(&problems);
	expect_defaults(c);
	rsp_config_free(c);
	rsp_config_free(NULL);
}

static void test_every_key(void **state)
{
	struct problems problems;
	struct rsp_config *c = load_text("[Recorder]\n"
					 "WindowSize=128M\n"
					 "RingSize = 64K\n"
					 "TableSize\t=\t1G\n"
					 "SampleHz=0\n"
					 "Net=fentry\n"
					 "[Budget]\n"
					 "CPU=0.25%\n"
					 "Time=12.5%\n"
					 "[Store]\n"
					 "MaxUse=1.5G\n"
					 "KeepFree=0\n"
					 "MaxFiles=7\n"
					 "[Access]\n"
					 "Users=none\n"
					 "[Summary]\n"
					 "Every=1min\n"
					 "Slice=500ms\n",
					 &problems);

	expect_quiet(&problems);
	assert_int_equal(c->window_bytes, 128 << 20);
	assert_int_equal(c->ring_bytes, 64 << 10);
	assert_int_equal(c->table_bytes, 1 << 30);
	assert_int_equal(c->sample_hz, 0);
	assert_int_equal(c->net, RSP_NET_FENTRY);
	assert_int_equal(c->cpu_ppm, 2500);
	assert_int_equal(c->time_ppm, 125000);
	assert_int_equal(c->max_use_bytes, 3 << 29);
	assert_int_equal(c->keep_free_bytes, 0);
	assert_int_equal(c->max_files, 7);
	assert_false(c->users);
	assert_int_equal(c->every_ns, 60000000000ULL);
	assert_int_equal(c->slice_ns, 500000000);
	rsp_config_free(c);
}

static void test_summaries(void **state)
{
	struct rsp_config *c = rsp_config_new();

	assert_int_equal(c->every_ns, 0);
	assert_int_equal(c->slice_ns, 1000000000);
	assert_int_equal(rsp_config_set(c, "Summary", "Every", "10s"), 0);
	assert_int_equal(c->every_ns, 10000000000ULL);
	assert_int_equal(rsp_config_set(c, "Summary", "Every", "no"), 0);
	assert_int_equal(c->every_ns, 0);
	rsp_config_free(c);
}

static void test_wrong_values(void **state)
{
	static const struct {
		const char *section, *good, *bad, *part;
	} cases[] = {
		{"Recorder", "WindowSize=2M", "WindowSize=1023K", "from 1M to 64G"},
		{"Recorder", "WindowSize=2M", "WindowSize=65G", "from 1M to 64G"},
		{"Recorder", "WindowSize=2M", "WindowSize=banana", "WindowSize=banana is ignored"},
		{"Recorder", "WindowSize=2M", "WindowSize=2M # no comment", "takes a size"},
		{"Recorder", "RingSize=8M", "RingSize=3M", "a power of two from 64K to 256M"},
		{"Recorder", "RingSize=8M", "RingSize=32K", "a power of two"},
		{"Recorder", "RingSize=8M", "RingSize=2G", "a power of two"},
		{"Recorder", "TableSize=2M", "TableSize=0", "from 1M to 1G"},
		{"Recorder", "SampleHz=5", "SampleHz=10001", "from 0 to 10000"},
		{"Recorder", "SampleHz=5", "SampleHz=1K", "from 0 to 10000"},
		{"Recorder", "SampleHz=5", "SampleHz=-1", "from 0 to 10000"},
		{"Recorder", "Net=kprobe", "Net=Fentry", "auto, tracepoint, fentry or kprobe"},
		{"Budget", "CPU=2%", "CPU=0%", "or off"},
		{"Budget", "CPU=2%", "CPU=101%", "to 100%"},
		{"Budget", "CPU=2%", "CPU=2", "as 1%"},
		{"Budget", "Time=20%", "Time=0.5%", "from 1% to 100%"},
		{"Budget", "Time=20%", "Time=off", "as 25%"},
		{"Store", "MaxUse=2G", "MaxUse=1K", "from 1M"},
		{"Store", "KeepFree=2G", "KeepFree=2000T", "up to 1024T"},
		{"Store", "MaxFiles=2", "MaxFiles=1000001", "up to 1000000"},
		{"Access", "Users=none", "Users=all", "own or none"},
		{"Summary", "Every=20s", "Every=9s", "from 10s to 1h, as 1min, or no"},
		{"Summary", "Every=20s", "Every=yes", "or no"},
		{"Summary", "Every=20s", "Every=0", "or no"},
		{"Summary", "Slice=2s", "Slice=11s", "from 10ms to 10s"},
		{"Summary", "Slice=2s", "Slice=no", "from 10ms to 10s"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_config *good, *both;
		char text[256];
		struct problems problems;

		snprintf(text, sizeof(text), "[%s]\n%s\n", cases[i].section, cases[i].good);
		good = load_text(text, &problems);
		expect_quiet(&problems);
		snprintf(text, sizeof(text), "[%s]\n%s\n\n%s\n", cases[i].section, cases[i].good,
			 cases[i].bad);
		both = load_text(text, &problems);
		expect_problem(&problems, 4, cases[i].part);
		free(both->slos);
		both->slos = good->slos;
		assert_memory_equal(both, good, sizeof(*good));
		free(both);
		rsp_config_free(good);
	}
}

static void test_empty_resets(void **state)
{
	struct problems problems;
	struct rsp_config *c = load_text(
		"[Recorder]\nWindowSize=2M\nWindowSize=\nNet=kprobe\nNet=\n"
		"[Access]\nUsers=none\nUsers=\n[Budget]\nCPU=off\nCPU=\n",
		&problems);

	expect_quiet(&problems);
	expect_defaults(c);
	rsp_config_free(c);
}

static void test_off(void **state)
{
	struct problems problems;
	struct rsp_config *c = load_text("[Budget]\nCPU=off\n[Store]\nMaxUse=0\nMaxFiles=0\n",
					 &problems);

	expect_quiet(&problems);
	assert_int_equal(c->cpu_ppm, 0);
	assert_int_equal(c->max_use_bytes, 0);
	assert_int_equal(c->max_files, 0);
	rsp_config_free(c);
}

/* --- lines ------------------------------------------------------------------------------------ */

static void test_syntax(void **state)
{
	static const struct {
		const char *text;
		unsigned int sample_hz, line;
		const char *part; /* NULL: no message */
	} cases[] = {
		{"", 99},
		{"\xef\xbb\xbf[Recorder]\nSampleHz=5", 5},
		{"# c\n; c\n  # c\n[Recorder]\r\nSampleHz=5\r\n", 5},
		{"[Recorder]\nSampleHz=\\\n# in between\\\n5\n", 5},
		{"[Recorder]\nSampleHz=\\\n  ; in between\n\\\n 5", 5},
		{"[Recorder]\nSampleHz=5\\", 5},
		{"[Recorder]\n#SampleHz=6\\\nSampleHz=5", 5},
		{"[Recorder]\nSampleHz=5\n\n\nSampleHz=1\\\\\nNet=auto", 5, 5, "SampleHz=1\\\\"},
		{"  [ Recorder ]  \n  SampleHz = 5  ", 5},
		{"SampleHz=5", 99, 1, "no section"},
		{"[Recorder\nSampleHz=5", 99, 1, "not a section header"},
		{"[]\nSampleHz=5", 99, 1, "not a section header"},
		{"[Rec]\nSampleHz=5\nA=b", 99, 1, "[Rec] is ignored: there is no such section"},
		{"[recorder]\nSampleHz=5", 99, 1, "no such section"},
		{"[Recorder]\nSampleHz=5\nSample=6", 5, 3, "no such key in [Recorder]"},
		{"[Store]\nSampleHz=5", 99, 2, "no such key in [Store]"},
		{"[Recorder]\nSampleHz=5\nSampleHz", 5, 3, "write KEY=VALUE"},
		{"[Recorder]\nSampleHz=5\n=6", 5, 3, "write KEY=VALUE"},
		{"[Recorder]\nSampleHz=5\n\x1b[31m=6", 5, 3, "not valid UTF-8"},
		{"[Recorder]\n[St\xff]\nSampleHz=5", 99, 2, "not valid UTF-8"},
		{"[Recorder]\nNet=\\\n\\\na\nSampleHz=5", 5, 2, "Net=a is ignored"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct problems problems;
		struct rsp_config *c = load_text(cases[i].text, &problems);

		if (cases[i].part)
			expect_problem(&problems, cases[i].line, cases[i].part);
		else
			expect_quiet(&problems);
		if (c->sample_hz != cases[i].sample_hz)
			fail_msg("%u after '%s'", c->sample_hz, cases[i].text);
		rsp_config_free(c);
	}
}

static void test_nul(void **state)
{
	static const char text[] = "[Recorder]\nSampleHz=5\0\nSampleHz=\0 6\n";
	struct problems problems;
	struct rsp_config *c = load_bytes(text, sizeof(text) - 1, &problems);

	assert_int_equal(problems.cnt, 2);
	assert_int_equal(c->sample_hz, 99);
	rsp_config_free(c);
}

/* --- SLOs ------------------------------------------------------------------------------------- */

static void test_slo(void **state)
{
	struct problems problems;
	struct rsp_config *c = load_text("[SLO \"checkout\"]\n"
					 "Unit=checkout.service\n"
					 "Cgroup=/system.slice/\n"
					 "Comm=check out\n"
					 "Pid=4194304\n"
					 "Port=65535\n"
					 "Measure=request\n"
					 "Threshold=250ms\n"
					 "Quantile=p99.9\n"
					 "Over=30s\n"
					 "Before=1min\n"
					 "After=0\n"
					 "Cooldown=1h\n"
					 "MaxUse=10M\n"
					 "MaxFiles=3\n",
					 &problems);
	const struct rsp_slo_config *slo = &c->slos[0];

	expect_quiet(&problems);
	assert_int_equal(c->slo_cnt, 1);
	assert_string_equal(slo->name, "checkout");
	assert_string_equal(slo->unit, "checkout.service");
	assert_string_equal(slo->cgroup, "/system.slice");
	assert_string_equal(slo->comm, "check out");
	assert_int_equal(slo->pid, 4194304);
	assert_int_equal(slo->port, 65535);
	assert_int_equal(slo->measure, RSP_SLO_REQUEST);
	assert_int_equal(slo->threshold_ns, 250000000);
	assert_int_equal(slo->quantile_ppm, 999000);
	assert_int_equal(slo->over_ns, 30 * S_NS);
	assert_int_equal(slo->before_ns, MIN_NS);
	assert_int_equal(slo->after_ns, 0);
	assert_int_equal(slo->cooldown_ns, 60 * MIN_NS);
	assert_int_equal(slo->max_use_bytes, 10 << 20);
	assert_int_equal(slo->max_files, 3);
	rsp_config_free(c);
}

static void test_slo_defaults(void **state)
{
	struct problems problems;
	struct rsp_config *c = load_text("[SLO \"a\"]\nMeasure=wait\nThreshold=1us\n"
					 "Syscalls= futex   read \n"
					 "[SLO \"b\"]\nMeasure=psi\nThreshold=1s\nResource=memory\n"
					 "Stall=full\n"
					 "[SLO \"c\"]\nMeasure=disk\nThreshold=1h\nQuantile=p50\n"
					 "[SLO \"d\"]\nMeasure=function\nThreshold=1s\n"
					 "Function=/usr/lib/x:ns::f(int)\n"
					 "[SLO \"e\"]\nMeasure=runqueue\nThreshold=1s\nCgroup=/\n",
					 &problems);

	expect_quiet(&problems);
	assert_int_equal(c->slo_cnt, 5);
	assert_string_equal(c->slos[0].syscalls, "futex read");
	assert_int_equal(c->slos[0].over_ns, 0);
	assert_int_equal(c->slos[0].before_ns, 10 * S_NS);
	assert_int_equal(c->slos[0].after_ns, 2 * S_NS);
	assert_int_equal(c->slos[0].cooldown_ns, 10 * MIN_NS);
	assert_int_equal(c->slos[1].over_ns, S_NS);
	assert_int_equal(c->slos[1].resource, RSP_SLO_MEMORY);
	assert_true(c->slos[1].full);
	assert_int_equal(c->slos[2].over_ns, 10 * S_NS);
	assert_string_equal(c->slos[3].function_file, "/usr/lib/x");
	assert_string_equal(c->slos[3].function_name, "ns::f(int)");
	assert_string_equal(c->slos[4].cgroup, "/");
	rsp_config_free(c);
}

static void test_slo_left_out(void **state)
{
	static const struct {
		const char *keys, *part;
	} cases[] = {
		{"Threshold=1s\n", "it lacks Measure="},
		{"Measure=wait\n", "it lacks Threshold="},
		{"Measure=wait\nThreshold=1s\nThreshold=\n", "it lacks Threshold="},
		{"Measure=function\nThreshold=1s\n", "needs Function="},
		{"Measure=psi\nThreshold=1s\n", "needs Resource="},
		{"Measure=psi\nThreshold=2s\nResource=io\n", "longer than Over="},
		{"Measure=psi\nThreshold=2s\nResource=io\nOver=11s\n", "at most 10s"},
		{"Measure=psi\nThreshold=1s\nResource=cpu\nStall=full\n", "in a Unit= or Cgroup="},
		{"Measure=psi\nThreshold=1s\nResource=io\nComm=a\n", "Comm= has no meaning"},
		{"Measure=psi\nThreshold=1s\nResource=io\nPid=1\n", "Pid= has no meaning"},
		{"Measure=psi\nThreshold=1s\nResource=io\nQuantile=p99\n", "Quantile= has no"},
		{"Measure=wait\nThreshold=1s\nPort=80\n", "Port= has no meaning with Measure=wait"},
		{"Measure=disk\nThreshold=1s\nSyscalls=read\n", "Syscalls= has no meaning"},
		{"Measure=disk\nThreshold=1s\nFunction=/a:b\n", "Function= has no meaning"},
		{"Measure=disk\nThreshold=1s\nResource=io\n", "Resource= has no meaning"},
		{"Measure=disk\nThreshold=1s\nStall=some\n", "Stall= has no meaning"},
		{"Measure=disk\nThreshold=1s\nOver=10s\n", "Over= needs Quantile="},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_config *c;
		struct problems problems;
		char text[256];

		snprintf(text, sizeof(text), "\n[SLO \"x\"]\n%s", cases[i].keys);
		c = load_text(text, &problems);
		expect_problem(&problems, 2, cases[i].part);
		assert_int_equal(c->slo_cnt, 0);
		rsp_config_free(c);
	}
}

static void test_slo_wrong_values(void **state)
{
	static const struct {
		const char *key;
		bool left_out;
	} cases[] = {
		{"Unit=nginx", true},
		{"Unit=nginx.timer", true},
		{"Unit=.service", true},
		{"Unit=a/b.service", true},
		{"Cgroup=system.slice", true},
		{"Cgroup=/a/../b", true},
		{"Cgroup=/a//b", true},
		{"Cgroup=/.", true},
		{"Comm=sixteen bytes...", true},
		{"Pid=0", true},
		{"Pid=4194305", true},
		{"Port=0", true},
		{"Port=65536", true},
		{"Port=http", true},
		{"Measure=requests", true},
		{"Syscalls=futex reed", true},
		{"Function=nginx:main", true},
		{"Function=/usr/bin/nginx", true},
		{"Function=/usr/bin/nginx:", true},
		{"Quantile=99", true},
		{"Quantile=p100", true},
		{"Quantile=p49", true},
		{"Threshold=0", false},
		{"Threshold=61min", false},
		{"Over=0", false},
		{"Before=11min", false},
		{"After=2min", false},
		{"Cooldown=0", false},
		{"Cooldown=8d", false},
		{"MaxUse=1", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_config *c;
		struct problems problems;
		char text[256];
		bool fine;

		snprintf(text, sizeof(text), "[SLO \"x\"]\nMeasure=request\nThreshold=1s\n%s\n",
			 cases[i].key);
		c = load_text(text, &problems);
		fine = problems.cnt == (cases[i].left_out ? 2U : 1U) &&
		       c->slo_cnt == !cases[i].left_out &&
		       strstr(problems.all, "4: ") == problems.all;
		if (!fine)
			fail_msg("'%s': %zu, told:\n%s", cases[i].key, c->slo_cnt, problems.all);
		rsp_config_free(c);
	}
}

static void test_slo_names(void **state)
{
	static const struct {
		const char *head;
		bool ok;
	} cases[] = {
		{"[SLO \"a-B_9\"]", true},
		{"[SLO  \"a\"]", true},
		{"[SLO\t\"a\"]", true},
		{"[SLO \"123456789012345678901234567890123456789012345678901234567890123\"]", true},
		{"[SLO \"1234567890123456789012345678901234567890123456789012345678901234\"]",
		 false},
		{"[SLO]", false},
		{"[SLO a]", false},
		{"[SLO \"\"]", false},
		{"[SLO \"a]", false},
		{"[SLO \"a\"b]", false},
		{"[SLO x\"a\"]", false},
		{"[SLO \"a b\"]", false},
		{"[SLO \"../a\"]", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_config *c;
		struct problems problems;
		char text[256];

		snprintf(text, sizeof(text), "%s\nMeasure=disk\nThreshold=1s\n", cases[i].head);
		c = load_text(text, &problems);
		if (c->slo_cnt != cases[i].ok || problems.cnt != !cases[i].ok)
			fail_msg("%s: %zu, told:\n%s", cases[i].head, c->slo_cnt, problems.all);
		rsp_config_free(c);
	}
}

static void test_too_many_slos(void **state)
{
	char text[4096];
	struct rsp_config *c;
	struct problems problems;
	size_t used = 0;

	for (int i = 0; i <= RSP_SLO_MAX; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "[SLO \"s%d\"]\nMeasure=disk\nThreshold=1s\n", i);
	snprintf(text + used, sizeof(text) - used, "[SLO \"s0\"]\nThreshold=2s\n");
	c = load_text(text, &problems);
	expect_problem(&problems, 3 * RSP_SLO_MAX + 1, "[SLO \"s16\"] is ignored: there can be 16");
	assert_int_equal(c->slo_cnt, RSP_SLO_MAX);
	assert_int_equal(c->slos[0].threshold_ns, 2 * S_NS);
	assert_string_equal(c->slos[15].name, "s15");
	rsp_config_free(c);
}

/* --- files ------------------------------------------------------------------------------------ */

#define MAIN(dir)	  dir "/rsp/rspd.conf"
#define DROPIN(dir, name) dir "/rsp/rspd.conf.d/" name

static void test_order_of_files(void **state)
{
	struct rsp_config *c;
	struct problems problems;

	put(MAIN("lib"), "[Recorder]\nSampleHz=1\nNet=kprobe\n");
	put(MAIN("etc"), "[Recorder]\nSampleHz=2\n[Store]\nMaxFiles=2\n");
	put(DROPIN("lib", "50-a.conf"), "[Store]\nMaxFiles=3\n");
	put(DROPIN("etc", "10-z.conf"), "[Store]\nMaxFiles=4\nMaxUse=4G\n");
	put(DROPIN("run", "60-a.conf"), "[Budget]\nCPU=6%\n");
	put(DROPIN("lib", "60-a.conf"), "[Budget]\nCPU=7%\n[Access]\nUsers=none\n");
	put(DROPIN("etc", ".70.conf"), "[Budget]\nCPU=8%\n");
	put(DROPIN("etc", "70.conf~"), "[Budget]\nCPU=8%\n");
	put(DROPIN("etc", "70.config"), "[Budget]\nCPU=8%\n");
	c = load_tree(&problems);
	expect_quiet(&problems);
	assert_int_equal(c->sample_hz, 2); /* of /etc */
	assert_int_equal(c->net, RSP_NET_AUTO);
	assert_int_equal(c->max_files, 3); /* 50 after 10, whatever their directories */
	assert_int_equal(c->max_use_bytes, 4ULL << 30);
	/* the drop-in in /run replaces the drop-in of the same name in /usr/lib */
	assert_int_equal(c->cpu_ppm, 60000);
	assert_true(c->users);
	rsp_config_free(c);
}

static void test_masked(void **state)
{
	char path[256], target[256];
	struct rsp_config *c;
	struct problems problems;

	put(MAIN("lib"), "[Recorder]\nSampleHz=1\n");
	put(DROPIN("lib", "a.conf"), "[Recorder]\nNet=kprobe\n");
	in_tree(MAIN("etc"), path, sizeof(path));
	assert_int_equal(symlink("/dev/null", path), 0);
	in_tree(DROPIN("etc", "a.conf"), path, sizeof(path));
	assert_int_equal(symlink("/dev/null", path), 0);
	in_tree(DROPIN("etc", "dangling.conf"), path, sizeof(path));
	assert_int_equal(symlink("/nonexistent", path), 0);
	in_tree("elsewhere", target, sizeof(target));
	in_tree(DROPIN("etc", "link.conf"), path, sizeof(path));
	put("elsewhere", "[Store]\nMaxFiles=9\n");
	assert_int_equal(symlink(target, path), 0);
	c = load_tree(&problems);
	expect_quiet(&problems);
	assert_int_equal(c->sample_hz, 99);
	assert_int_equal(c->net, RSP_NET_AUTO);
	assert_int_equal(c->max_files, 9);
	rsp_config_free(c);
}

static void test_dropin_changes_slo(void **state)
{
	struct rsp_config *c;
	struct problems problems;

	put(MAIN("lib"),
	    "[SLO \"a\"]\nMeasure=disk\nThreshold=1s\nComm=dd\n[SLO \"b\"]\nAfter=1s\n");
	put(DROPIN("etc", "a.conf"), "[SLO \"a\"]\nThreshold=2s\n\n[SLO \"c\"]\nMeasure=disk\n");
	put(DROPIN("etc", "b.conf"), "[SLO \"a\"]\nComm=\n[SLO \"c\"]\nThreshold=3s\n");
	c = load_tree(&problems);
	expect_problem(&problems, 5, "SLO \"b\" is left out");
	assert_non_null(strstr(problems.file, MAIN("lib")));
	assert_int_equal(c->slo_cnt, 2);
	assert_string_equal(c->slos[0].name, "a");
	assert_int_equal(c->slos[0].threshold_ns, 2 * S_NS);
	assert_string_equal(c->slos[0].comm, "");
	assert_string_equal(c->slos[1].name, "c");
	assert_int_equal(c->slos[1].threshold_ns, 3 * S_NS);
	rsp_config_free(c);
}

/*
 * A drop-in file that restricts an SLO to a unit is invalid. The recorder must leave out the SLO,
 * instead of measuring it without the restriction.
 */
static void test_wrong_until_corrected(void **state)
{
	static const char text[] =
		"[SLO \"a\"]\nMeasure=disk\nThreshold=1s\nUnit=a.service\nUnit=b\n";
	char corrected[256];
	struct rsp_config *c;
	struct problems problems;

	c = load_text(text, &problems);
	assert_int_equal(problems.cnt, 2);
	assert_int_equal(c->slo_cnt, 0);
	rsp_config_free(c);
	snprintf(corrected, sizeof(corrected), "%sUnit=c.service\n", text);
	c = load_text(corrected, &problems);
	assert_int_equal(problems.cnt, 1);
	assert_int_equal(c->slo_cnt, 1);
	assert_string_equal(c->slos[0].unit, "c.service");
	rsp_config_free(c);
}

static void expect_unreadable(const char *name, int error, const char *part)
{
	struct rsp_config *c = (void *)&error;
	unsigned int cnt = 77;
	struct problems problems = {0};
	char path[256];

	in_tree(name, path, sizeof(path));
	assert_int_equal(rsp_config_load(dirs, on_problem, &problems, &c, &cnt), error);
	expect_problem(&problems, 0, part);
	assert_string_equal(problems.file, path);
	assert_ptr_equal(c, &error);
	assert_int_equal(cnt, 77);
	assert_int_equal(unlink(path) < 0 ? rmdir(path) : 0, 0);
}

static void test_unreadable(void **state)
{
	static char big[RSP_CONFIG_FILE_BYTES_MAX + 1];
	struct rsp_config *c = NULL;
	unsigned int cnt;
	struct problems problems = {0};
	char path[256];

	memset(big, '#', sizeof(big));
	put_bytes(MAIN("etc"), big, sizeof(big));
	expect_unreadable(MAIN("etc"), -EFBIG, "longer than 1 MiB");
	put_bytes(DROPIN("lib", "a.conf"), big, sizeof(big));
	expect_unreadable(DROPIN("lib", "a.conf"), -EFBIG, "longer than 1 MiB");
	in_tree(MAIN("etc"), path, sizeof(path));
	assert_int_equal(mkfifo(path, 0600), 0);
	expect_unreadable(MAIN("etc"), -EINVAL, "not a regular file");
	assert_int_equal(mkdir(path, 0700), 0);
	expect_unreadable(MAIN("etc"), -EINVAL, "not a regular file");
	in_tree("none", path, sizeof(path));
	assert_int_equal(rsp_config_load_file(path, on_problem, &problems, &c, &cnt), -ENOENT);
	expect_problem(&problems, 0, "No such file");

	put_bytes(MAIN("etc"), big, sizeof(big) - 1);
	c = load_tree(&problems);
	expect_quiet(&problems);
	rsp_config_free(c);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_defaults),
		TEST(test_every_key),
		TEST(test_summaries),
		TEST(test_wrong_values),
		TEST(test_empty_resets),
		TEST(test_off),
		TEST(test_syntax),
		TEST(test_nul),
		TEST(test_slo),
		TEST(test_slo_defaults),
		TEST(test_slo_left_out),
		TEST(test_slo_wrong_values),
		TEST(test_slo_names),
		TEST(test_too_many_slos),
		TEST(test_order_of_files),
		TEST(test_masked),
		TEST(test_dropin_changes_slo),
		TEST(test_wrong_until_corrected),
		TEST(test_unreadable),
	};

	return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
