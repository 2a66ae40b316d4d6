/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See config-keys.h. */
#include "daemon/config/config-keys.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/quantity.h"
#include "lib/base/syscalls.h"

#define US  1000ULL
#define MS  1000000ULL
#define S   1000000000ULL
#define MIN (60 * S)
#define K   (1ULL << 10)
#define M   (1ULL << 20)
#define G   (1ULL << 30)
#define T   (1ULL << 40)

const struct rsp_config rsp_config_defaults = {
	.window_bytes = 0, /* 0: chosen by the number of CPUs (sizes.h) */
	.ring_bytes = 0,
	/* Enough for all programs of a server; the largest server measured needs 20 MiB. */
	.table_bytes = 32 * M,
	/* not a divisor of common timer rates, so that samples do not run in step with timers */
	.sample_hz = 99,
	.net = RSP_NET_AUTO,
	.cpu_ppm = 10000,
	.time_ppm = 1000000,
	/* A snapshot of a busy machine has some 10 MiB. */
	.max_use_bytes = 1 * G,
	.keep_free_bytes = 1 * G,
	.max_files = 100,
	.users = true,
	.slice_ns = 1 * S,
};

const struct rsp_slo_config rsp_slo_config_defaults = {
	.before_ns = 10 * S,
	.after_ns = 2 * S,
	.cooldown_ns = 10 * MIN,
};

static const char *const net_names[] = {
	[RSP_NET_AUTO] = "auto",
	[RSP_NET_TRACEPOINT] = "tracepoint",
	[RSP_NET_FENTRY] = "fentry",
	[RSP_NET_KPROBE] = "kprobe",
	NULL,
};

static const char *const users_names[] = {"none", "own", NULL};
static const char *const stall_names[] = {"some", "full", NULL};

/* If the values of an enumeration begin with 1, the name at index 0 is empty. */
static const char *const measure_names[] = {
	[0] = "",
	[RSP_SLO_REQUEST] = "request",
	[RSP_SLO_WAIT] = "wait",
	[RSP_SLO_RUNQUEUE] = "runqueue",
	[RSP_SLO_DISK] = "disk",
	[RSP_SLO_FUNCTION] = "function",
	[RSP_SLO_PSI] = "psi",
	[RSP_SLO_MEASURE_CNT] = NULL,
};

static const char *const resource_names[] = {
	[0] = "", [RSP_SLO_CPU] = "cpu", [RSP_SLO_MEMORY] = "memory", [RSP_SLO_IO] = "io", NULL,
};

const char *rsp_slo_measure_name(enum rsp_slo_measure measure)
{
	return measure < RSP_SLO_MEASURE_CNT ? measure_names[measure] : "";
}

static int find_choice(const char *const *choices, const char *value)
{
	for (int i = 0; choices[i]; i++)
		if (strcmp(choices[i], value) == 0)
			return i;
	return -EINVAL;
}

int rsp_net_step_parse(const char *name, enum rsp_net_step *ret)
{
	int i = find_choice(net_names, name);

	if (i < 0)
		return i;
	*ret = (enum rsp_net_step)i;
	return 0;
}

/* --- values ----------------------------------------------------------------------------------- */

static int store(const struct rsp_config_key *key, uint64_t n, void *field)
{
	if (n < key->min || n > key->max)
		return -EINVAL;
	switch (key->size) {
	case sizeof(uint8_t):
		*(uint8_t *)field = (uint8_t)n;
		return 0;
	case sizeof(uint16_t):
		*(uint16_t *)field = (uint16_t)n;
		return 0;
	case sizeof(uint32_t):
		*(uint32_t *)field = (uint32_t)n;
		return 0;
	default:
		*(uint64_t *)field = n;
		return 0;
	}
}

static int parse_choice(const struct rsp_config_key *key, const char *value, void *field)
{
	int i = find_choice(key->choices, value);

	return i < 0 ? i : store(key, (uint64_t)i, field);
}

/* rsp_size_parse() takes such a number as a size in bytes. */
static int parse_number(const struct rsp_config_key *key, const char *value, void *field)
{
	uint64_t n = 0;

	if (value[strspn(value, "0123456789")] || rsp_size_parse(value, &n) < 0)
		return -EINVAL;
	return store(key, n, field);
}

static int parse_size(const struct rsp_config_key *key, const char *value, void *field)
{
	uint64_t n = 0;

	return rsp_size_parse(value, &n) < 0 ? -EINVAL : store(key, n, field);
}

/* 0 means no limit. */
static int parse_bound(const struct rsp_config_key *key, const char *value, void *field)
{
	uint64_t n = 0;

	if (rsp_size_parse(value, &n) < 0)
		return -EINVAL;
	if (n == 0) {
		*(uint64_t *)field = 0;
		return 0;
	}
	return store(key, n, field);
}

