/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See utilization.h. Makes the rows of CPUs and processes from the rows of tasks. */
#include "lib/model/utilization/utilization.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/format.h"
#include "lib/model/utilization/utilization-parts.h"

void rsp_use_add(struct rsp_use *sum, const struct rsp_use *use)
{
	sum->user_ns += use->user_ns;
	sum->system_ns += use->system_ns;
	sum->busy_ns += use->busy_ns;
	sum->irq_ns += use->irq_ns;
	sum->softirq_ns += use->softirq_ns;
	sum->stolen_ns += use->stolen_ns;
	sum->runnable_ns += use->runnable_ns;
	sum->idle_ns += use->idle_ns;
	sum->unknown_ns += use->unknown_ns;
}

/* --- CPUs ------------------------------------------------------------------------------------- */

/* A CPU counts as idle while no task is on it; interrupts are subtracted later. */
static int begin_cpus(struct rsp_using *x)
{
	struct rsp_utilization *u = x->u;
	__u64 span_ns = u->until_ns - u->since_ns,
	      paused = rsp_gap_within(&x->m->pauses, u->since_ns, u->until_ns);
	size_t cnt = x->m->trace->snap->meta.cpu_cnt;

	cnt = cnt > x->m->cpus.cnt ? cnt : x->m->cpus.cnt;
	if (cnt > UINT16_MAX)
		cnt = UINT16_MAX;
	while (u->cpus.cnt < cnt) {
		struct rsp_use_cpu *cpu = rsp_array_add(&u->cpus);

		if (!cpu)
			return -ENOMEM;
		cpu->cpu = (__u32)(u->cpus.cnt - 1);
		cpu->use.idle_ns = span_ns;
	}
	for (size_t i = 0; i < u->tasks.cnt; i++) {
		const struct rsp_use_task *task = &u->tasks.v[i];

		for (size_t k = 0; k < task->places.cnt; k++) {
			const struct rsp_use_place *place = &task->places.v[k];
			struct rsp_use *use = place->cpu < cnt ? &u->cpus.v[place->cpu].use : NULL;

			if (use)
				use->idle_ns -= place->run_ns < use->idle_ns ? place->run_ns
									     : use->idle_ns;
		}
	}
	for (size_t i = 0; i < u->cpus.cnt; i++) {
		struct rsp_use *use = &u->cpus.v[i].use;

		use->unknown_ns = paused < use->idle_ns ? paused : use->idle_ns;
		use->idle_ns -= use->unknown_ns;
	}
	return 0;
}

/*
 * Interrupts and stolen time count for the CPU on which they occurred. The rest of the task's time
 * is divided into user, system and busy time in the same ratio on each CPU.
 */
static void share_out(struct rsp_utilization *u, const struct rsp_use_task *task)
{
	const struct rsp_use *use = &task->use;
	const __u64 modes[] = {use->user_ns, use->system_ns, use->busy_ns};
	const __u64 all_ns = use->user_ns + use->system_ns + use->busy_ns;
	__u64 parts[3];

	for (size_t i = 0; i < task->places.cnt; i++) {
		const struct rsp_use_place *place = &task->places.v[i];
		struct rsp_use_cpu *cpu = place->cpu < u->cpus.cnt ? &u->cpus.v[place->cpu] : NULL;

		if (!cpu)
			continue;
		rsp_format_apportion(modes, 3, all_ns, rsp_use_place_left_ns(place), parts);
		cpu->use.user_ns += parts[0];
		cpu->use.system_ns += parts[1];
		cpu->use.busy_ns += parts[2];
		cpu->use.irq_ns += place->irq_ns;
		cpu->use.softirq_ns += place->softirq_ns;
		cpu->use.stolen_ns += place->stolen_ns;
		cpu->source |= task->source;
	}
}

/* --- the kernel's accounts of CPUs ------------------------------------------------------------ */

/*
 * An account divides the busy time of a CPU only if the distances of its two ends from the ends of
 * the span add up to at most a 20th of the span.
 */
#define SPAN_SLACK_PART 20

struct account {
	const struct rsp_ev_cpu_time *from, *to;
};

/*
 * from: the last account before the span, or else the first account of all. to: the first account
 * after the span, or else the last account of all.
 */
static void see_account(const struct rsp_utilization *u, const struct rsp_ev_cpu_time *ev,
			struct account *account)
{
	if (!account->from || ev->hdr.ts_ns <= u->since_ns)
		account->from = ev;
	if (!account->to || account->to->hdr.ts_ns < u->until_ns)
		account->to = ev;
}

/* Returns the part of the CPU's stolen time that belongs to no known task, at most max_ns. */
static __u64 unowned_stolen_ns(const struct rsp_utilization *u, const struct account *account,
			       const struct rsp_use_cpu *cpu, __u64 max_ns)
{
	__u64 between_ns = account->to->hdr.ts_ns - account->from->hdr.ts_ns;
	double ns = (double)(account->to->steal_ns - account->from->steal_ns) *
			    (double)(u->until_ns - u->since_ns) / (double)between_ns -
		    (double)cpu->use.stolen_ns;

	if (ns <= 0)
		return 0;
	return ns < (double)max_ns ? (__u64)ns : max_ns;
}

