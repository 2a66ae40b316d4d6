/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses any bytes as a configuration file. All accepted values must be in the ranges that
 * rspd.conf(5) states.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "daemon/config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void on_problem(const char *file, unsigned int line, const char *text, void *userdata)
{
	unsigned int *cnt = userdata;

	check(file && *text && !strchr(text, '\n') && !strchr(text, '\033'));
	(*cnt)++;
}

static bool within(uint64_t n, uint64_t min, uint64_t max)
{
	return n >= min && n <= max;
}

static void check_slo(const struct rsp_slo_config *slo)
{
	const uint64_t s = 1000000000;
	bool psi = slo->measure == RSP_SLO_PSI;

	check(slo->name[0] && within(slo->measure, 1, RSP_SLO_MEASURE_CNT - 1));
	check(within(slo->threshold_ns, 1000, 3600 * s));
	check(slo->before_ns <= 600 * s && slo->after_ns <= 60 * s);
	check(within(slo->cooldown_ns, s, 7 * 86400 * s));
	check(slo->pid >= 0 && slo->pid <= 1 << 22);
	check(!slo->unit[0] || strchr(slo->unit, '.'));
	check(!slo->cgroup[0] || slo->cgroup[0] == '/');
	check(slo->measure == RSP_SLO_REQUEST || !slo->port);
	check(slo->measure == RSP_SLO_WAIT || !slo->syscalls[0]);
	check((slo->measure == RSP_SLO_FUNCTION) == (slo->function_name[0] != '\0'));
	check((slo->function_file[0] == '/') == (slo->function_name[0] != '\0'));
	check(psi == (slo->resource != 0) && (psi || !slo->full));
	check(!slo->quantile_ppm || within(slo->quantile_ppm, 500000, 999900));
	check(psi || slo->quantile_ppm ? within(slo->over_ns, s / 2, 600 * s) : !slo->over_ns);
	check(!psi || (slo->threshold_ns <= slo->over_ns && slo->over_ns <= 10 * s));
}

static void check_config(const struct rsp_config *c)
{
	check(!c->window_bytes || within(c->window_bytes, 1 << 20, 64ULL << 30));
	check(!c->ring_bytes || (within(c->ring_bytes, 64 << 10, 256 << 20) &&
				 (c->ring_bytes & (c->ring_bytes - 1)) == 0));
	check(within(c->table_bytes, 1 << 20, 1 << 30));
	check(c->sample_hz <= 10000 && c->net <= RSP_NET_KPROBE);
	check(!c->cpu_ppm || within(c->cpu_ppm, 100, 1000000));
	check(!c->max_use_bytes || within(c->max_use_bytes, 1 << 20, 1ULL << 50));
	check(c->keep_free_bytes <= 1ULL << 50 && c->max_files <= 1000000);
	check(c->slo_cnt <= RSP_SLO_MAX);
	for (size_t i = 0; i < c->slo_cnt; i++) {
		check_slo(&c->slos[i]);
		for (size_t k = 0; k < i; k++)
			check(strcmp(c->slos[k].name, c->slos[i].name) != 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static int fd = -1;
	static char path[64];
	unsigned int cnt, problems = 0;
	struct rsp_config *c;

	if (fd < 0) {
		fd = memfd_create("rspd.conf", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	check(ftruncate(fd, 0) == 0 && pwrite(fd, data, len, 0) == (ssize_t)len);
	check(rsp_config_load_file(path, on_problem, &problems, &c, &cnt) == 0);
	check(cnt == problems);
	check_config(c);
	rsp_config_free(c);
	return 0;
}