static int parse_power_of_two(const struct rsp_config_key *key, const char *value, void *field)
{
	uint64_t n = 0;

	if (rsp_size_parse(value, &n) < 0 || (n & (n - 1)) != 0)
		return -EINVAL;
	return store(key, n, field);
}

/* If so, stores 0: the number of CPUs then determines the size (sizes.h). */
static bool is_auto(const char *value, void *field)
{
	if (strcmp(value, "auto") != 0)
		return false;
	*(uint64_t *)field = 0;
	return true;
}

static int parse_size_or_auto(const struct rsp_config_key *key, const char *value, void *field)
{
	return is_auto(value, field) ? 0 : parse_size(key, value, field);
}

static int parse_power_of_two_or_auto(const struct rsp_config_key *key, const char *value,
				      void *field)
{
	return is_auto(value, field) ? 0 : parse_power_of_two(key, value, field);
}

static int parse_duration(const struct rsp_config_key *key, const char *value, void *field)
{
	uint64_t n = 0;

	return rsp_duration_parse(value, &n) < 0 ? -EINVAL : store(key, n, field);
}

static int parse_interval(const struct rsp_config_key *key, const char *value, void *field)
{
	if (strcmp(value, "no") == 0) {
		*(uint64_t *)field = 0;
		return 0;
	}
	return parse_duration(key, value, field);
}

static int parse_share(const struct rsp_config_key *key, const char *value, void *field)
{
	uint64_t n = 0;

	return rsp_percent_parse(value, &n) < 0 ? -EINVAL : store(key, n, field);
}

static int parse_budget(const struct rsp_config_key *key, const char *value, void *field)
{
	if (strcmp(value, "off") == 0) {
		*(uint32_t *)field = 0;
		return 0;
	}
	return parse_share(key, value, field);
}

static int parse_quantile(const struct rsp_config_key *key, const char *value, void *field)
{
	uint64_t n = 0;

	return rsp_quantile_parse(value, &n) < 0 ? -EINVAL : store(key, n, field);
}

/* --- names ------------------------------------------------------------------------------------ */

static int store_string(const char *value, size_t len, char *field, size_t size)
{
	if (len >= size)
		return -EINVAL;
	memset(field, 0, size);
	memcpy(field, value, len);
	return 0;
}

static int parse_string(const struct rsp_config_key *key, const char *value, void *field)
{
	return store_string(value, strlen(value), field, key->size);
}

static bool has_processes(const char *unit)
{
	static const char *const types[] = {".service", ".slice", ".scope", ".socket",
					    ".mount",	".swap",  NULL};
	const char *dot = strrchr(unit, '.');

	return dot && dot != unit && find_choice(types, dot) >= 0;
}

/* Accepts the characters that systemd.unit(5) allows in names of units. */
static int parse_unit(const struct rsp_config_key *key, const char *value, void *field)
{
	size_t len = strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   ":-_.\\@");

	if (value[len] || !has_processes(value))
		return -EINVAL;
	return parse_string(key, value, field);
}

static bool is_plain_path(const char *path, size_t len)
{
	if (path[0] != '/')
		return false;
	for (size_t i = 0; i < len;) {
		const char *part = path + i + 1;
		size_t n = strcspn(part, "/");

		if (i + 1 + n > len)
			n = len - i - 1;
		if ((n == 0 && len > 1) || (n == 1 && part[0] == '.') ||
		    (n == 2 && strncmp(part, "..", 2) == 0))
			return false;
		i += n + 1;
	}
	return true;
}

static int parse_cgroup(const struct rsp_config_key *key, const char *value, void *field)
{
	size_t len = strlen(value);

	if (len > 1 && value[len - 1] == '/')
		len--;
	if (!is_plain_path(value, len))
		return -EINVAL;
	return store_string(value, len, field, key->size);
}

/* Parses file:name. The name may contain colons, so the file's path must not. */
static int parse_function(const struct rsp_config_key *key, const char *value, void *field)
{
	/* function_name follows function_file in the struct. */
	const size_t file_size = sizeof(((struct rsp_slo_config *)0)->function_file);
	const char *name = strchr(value, ':');
	size_t file_len = name ? (size_t)(name - value) : 0;

	if (!name || !is_plain_path(value, file_len) || !name[1] || file_len >= file_size ||
	    strlen(name + 1) >= key->size - file_size)
		return -EINVAL;
	store_string(value, file_len, field, file_size);
	return store_string(name + 1, strlen(name + 1), (char *)field + file_size,
			    key->size - file_size);
}

