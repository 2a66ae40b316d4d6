/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See counters.h. */
#include "daemon/machine/counters.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FREQ_FOLDER "/sys/devices/system/cpu/cpufreq"
#define POLICY_MAX  4096

/* Size of the buffer for a file. The longest file, /proc/meminfo, has some 1500 bytes. */
#define FILE_BYTES 4096

/* --- files ----------------------------------------------------------------------------------- */

static int open_file(const char *root, const char *name)
{
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s%s", root, name) >= sizeof(path))
		return -1;
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* A policy is a set of CPUs that share a frequency. */
static size_t list_policies(const char *root, unsigned int *ret, size_t max)
{
	char path[PATH_MAX];
	struct dirent *entry;
	size_t cnt = 0;
	DIR *dir;

	if ((size_t)snprintf(path, sizeof(path), "%s" FREQ_FOLDER, root) >= sizeof(path))
		return 0;
	dir = opendir(path);
	while (dir && cnt < max && (entry = readdir(dir)))
		if (sscanf(entry->d_name, "policy%u", &ret[cnt]) == 1)
			cnt++;
	if (dir)
		closedir(dir);
	return cnt;
}

static int compare_numbers(const void *pa, const void *pb)
{
	const unsigned int *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

static void open_frequencies(struct rsp_counters *c, const char *root)
{
	unsigned int policies[POLICY_MAX];
	size_t cnt = list_policies(root, policies, POLICY_MAX);
	size_t wanted = cnt < RSP_COUNTERS_FREQ_MAX ? cnt : RSP_COUNTERS_FREQ_MAX;
	char name[96];

	qsort(policies, cnt, sizeof(policies[0]), compare_numbers);
	for (size_t i = 0; i < wanted; i++) {
		snprintf(name, sizeof(name), FREQ_FOLDER "/policy%u/scaling_cur_freq",
			 policies[i * cnt / wanted]);
		c->freq_fds[c->freq_cnt] = open_file(root, name);
		if (c->freq_fds[c->freq_cnt] >= 0)
			c->freq_cnt++;
	}
}

void rsp_counters_open(struct rsp_counters *c, const char *root)
{
	static const char *const pressures[] = {"/proc/pressure/cpu", "/proc/pressure/memory",
						"/proc/pressure/io"};

	*c = (struct rsp_counters){.next_ns = 0};
	for (size_t i = 0; i < sizeof(pressures) / sizeof(pressures[0]); i++)
		c->pressure_fds[i] = open_file(root, pressures[i]);
	c->meminfo_fd = open_file(root, "/proc/meminfo");
	c->loadavg_fd = open_file(root, "/proc/loadavg");
	open_frequencies(c, root);
}

static void close_file(int fd)
{
	if (fd >= 0)
		close(fd);
}

void rsp_counters_close(struct rsp_counters *c)
{
	for (size_t i = 0; i < sizeof(c->pressure_fds) / sizeof(c->pressure_fds[0]); i++)
		close_file(c->pressure_fds[i]);
	close_file(c->meminfo_fd);
	close_file(c->loadavg_fd);
	for (size_t i = 0; i < c->freq_cnt; i++)
		close_file(c->freq_fds[i]);
}

/* The kernel writes new text at each read from offset 0. */
static bool read_file(int fd, char buf[static FILE_BYTES])
{
	ssize_t n = fd < 0 ? -1 : pread(fd, buf, FILE_BYTES - 1, 0);

	buf[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* --- numbers --------------------------------------------------------------------------------- */

static __u64 number(const char *text)
{
	unsigned long long n = 0;

	return sscanf(text, "%llu", &n) == 1 ? n : RSP_COUNTER_ABSENT;
}

/* text has lines like "some avg10=… total=N". */
static __u64 stalled_us(const char *text, const char *which)
{
	const char *line = strstr(text, which), *total = line ? strstr(line, "total=") : NULL;

	return total ? number(total + strlen("total=")) : RSP_COUNTER_ABSENT;
}

static void read_pressure(const struct rsp_counters *c, __u64 *v)
{
	char buf[FILE_BYTES];

	if (read_file(c->pressure_fds[0], buf))
		v[RSP_COUNTER_CPU_SOME] = stalled_us(buf, "some ");
	if (read_file(c->pressure_fds[1], buf)) {
		v[RSP_COUNTER_MEMORY_SOME] = stalled_us(buf, "some ");
		v[RSP_COUNTER_MEMORY_FULL] = stalled_us(buf, "full ");
	}
	if (read_file(c->pressure_fds[2], buf)) {
		v[RSP_COUNTER_IO_SOME] = stalled_us(buf, "some ");
		v[RSP_COUNTER_IO_FULL] = stalled_us(buf, "full ");
	}
}

static void read_memory(const struct rsp_counters *c, __u64 *v)
{
	static const struct {
		const char *key;
		enum rsp_counter counter;
	} lines[] = {
		{"\nMemTotal:", RSP_COUNTER_MEM_TOTAL},
		{"\nMemAvailable:", RSP_COUNTER_MEM_AVAILABLE},
		{"\nSwapTotal:", RSP_COUNTER_SWAP_TOTAL},
		{"\nSwapFree:", RSP_COUNTER_SWAP_FREE},
		{"\nDirty:", RSP_COUNTER_DIRTY},
		{"\nWriteback:", RSP_COUNTER_WRITEBACK},
	};
	char buf[1 + FILE_BYTES] =
		"\n"; /* Each key begins with a newline, so the first line needs one, too. */

	if (!read_file(c->meminfo_fd, buf + 1))
		return;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const char *line = strstr(buf, lines[i].key);

		if (line)
			v[lines[i].counter] = number(line + strlen(lines[i].key));
	}
}

/* Parses /proc/loadavg, for example "0.52 0.58 0.59 1/467 12345". */
static void read_load(const struct rsp_counters *c, __u64 *v)
{
	unsigned long long whole, hundredths, runnable, tasks;
	char buf[FILE_BYTES];

	if (!read_file(c->loadavg_fd, buf) ||
	    sscanf(buf, "%llu.%llu %*s %*s %llu/%llu", &whole, &hundredths, &runnable, &tasks) != 4)
		return;
	v[RSP_COUNTER_LOAD] = whole * 100 + hundredths;
	v[RSP_COUNTER_RUNNABLE] = runnable;
	v[RSP_COUNTER_TASKS] = tasks;
}

static void read_frequencies(const struct rsp_counters *c, __u64 *v)
{
	__u64 sum = 0, cnt = 0, min = RSP_COUNTER_ABSENT, max = 0;
	char buf[FILE_BYTES];

	for (size_t i = 0; i < c->freq_cnt; i++) {
		__u64 khz = read_file(c->freq_fds[i], buf) ? number(buf) : RSP_COUNTER_ABSENT;

		if (khz > UINT_MAX) /* includes RSP_COUNTER_ABSENT: the CPUs are offline */
			continue;
		cnt++;
		sum += khz;
		min = khz < min ? khz : min;
		max = khz > max ? khz : max;
	}
	if (!cnt)
		return;
	v[RSP_COUNTER_FREQ_MEAN] = sum / cnt;
	v[RSP_COUNTER_FREQ_MIN] = min;
	v[RSP_COUNTER_FREQ_MAX] = max;
}

/* --- records --------------------------------------------------------------------------------- */

static void put_set(enum rsp_counter_set set, const __u64 *v, __u64 now_ns, rsp_counters_sink sink,
		    void *userdata)
{
	struct rsp_ev_counters rec = {.hdr = {.ts_ns = now_ns,
					      .kind = RSP_EV_COUNTERS,
					      .size = sizeof(rec),
					      .flags = set}};
	bool any = false;

	memcpy(rec.v, v, sizeof(rec.v));
	for (size_t i = 0; i < RSP_COUNTER_SET_SIZE; i++)
		any |= rec.v[i] != RSP_COUNTER_ABSENT;
	if (any)
		sink(&rec, sizeof(rec), userdata);
}

void rsp_counters_poll(struct rsp_counters *c, __u64 now_ns, rsp_counters_sink sink, void *userdata)
{
	__u64 v[RSP_COUNTER_SET_CNT * RSP_COUNTER_SET_SIZE];

	if (now_ns < c->next_ns)
		return;
	c->next_ns = now_ns + RSP_COUNTERS_INTERVAL_NS;
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		v[i] = RSP_COUNTER_ABSENT;
	read_pressure(c, v);
	read_memory(c, v);
	read_load(c, v);
	read_frequencies(c, v);
	for (enum rsp_counter_set set = 0; set < RSP_COUNTER_SET_CNT; set++)
		put_set(set, v + set * RSP_COUNTER_SET_SIZE, now_ns, sink, userdata);
}
