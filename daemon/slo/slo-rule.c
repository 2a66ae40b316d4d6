/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See slo-rule.h. */
#include "daemon/slo/slo-rule.h"

#include <string.h>

#include "lib/base/syscalls.h"

/* System calls in which threads usually wait for work (rsp/slo.h). */
static const char *const idle_calls[] = {
	"poll",
	"ppoll",
	"select",
	"pselect6",
	"epoll_wait",
	"epoll_pwait",
	"epoll_pwait2",
	"accept",
	"accept4",
	"nanosleep",
	"clock_nanosleep",
	"pause",
	"rt_sigsuspend",
	"rt_sigtimedwait",
	"wait4",
	"waitid",
	"futex",
	"futex_wait",
	"futex_waitv",
	"restart_syscall",
	"io_uring_enter",
	"io_getevents",
	"io_pgetevents",
	"msgrcv",
	"mq_timedreceive",
};

static void count_syscall(struct rsp_slo_rule *rule, const char *name, bool counts)
{
	int nr = rsp_syscall_number(name);
	__u64 bit = 1ULL << (nr & 63);

	if (nr < 0 || nr >= RSP_SLO_SYSCALL_CNT)
		return;
	if (counts)
		rule->syscalls[nr / 64] |= bit;
	else
		rule->syscalls[nr / 64] &= ~bit;
}

static void count_all_but_idle(struct rsp_slo_rule *rule)
{
	rule->flags |= RSP_SLO_FAULTS;
	memset(rule->syscalls, 0xff, sizeof(rule->syscalls));
	for (size_t i = 0; i < sizeof(idle_calls) / sizeof(*idle_calls); i++)
		count_syscall(rule, idle_calls[i], false);
}

/* names: separated by one space. */
static void count_named(struct rsp_slo_rule *rule, const char *names)
{
	char copy[sizeof(((struct rsp_slo_config *)0)->syscalls)];
	char *rest = copy, *name;

	memcpy(copy, names, sizeof(copy));
	while ((name = strsep(&rest, " ")))
		count_syscall(rule, name, true);
}

/* The BPF programs compare the NUL as well, so that a longer name does not match. */
static void choose_comm(struct rsp_slo_rule *rule, const char *comm)
{
	size_t len = strnlen(comm, sizeof(rule->comm) - 1);

	memcpy(rule->comm, comm, len);
	memset(rule->comm_mask, 0xff, len + 1);
}

void rsp_slo_rule_make(const struct rsp_slo_config *config, struct rsp_slo_rule *ret)
{
	*ret = (struct rsp_slo_rule){
		.threshold_ns = config->threshold_ns,
		.tgid = (__u32)config->pid,
		.port = config->port,
	};
	if (config->comm[0])
		choose_comm(ret, config->comm);
	if (config->comm[0] || config->pid || config->measure == RSP_SLO_DISK)
		ret->flags |= RSP_SLO_KERNEL_THREADS;
	if (config->measure == RSP_SLO_WAIT && config->syscalls[0])
		count_named(ret, config->syscalls);
	else if (config->measure == RSP_SLO_WAIT)
		count_all_but_idle(ret);
}

static bool same(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

bool rsp_slo_same_rule(const struct rsp_slo_config *a, const struct rsp_slo_config *b)
{
	return same(a->name, b->name) && a->measure == b->measure && same(a->unit, b->unit) &&
	       same(a->cgroup, b->cgroup) && same(a->comm, b->comm) && a->pid == b->pid &&
	       a->port == b->port && same(a->function_file, b->function_file) &&
	       same(a->function_name, b->function_name) && same(a->syscalls, b->syscalls) &&
	       a->resource == b->resource && a->full == b->full &&
	       a->threshold_ns == b->threshold_ns && a->quantile_ppm == b->quantile_ppm &&
	       a->over_ns == b->over_ns;
}