static int parse_syscalls(const struct rsp_config_key *key, const char *value, void *field)
{
	char list[sizeof(((struct rsp_slo_config *)0)->syscalls)];
	size_t used = 0;

	for (const char *s = value + strspn(value, " "); *s; s += strspn(s, " ")) {
		size_t len = strcspn(s, " ");
		char *name = list + used;

		if (used + len + 2 > sizeof(list))
			return -EINVAL;
		memcpy(name, s, len);
		name[len] = '\0';
		if (rsp_syscall_number(name) < 0)
			return -EINVAL;
		name[len] = ' ';
		used += len + 1;
		s += len;
	}
	return used ? store_string(list, used - 1, field, key->size) : -EINVAL;
}

/* --- keys ------------------------------------------------------------------------------------- */

#define FIELD(type, member) offsetof(struct type, member), sizeof(((struct type *)0)->member)
#define GLOBAL(member)	    FIELD(rsp_config, member)
#define OF_SLO(member)	    FIELD(rsp_slo_config, member)
#define MEASURE(m)	    (1U << RSP_SLO_##m)
#define NOT_PSI		    (~MEASURE(PSI))

/* Size of both fields that parse_function() writes. */
#define FUNCTION_SIZE                                                                              \
	(sizeof(((struct rsp_slo_config *)0)->function_file) +                                     \
	 sizeof(((struct rsp_slo_config *)0)->function_name))
_Static_assert(offsetof(struct rsp_slo_config, function_name) ==
		       offsetof(struct rsp_slo_config, function_file) +
			       sizeof(((struct rsp_slo_config *)0)->function_file),
	       "Function= is one field of two parts");

/* clang-format off */
const struct rsp_config_key rsp_config_keys[] = {
	{"Recorder", "WindowSize", parse_size_or_auto, GLOBAL(window_bytes), 1 * M, 64 * G,
	 .wanted = "a size from 1M to 64G, as 64M, or auto", .restart = true},
	{"Recorder", "RingSize", parse_power_of_two_or_auto, GLOBAL(ring_bytes), 64 * K, 256 * M,
	 .wanted = "a power of two from 64K to 256M, as 4M, or auto", .restart = true},
	{"Recorder", "TableSize", parse_size, GLOBAL(table_bytes), 1 * M, 1 * G,
	 .wanted = "a size from 1M to 1G, as 32M", .restart = true},
	{"Recorder", "SampleHz", parse_number, GLOBAL(sample_hz), 0, 10000,
	 .wanted = "a number from 0 to 10000, as 99", .restart = true},
	{"Recorder", "Net", parse_choice, GLOBAL(net), 0, RSP_NET_KPROBE, net_names,
	 .wanted = "auto, tracepoint, fentry or kprobe", .restart = true},

	{"Budget", "CPU", parse_budget, GLOBAL(cpu_ppm), 100, 1000000,
	 .wanted = "a share from 0.01% to 100%, as 1%, or off"},
	{"Budget", "Time", parse_share, GLOBAL(time_ppm), 10000, 1000000,
	 .wanted = "a share from 1% to 100%, as 25%"},

	{"Store", "MaxUse", parse_bound, GLOBAL(max_use_bytes), 1 * M, 1024 * T,
	 .wanted = "a size from 1M to 1024T, as 1G, or 0 for no bound"},
	{"Store", "KeepFree", parse_size, GLOBAL(keep_free_bytes), 0, 1024 * T,
	 .wanted = "a size up to 1024T, as 1G, or 0 for no bound"},
	{"Store", "MaxFiles", parse_number, GLOBAL(max_files), 0, 1000000,
	 .wanted = "a number up to 1000000, as 100, or 0 for no bound"},

	{"Access", "Users", parse_choice, GLOBAL(users), 0, 1, users_names,
	 .wanted = "own or none"},

	{"Summary", "Every", parse_interval, GLOBAL(every_ns), 10 * S, 60 * MIN,
	 .wanted = "a time from 10s to 1h, as 1min, or no"},
	{"Summary", "Slice", parse_duration, GLOBAL(slice_ns), 10 * MS, 10 * S,
	 .wanted = "a time from 10ms to 10s, as 1s"},

	{"SLO", "Unit", parse_unit, OF_SLO(unit), .narrows = true,
	 .wanted = "a unit that has processes, with its suffix, as nginx.service"},
	{"SLO", "Cgroup", parse_cgroup, OF_SLO(cgroup), .narrows = true,
	 .wanted = "a path from the root of the cgroup hierarchy, as /system.slice"},
	{"SLO", "Comm", parse_string, OF_SLO(comm), .narrows = true, .measures = NOT_PSI,
	 .wanted = "a name of at most 15 bytes, for the kernel keeps no more"},
	{"SLO", "Pid", parse_number, OF_SLO(pid), 1, 1 << 22, .narrows = true, .measures = NOT_PSI,
	 .wanted = "the number of a process"},
	{"SLO", "Port", parse_number, OF_SLO(port), 1, UINT16_MAX, .narrows = true,
	 .measures = MEASURE(REQUEST), .wanted = "a local TCP port from 1 to 65535"},
	{"SLO", "Measure", parse_choice, OF_SLO(measure), 1, RSP_SLO_MEASURE_CNT - 1,
	 measure_names, .narrows = true, .wanted = "request, wait, runqueue, disk, function or psi"},
	{"SLO", "Function", parse_function, offsetof(struct rsp_slo_config, function_file),
	 FUNCTION_SIZE, .narrows = true, .measures = MEASURE(FUNCTION),
	 .wanted = "an absolute path and a function in that file, as /usr/sbin/nginx:ngx_http_handler"},
	{"SLO", "Syscalls", parse_syscalls, OF_SLO(syscalls), .narrows = true,
	 .measures = MEASURE(WAIT),
	 .wanted = "names of system calls with spaces between, 255 bytes at most, as futex read"},
	{"SLO", "Resource", parse_choice, OF_SLO(resource), 1, RSP_SLO_IO, resource_names,
	 .narrows = true, .measures = MEASURE(PSI), .wanted = "cpu, memory or io"},
	{"SLO", "Stall", parse_choice, OF_SLO(full), 0, 1, stall_names, .narrows = true,
	 .measures = MEASURE(PSI), .wanted = "some or full"},
	{"SLO", "Threshold", parse_duration, OF_SLO(threshold_ns), 1 * US, 60 * MIN,
	 .wanted = "a time from 1us to 1h, as 250ms"},
	{"SLO", "Quantile", parse_quantile, OF_SLO(quantile_ppm), 500000, 999900, .narrows = true,
	 .measures = NOT_PSI, .wanted = "a percentile from p50 to p99.99, as p99"},
	{"SLO", "Over", parse_duration, OF_SLO(over_ns), 500 * MS, 10 * MIN,
	 .wanted = "a time from 500ms to 10min, as 10s"},
	{"SLO", "Before", parse_duration, OF_SLO(before_ns), 0, 10 * MIN,
	 .wanted = "a time up to 10min, as 10s"},
	{"SLO", "After", parse_duration, OF_SLO(after_ns), 0, 1 * MIN,
	 .wanted = "a time up to 1min, as 2s"},
	{"SLO", "Cooldown", parse_duration, OF_SLO(cooldown_ns), 1 * S, 7 * 24 * 60 * MIN,
	 .wanted = "a time from 1s to 7d, as 10min"},
	{"SLO", "MaxUse", parse_bound, OF_SLO(max_use_bytes), 1 * M, 1024 * T,
	 .wanted = "a size from 1M to 1024T, as 100M, or 0 for that of the store"},
	{"SLO", "MaxFiles", parse_number, OF_SLO(max_files), 0, 1000000,
	 .wanted = "a number up to 1000000, as 10, or 0 for that of the store"},
	{.section = NULL},
};
/* clang-format on */