static void find_stolen(struct rsp_utilization *u, const struct account *account,
			struct rsp_use_cpu *cpu)
{
	struct rsp_use *use = &cpu->use;
	__u64 *const from[] = {&use->user_ns, &use->system_ns, &use->busy_ns, &use->idle_ns};
	__u64 weights[4], parts[4], all_ns = 0, ns;

	if (account->to->steal_ns < account->from->steal_ns)
		return;
	cpu->knows_stolen = u->knows_stolen = true;
	for (size_t i = 0; i < 4; i++)
		all_ns += weights[i] = *from[i];
	ns = unowned_stolen_ns(u, account, cpu, all_ns);
	rsp_format_apportion(weights, 4, all_ns, ns, parts);
	for (size_t i = 0; i < 4; i++)
		*from[i] -= parts[i];
	use->stolen_ns += ns;
}

static __u64 distance(__u64 a, __u64 b)
{
	return a > b ? a - b : b - a;
}

static bool is_of_span(const struct rsp_utilization *u, const struct account *account)
{
	__u64 off_ns = distance(account->from->hdr.ts_ns, u->since_ns) +
		       distance(account->to->hdr.ts_ns, u->until_ns);

	return off_ns <= (u->until_ns - u->since_ns) / SPAN_SLACK_PART;
}

/*
 * Divides the busy time of a CPU so that its user and system time have the ratio of the account.
 * The account of a CPU also contains the ticks of short tasks.
 */
static void divide_busy(const struct rsp_utilization *u, const struct account *account,
			struct rsp_use_cpu *cpu)
{
	const struct rsp_ev_cpu_time *from = account->from, *to = account->to;
	struct rsp_use *use = &cpu->use;
	__u64 weights[2], parts[2], user_ns;

	if (!use->busy_ns || !is_of_span(u, account) || to->user_ns < from->user_ns ||
	    to->system_ns < from->system_ns)
		return;
	weights[0] = to->user_ns - from->user_ns;
	weights[1] = to->system_ns - from->system_ns;
	if (!weights[0] && !weights[1])
		return;
	rsp_format_apportion(weights, 2, weights[0] + weights[1],
			     use->user_ns + use->system_ns + use->busy_ns, parts);
	user_ns = parts[0] > use->user_ns ? parts[0] - use->user_ns : 0;
	if (user_ns > use->busy_ns)
		user_ns = use->busy_ns;
	use->user_ns += user_ns;
	use->system_ns += use->busy_ns - user_ns;
	use->busy_ns = 0;
	cpu->source |= RSP_USE_ACCOUNT;
}

static int use_accounts(struct rsp_using *x)
{
	const struct rsp_trace *trace = x->m->trace;
	struct rsp_utilization *u = x->u;
	struct account *accounts = calloc(u->cpus.cnt + 1, sizeof(*accounts));

	if (!accounts)
		return -ENOMEM;
	for (size_t i = 0; i < trace->event_cnt; i++) {
		const struct rsp_ev_hdr *hdr = trace->events[i];

		if (hdr->kind == RSP_EV_CPU_TIME && hdr->cpu < u->cpus.cnt)
			see_account(u, (const void *)hdr, &accounts[hdr->cpu]);
	}
	for (size_t i = 0; i < u->cpus.cnt; i++) {
		if (!accounts[i].from || accounts[i].from->hdr.ts_ns >= accounts[i].to->hdr.ts_ns)
			continue;
		divide_busy(u, &accounts[i], &u->cpus.v[i]);
		find_stolen(u, &accounts[i], &u->cpus.v[i]);
	}
	free(accounts);
	return 0;
}

/* --- processes -------------------------------------------------------------------------------- */

static size_t leader_of(const struct rsp_utilization *u, size_t i)
{
	const struct rsp_use_task *task = &u->tasks.v[i];

	if (task->tid == task->tgid)
		return i;
	return rsp_use_task_at(u, task->tgid, task->to_ns - 1);
}

static struct rsp_use_process *add_process(struct rsp_utilization *u, size_t i, size_t leader)
{
	const struct rsp_use_task *of = &u->tasks.v[leader == RSP_NO_TASK ? i : leader];
	struct rsp_use_process *process = rsp_array_add(&u->processes);

	if (!process)
		return NULL;
	process->tgid = u->tasks.v[i].tgid;
	process->image = leader == RSP_NO_TASK ? -1 : of->image;
	process->name = of->name;
	return process;
}

static int make_processes(struct rsp_utilization *u)
{
	/*
	 * maps the row of a main thread (or the tgid, if the main thread has no row) to a process
	 */
	struct rsp_idmap rows = {0};
	int r = 0;

	for (size_t i = 0; i < u->tasks.cnt && r == 0; i++) {
		struct rsp_use_task *task = &u->tasks.v[i];
		size_t leader = leader_of(u, i);
		uint64_t key = leader == RSP_NO_TASK ? 1ULL << 63 | task->tgid : leader, row;
		struct rsp_use_process *process;

		if (!rsp_idmap_get(&rows, key, &row)) {
			row = u->processes.cnt;
			r = add_process(u, i, leader) ? rsp_idmap_put(&rows, key, row) : -ENOMEM;
			if (r < 0)
				break;
		}
		process = &u->processes.v[row];
		task->process = (__u32)row;
		process->task_cnt++;
		process->migration_cnt += task->migration_cnt;
		process->asked_cnt += task->asked_cnt;
		process->source |= task->source;
		rsp_use_add(&process->use, &task->use);
	}
	rsp_idmap_done(&rows);
	return r;
}