const struct rsp_config_key *rsp_config_key_find(const char *section, const char *name)
{
	for (const struct rsp_config_key *key = rsp_config_keys; key->section; key++)
		if (strcmp(key->section, section) == 0 && strcmp(key->name, name) == 0)
			return key;
	return NULL;
}

int rsp_config_key_apply(const struct rsp_config_key *key, const char *value, void *target)
{
	const char *defaults = strcmp(key->section, "SLO") == 0
				       ? (const char *)&rsp_slo_config_defaults
				       : (const char *)&rsp_config_defaults;
	char *field = (char *)target + key->offset;

	if (*value)
		return key->parse(key, value, field);
	memcpy(field, defaults + key->offset, key->size);
	return 0;
}

/* --- subjects of SLOs ------------------------------------------------------------------------- */

static void add_subject(char *buf, size_t len, size_t *at, const char *key, const char *value)
{
	if (*value && *at < len)
		*at += (size_t)snprintf(buf + *at, len - *at, "%s%s=%s", *at ? " " : "", key,
					value);
}

char *rsp_slo_subject(const struct rsp_slo_config *slo, char *buf, size_t len)
{
	char port[8] = "", pid[16] = "";
	size_t at = 0;

	if (slo->port)
		snprintf(port, sizeof(port), "%u", slo->port);
	if (slo->pid)
		snprintf(pid, sizeof(pid), "%d", (int)slo->pid);
	buf[0] = '\0';
	add_subject(buf, len, &at, "Unit", slo->unit);
	add_subject(buf, len, &at, "Cgroup", slo->cgroup);
	add_subject(buf, len, &at, "Comm", slo->comm);
	add_subject(buf, len, &at, "Pid", pid);
	add_subject(buf, len, &at, "Port", port);
	add_subject(buf, len, &at, "Function", slo->function_name);
	return buf;
}