/* --- order ------------------------------------------------------------------------------------ */

static int compare_use(const struct rsp_use *a, const struct rsp_use *b)
{
	__u64 a_ns = rsp_use_run_ns(a), b_ns = rsp_use_run_ns(b);

	if (a_ns != b_ns)
		return a_ns > b_ns ? -1 : 1;
	if (a->runnable_ns != b->runnable_ns)
		return a->runnable_ns > b->runnable_ns ? -1 : 1;
	return 0;
}

static int compare_tasks(const void *pa, const void *pb)
{
	const struct rsp_use_task *a = pa, *b = pb;
	int r = compare_use(&a->use, &b->use);

	if (!r && a->tid != b->tid)
		r = a->tid < b->tid ? -1 : 1;
	return r ? r : a->from_ns < b->from_ns ? -1 : a->from_ns > b->from_ns;
}

struct ranked {
	struct rsp_use_process process;
	__u32 before;
};

static int compare_processes(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;
	int r = compare_use(&a->process.use, &b->process.use);

	if (!r && a->process.tgid != b->process.tgid)
		r = a->process.tgid < b->process.tgid ? -1 : 1;
	return r ? r : a->before < b->before ? -1 : a->before > b->before;
}

static int order(struct rsp_utilization *u)
{
	struct ranked *ranked = calloc(u->processes.cnt + 1, sizeof(*ranked));
	__u32 *now = calloc(u->processes.cnt + 1, sizeof(*now));
	int r = ranked && now ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < u->processes.cnt; i++)
		ranked[i] = (struct ranked){u->processes.v[i], (__u32)i};
	if (r == 0)
		qsort(ranked, u->processes.cnt, sizeof(*ranked), compare_processes);
	for (size_t i = 0; r == 0 && i < u->processes.cnt; i++) {
		u->processes.v[i] = ranked[i].process;
		now[ranked[i].before] = (__u32)i;
	}
	for (size_t i = 0; r == 0 && i < u->tasks.cnt; i++)
		u->tasks.v[i].process = now[u->tasks.v[i].process];
	if (r == 0 && u->tasks.cnt)
		qsort(u->tasks.v, u->tasks.cnt, sizeof(*u->tasks.v), compare_tasks);
	free(ranked);
	free(now);
	return r;
}

/* --- the whole -------------------------------------------------------------------------------- */

static void add_all(struct rsp_utilization *u)
{
	for (size_t i = 0; i < u->cpus.cnt; i++) {
		rsp_use_add(&u->all, &u->cpus.v[i].use);
		u->source |= u->cpus.v[i].source;
	}
	for (size_t i = 0; i < u->tasks.cnt; i++) {
		u->all.runnable_ns += u->tasks.v[i].use.runnable_ns;
		u->migration_cnt += u->tasks.v[i].migration_cnt;
		u->asked_cnt += u->tasks.v[i].asked_cnt;
	}
}

static int make(struct rsp_using *x)
{
	int r = rsp_use_tasks(x);

	if (r == 0)
		r = begin_cpus(x);
	if (r == 0)
		r = rsp_use_irqs(x);
	if (r == 0)
		rsp_use_stolen(x);
	if (r == 0)
		r = rsp_use_modes(x);
	if (r == 0)
		r = rsp_use_calls(x);
	if (r < 0)
		return r;
	for (size_t i = 0; i < x->u->tasks.cnt; i++)
		share_out(x->u, &x->u->tasks.v[i]);
	r = use_accounts(x);
	if (r == 0)
		r = make_processes(x->u);
	if (r == 0)
		r = order(x->u);
	add_all(x->u);
	return r < 0 ? r : x->names->error;
}

int rsp_utilization_make(const struct rsp_model *m, struct rsp_names *names,
			 struct rsp_utilization *ret)
{
	struct rsp_utilization u = {
		.since_ns = m->since_ns > m->start_ns ? m->since_ns : m->start_ns,
		.until_ns = m->until_ns,
	};
	struct rsp_using x = {.m = m, .names = names, .u = &u};
	int r;

	if (u.since_ns > u.until_ns)
		u.since_ns = u.until_ns;
	r = make(&x);
	if (r < 0)
		rsp_utilization_done(&u);
	else
		*ret = u;
	return r;
}

void rsp_utilization_done(struct rsp_utilization *u)
{
	for (size_t i = 0; i < u->tasks.cnt; i++) {
		free(u->tasks.v[i].places.v);
		free(u->tasks.v[i].calls.v);
	}
	free(u->tasks.v);
	free(u->processes.v);
	free(u->cpus.v);
	free(u->irqs.v);
	*u = (struct rsp_utilization){0};
}
