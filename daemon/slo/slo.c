/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See slo.h. */
#include "daemon/slo/slo.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/bus-unit.h"
#include "daemon/base/cgroups.h"
#include "daemon/base/clock.h"
#include "daemon/base/helper.h"
#include "daemon/slo/slo-function.h"
#include "daemon/slo/slo-psi.h"
#include "daemon/slo/slo-rule.h"
#include "daemon/slo/slo-window.h"
#include "lib/base/cleanup.h"
#include "rsp/event.h"
#include "rsp/parts.h"
#include "rsp/slo.h"
#include "rsp/unwind.h"
#include "rsp/watch.h"
#include "rsp.skel.h"

/* Interval at which rspd checks whether the units, processes and files of the SLOs exist. */
#define LOOK_NS 1000000000ULL

/* Interval of requests to systemd about a unit whose cgroup is not at the default path. */
#define ASK_NS 5000000000ULL

struct slo {
	const struct rsp_slo_config *config;
	__u32 number; /* number of its rule in the BPF programs */
	__u64 since_ns;
	bool measured;
	char why[160];
	char cgroup[512]; /* last known path of the unit's cgroup; "": unknown */
	sd_bus_slot *question;
	__u64 asked_ns;
	struct rsp_slo_function *function;
	struct rsp_psi psi;
	struct rsp_slo_window *window; /* NULL: the SLO has no quantile */
	struct rsp_slo_counts counted; /* counts that are already in the window */
	struct rsp_slo_case worst;     /* longest since the last poll */
	struct rsp_slo_case last;
	bool was_breached; /* the quantile or stall was too high at the last check */
	/* reported_cnt: without breaches by rsp_slos_trigger() */
	__u64 breach_cnt, reported_cnt, suppressed_cnt;
	__u64 last_breach_ns, cooldown_until_ns;
};

struct rsp_slos {
	struct rsp_bpf *bpf;
	rsp_slo_breach_fn on_breach;
	void *userdata;
	struct ring_buffer *ring;
	struct rsp_slo_counts *per_cpu;
	int cpu_cnt;
	int root_level; /* depth of the cgroup namespace's root in the kernel's hierarchy */
	struct slo *v[RSP_SLO_MAX]; /* in the order of the configuration */
	size_t cnt;
	__u64 next_look_ns;
	const struct rsp_bus_connection *bus; /* NULL: no bus */
};

/* --- rules and counts of the BPF programs ----------------------------------------------------- */

static bool has_program(const struct bpf_program *prog)
{
	return bpf_program__fd(prog) >= 0;
}

static bool sees_requests(const struct rsp_bpf *bpf)
{
	return (has_program(bpf->progs.on_tcp_send_tp) || has_program(bpf->progs.on_tcp_send_fe) ||
		has_program(bpf->progs.on_tcp_send_kp)) &&
	       (has_program(bpf->progs.on_data_ready_tp) ||
		has_program(bpf->progs.on_data_ready_fe) ||
		has_program(bpf->progs.on_data_ready_kp));
}

static bool sees_disks(const struct rsp_bpf *bpf)
{
	return has_program(bpf->progs.on_rq_complete);
}

/* Atomic, because the BPF programs may read the word at any time. */
static void set_bit(__u32 *word, __u32 bit, bool on)
{
	if (on)
		__atomic_fetch_or(word, bit, __ATOMIC_SEQ_CST);
	else
		__atomic_fetch_and(word, ~bit, __ATOMIC_SEQ_CST);
}

static void set_active(struct rsp_slos *s, const struct slo *slo, bool on)
{
	struct rsp_slo_active *active = &s->bpf->bss->rsp_slo_active;
	__u32 bit = 1U << slo->number;

	switch (slo->config->measure) {
	case RSP_SLO_REQUEST:
		set_bit(&active->request, bit, on);
		break;
	case RSP_SLO_WAIT:
		set_bit(&active->wait, bit, on);
		set_bit(&active->threads, bit, on);
		break;
	case RSP_SLO_RUNQUEUE:
		set_bit(&active->runqueue, bit, on);
		set_bit(&active->threads, bit, on);
		break;
	case RSP_SLO_DISK:
		set_bit(&active->disk, bit, on);
		break;
	case RSP_SLO_FUNCTION:
		set_bit(&active->function, bit, on);
		break;
	case RSP_SLO_PSI:
	case RSP_SLO_MEASURE_CNT:
		break;
	}
}

/*
 * since_ns is written first. A BPF program that still sees the old rule then drops its latency,
 * which began before since_ns.
 */
static void write_rule(struct rsp_slos *s, struct slo *slo)
{
	struct rsp_slo_rule *rule = &s->bpf->bss->rsp_slo_rules[slo->number], made;

	rsp_slo_rule_make(slo->config, &made);
	made.since_ns = slo->since_ns;
	made.bit = 1U << slo->number;
	__atomic_store_n(&rule->since_ns, slo->since_ns, __ATOMIC_SEQ_CST);
	*rule = made;
}

static void read_counts(struct rsp_slos *s, const struct slo *slo, struct rsp_slo_counts *ret)
{
	int fd = bpf_map__fd(s->bpf->maps.rsp_slo_counts);

	*ret = (struct rsp_slo_counts){0};
	if (bpf_map_lookup_elem(fd, &slo->number, s->per_cpu) < 0)
		return;
	for (int cpu = 0; cpu < s->cpu_cnt; cpu++) {
		const struct rsp_slo_counts *add = &s->per_cpu[cpu];

		if (add->since_ns != slo->since_ns)
			continue;
		ret->over_cnt += add->over_cnt;
		ret->lost_cnt += add->lost_cnt;
		ret->unmeasured_cnt += add->unmeasured_cnt;
		ret->sum_ns += add->sum_ns;
		if (add->max_ns > ret->max_ns)
			ret->max_ns = add->max_ns;
		for (size_t i = 0; i < RSP_SLO_BUCKET_CNT; i++)
			ret->buckets[i] += add->buckets[i];
	}
}

static int on_event(void *ctx, void *data, size_t len)
{
	struct rsp_slos *s = ctx;
	const struct rsp_slo_event *event = data;

	for (size_t i = 0; i < s->cnt && len >= sizeof(*event); i++) {
		struct slo *slo = s->v[i];
		struct rsp_slo_case seen = {(pid_t)event->tgid, (pid_t)event->tid, event->start_ns,
					    event->end_ns};

		if (slo->number != event->rule || slo->since_ns != event->since_ns)
			continue;
		slo->last = seen;
		if (rsp_slo_case_ns(&seen) > rsp_slo_case_ns(&slo->worst))
			slo->worst = seen;
		if (slo->window)
			rsp_slo_window_see(slo->window, &seen);
	}
	return 0;
}

static int give_programs(const struct rsp_bpf *bpf)
{
	const struct bpf_program *entry = bpf->progs.on_function_entry;
	const struct rsp_helper_programs programs = {
		.entry = bpf_program__fd(entry),
		.return_ = bpf_program__fd(bpf->progs.on_function_return),
		.multi = bpf_program__expected_attach_type(entry) == RSP_UPROBE_MULTI,
	};

	return has_program(entry) ? rsp_helper_set_programs(RSP_HELPER_FUNCTIONS, &programs) : 0;
}

static bool measures_limits(const struct rsp_bpf *bpf)
{
	return bpf->rodata->rsp_parts & RSP_PART_LIMITS;
}

static int query_root_level(struct rsp_slos *s)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	if (!measures_limits(s->bpf))
		return 0;
	if (bpf_prog_test_run_opts(bpf_program__fd(s->bpf->progs.slo_root_level), &opts) < 0)
		return -errno;
	s->root_level = (int)opts.retval;
	return 0;
}

/* --- start and end ---------------------------------------------------------------------------- */

int rsp_slos_new(struct rsp_bpf *bpf, rsp_slo_breach_fn on_breach, void *userdata,
		 struct rsp_slos **ret)
{
	struct rsp_slos *s = calloc(1, sizeof(*s));
	int r = -ENOMEM;

	if (!s)
		return r;
	s->bpf = bpf;
	s->on_breach = on_breach;
	s->userdata = userdata;
	s->cpu_cnt = libbpf_num_possible_cpus();
	if (s->cpu_cnt > 0)
		s->per_cpu = calloc((size_t)s->cpu_cnt, sizeof(*s->per_cpu));
	if (s->per_cpu) {
		s->ring = ring_buffer__new(bpf_map__fd(bpf->maps.rsp_slo_events), on_event, s,
					   NULL);
		r = s->ring ? query_root_level(s) : -errno;
		if (r == 0)
			r = give_programs(bpf);
	}
	if (r < 0) {
		rsp_slos_free(s);
		return r;
	}
	*ret = s;
	return 0;
}

static struct slo *slo_free(struct slo *slo)
{
	if (!slo)
		return NULL;
	sd_bus_slot_unref(slo->question);
	rsp_psi_done(&slo->psi);
	rsp_slo_function_free(slo->function);
	free(slo->window);
	free(slo);
	return NULL;
}

struct rsp_slos *rsp_slos_free(struct rsp_slos *s)
{
	if (!s)
		return NULL;
	for (size_t i = 0; i < s->cnt; i++) {
		set_active(s, s->v[i], false);
		slo_free(s->v[i]);
	}
	ring_buffer__free(s->ring);
	free(s->per_cpu);
	free(s);
	return NULL;
}

/* --- units, cgroups and processes ------------------------------------------------------------- */

void rsp_slos_set_bus(struct rsp_slos *s, const struct rsp_bus_connection *bus)
{
	s->bus = bus;
}

static bool is_there(const char *path)
{
	_cleanup_close_ int fd = -1;
	unsigned int level;
	__u64 id;

	fd = path[0] ? rsp_cgroups_open(path, &id, &level) : -1;
	return fd >= 0;
}

static void on_unit(int error, const char *cgroup, void *userdata)
{
	struct slo *slo = userdata;

	slo->question = sd_bus_slot_unref(slo->question);
	if (error == 0 && strlen(cgroup) < sizeof(slo->cgroup))
		strcpy(slo->cgroup, cgroup);
}

/* The next check uses the answer. Drops an earlier request, whose bus connection may be gone. */
static void query_systemd(struct rsp_slos *s, struct slo *slo)
{
	__u64 now_ns = rsp_now_ns();

	if (slo->asked_ns && now_ns - slo->asked_ns < ASK_NS)
		return;
	slo->asked_ns = now_ns;
	slo->question = sd_bus_slot_unref(slo->question);
	(void)rsp_unit_query(s->bus, slo->config->unit, on_unit, slo, &slo->question);
}

/* Returns false if the cgroup is not known yet or does not exist. */
static bool find_unit(struct rsp_slos *s, struct slo *slo)
{
	if (is_there(slo->cgroup))
		return true;
	if (rsp_cgroups_place_unit(slo->config->unit, slo->cgroup, sizeof(slo->cgroup)) == 0 &&
	    is_there(slo->cgroup))
		return true;
	slo->cgroup[0] = '\0';
	query_systemd(s, slo);
	return false;
}

static bool lies_in(const char *path, const char *ancestor)
{
	size_t len = strlen(ancestor);

	while (len && ancestor[len - 1] == '/')
		len--;
	return strncmp(path, ancestor, len) == 0 && (path[len] == '/' || !path[len]);
}

struct group {
	int fd; /* the cgroup's directory; -1: tasks of all cgroups */
	__u64 id;
	unsigned int level;
};

static bool open_group(struct rsp_slos *s, struct slo *slo, struct group *ret)
{
	const struct rsp_slo_config *config = slo->config;

	*ret = (struct group){.fd = -1};
	if (!config->unit[0] && !config->cgroup[0])
		return true;
	if (config->unit[0] &&
	    (!find_unit(s, slo) || (config->cgroup[0] && !lies_in(slo->cgroup, config->cgroup))))
		return false;
	ret->fd = rsp_cgroups_open(config->unit[0] ? slo->cgroup : config->cgroup, &ret->id,
				   &ret->level);
	return ret->fd >= 0;
}

static bool has_process(pid_t pid)
{
	return !pid || kill(pid, 0) == 0 || errno == EPERM;
}

/*
 * Returns "" if the SLO can be measured. Otherwise returns the reason why not, although its
 * processes exist.
 */
static const char *find_obstacle(struct rsp_slos *s, struct slo *slo, const struct group *group)
{
	const char *why;

	if (slo->config->measure != RSP_SLO_PSI && !measures_limits(s->bpf))
		return "this kernel rejects the programs that measure it: see 'rspctl doctor'";
	switch (slo->config->measure) {
	case RSP_SLO_REQUEST:
		return sees_requests(s->bpf) ? "" : "this kernel does not show what TCP receives";
	case RSP_SLO_DISK:
		return sees_disks(s->bpf) ? "" : "this kernel does not show disk requests";
	case RSP_SLO_FUNCTION:
		if (!has_program(s->bpf->progs.on_function_entry))
			return "this kernel rejects the programs for functions: see 'rspctl doctor'";
		why = rsp_slo_function_look(slo->function);
		return why ? why : "";
	case RSP_SLO_PSI:
		if (slo->psi.fd < 0 &&
		    rsp_psi_open(&slo->psi, group->fd, slo->config->resource) < 0)
			return "this kernel does not report pressure: it needs CONFIG_PSI and psi=1";
		return "";
	default:
		return "";
	}
}

static void rest(struct rsp_slos *s, struct slo *slo)
{
	set_active(s, slo, false);
	rsp_psi_done(&slo->psi);
	slo->measured = false;
	slo->why[0] = '\0';
}

static void follow_group(struct rsp_slos *s, struct slo *slo, const struct group *group)
{
	struct rsp_slo_rule *rule = &s->bpf->bss->rsp_slo_rules[slo->number];

	if (rule->cgroup_id == group->id)
		return;
	rest(s, slo);
	rule->cgroup_level = (__u16)(group->level + (unsigned int)s->root_level);
	__atomic_store_n(&rule->cgroup_id, group->id, __ATOMIC_SEQ_CST);
}

static void look(struct rsp_slos *s, struct slo *slo)
{
	struct group group;

	if (!open_group(s, slo, &group)) {
		rest(s, slo);
		return;
	}
	if (has_process(slo->config->pid)) {
		follow_group(s, slo, &group);
		snprintf(slo->why, sizeof(slo->why), "%s", find_obstacle(s, slo, &group));
		slo->measured = !slo->why[0];
		set_active(s, slo, slo->measured);
	} else {
		rest(s, slo);
	}
	if (group.fd >= 0)
		close(group.fd);
}

/* --- configuration ---------------------------------------------------------------------------- */

static struct slo *slo_new(const struct rsp_slo_config *config, __u32 number, __u64 now_ns)
{
	struct slo *slo = calloc(1, sizeof(*slo));

	if (!slo)
		return NULL;
	slo->config = config;
	slo->number = number;
	slo->since_ns = now_ns;
	rsp_psi_init(&slo->psi, config->full, config->over_ns);
	if (config->measure == RSP_SLO_FUNCTION) {
		slo->function = rsp_slo_function_new(config->function_file, config->function_name,
						     number);
		if (!slo->function)
			return slo_free(slo);
	}
	if (config->quantile_ppm) {
		slo->window = malloc(sizeof(*slo->window));
		if (!slo->window)
			return slo_free(slo);
		rsp_slo_window_init(slo->window, config->over_ns);
	}
	return slo;
}

static struct slo *find_same(const struct rsp_slos *s, const struct rsp_slo_config *config)
{
	for (size_t i = 0; i < s->cnt; i++)
		if (rsp_slo_same_rule(s->v[i]->config, config))
			return s->v[i];
	return NULL;
}

static bool is_in(struct slo *const *v, size_t cnt, const struct slo *slo)
{
	for (size_t i = 0; i < cnt; i++)
		if (v[i] == slo)
			return true;
	return false;
}

/* Returns 0; -ENOMEM, with all new SLOs freed. */
static int make_new(const struct rsp_slos *s, const struct rsp_slo_config *v, size_t cnt,
		    struct slo **slos)
{
	__u64 now_ns = rsp_now_ns();
	__u32 taken = 0, number = 0;

	for (size_t i = 0; i < cnt; i++) {
		slos[i] = find_same(s, &v[i]);
		if (slos[i])
			taken |= 1U << slos[i]->number;
	}
	for (size_t i = 0; i < cnt; i++) {
		if (slos[i])
			continue;
		while (taken & (1U << number))
			number++;
		slos[i] = slo_new(&v[i], number++, now_ns);
		if (slos[i])
			continue;
		for (size_t k = 0; k < i; k++)
			if (!is_in(s->v, s->cnt, slos[k]))
				slo_free(slos[k]);
		return -ENOMEM;
	}
	return 0;
}

int rsp_slos_configure(struct rsp_slos *s, const struct rsp_slo_config *v, size_t cnt)
{
	struct slo *slos[RSP_SLO_MAX] = {0};
	int r;

	if (cnt > RSP_SLO_MAX)
		return -E2BIG;
	r = make_new(s, v, cnt, slos);
	if (r < 0)
		return r;
	for (size_t i = 0; i < s->cnt; i++) {
		if (is_in(slos, cnt, s->v[i]))
			continue;
		set_active(s, s->v[i], false);
		slo_free(s->v[i]);
		s->v[i] = NULL;
	}
	for (size_t i = 0; i < cnt; i++) {
		if (!is_in(s->v, s->cnt, slos[i]))
			write_rule(s, slos[i]);
		slos[i]->config = &v[i];
	}
	memcpy(s->v, slos, sizeof(slos));
	s->cnt = cnt;
	s->next_look_ns = 0;
	return 0;
}

/* --- pauses ----------------------------------------------------------------------------------- */

void rsp_slos_halt(struct rsp_slos *s)
{
	for (size_t i = 0; i < s->cnt; i++) {
		struct slo *slo = s->v[i];

		rest(s, slo);
		slo->function = rsp_slo_function_free(slo->function);
		slo->question = sd_bus_slot_unref(slo->question);
		snprintf(slo->why, sizeof(slo->why), "recording is paused");
	}
}

int rsp_slos_restart(struct rsp_slos *s)
{
	const struct rsp_slo_config *configs = s->cnt ? s->v[0]->config : NULL;
	size_t cnt = s->cnt;

	(void)ring_buffer__consume(s->ring); /* drop latencies from before the pause */
	for (size_t i = 0; i < cnt; i++)
		s->v[i] = slo_free(s->v[i]);
	s->cnt = 0;
	return rsp_slos_configure(s, configs, cnt);
}

/* --- breaches --------------------------------------------------------------------------------- */

static void report_breach(struct rsp_slos *s, struct slo *slo, __u64 now_ns,
			  struct rsp_slo_breach *breach)
{
	breach->slo = slo->config;
	slo->breach_cnt++;
	slo->last_breach_ns = now_ns;
	slo->cooldown_until_ns = now_ns + slo->config->cooldown_ns;
	s->on_breach(breach, s->userdata);
}

/*
 * Reports a breach that lasts for a while only after the cooldown. A breach that begins during the
 * cooldown counts as suppressed.
 */
static bool must_report(struct slo *slo, __u64 now_ns, bool breached)
{
	bool began = breached && !slo->was_breached;

	slo->was_breached = breached;
	if (breached && now_ns >= slo->cooldown_until_ns)
		return true;
	if (began)
		slo->suppressed_cnt++;
	return false;
}

static void judge_each(struct rsp_slos *s, struct slo *slo, __u64 now_ns)
{
	const struct rsp_slo_case *worst = &slo->worst;
	struct rsp_slo_breach breach = {
		.tgid = worst->tgid,
		.tid = worst->tid,
		.start_ns = worst->start_ns,
		.end_ns = worst->end_ns,
		.value_ns = rsp_slo_case_ns(worst),
	};

	if (!worst->end_ns || now_ns < slo->cooldown_until_ns)
		return;
	slo->reported_cnt++;
	report_breach(s, slo, now_ns, &breach);
}

static void judge_quantile(struct rsp_slos *s, struct slo *slo, __u64 now_ns)
{
	const struct rsp_slo_config *config = slo->config;
	struct rsp_slo_breach breach;
	struct rsp_slo_verdict verdict;
	const struct rsp_slo_case *worst;

	rsp_slo_window_judge(slo->window, now_ns, config->quantile_ppm, config->threshold_ns,
			     &verdict);
	/*
	 * The BPF programs report a latency before they count it, so the worst latency may have
	 * left the window although its count has not.
	 */
	worst = verdict.worst.end_ns ? &verdict.worst : &slo->last;
	if (!must_report(slo, now_ns, verdict.breached && worst->end_ns))
		return;
	breach = (struct rsp_slo_breach){
		.tgid = worst->tgid,
		.tid = worst->tid,
		.start_ns = worst->start_ns,
		.end_ns = worst->end_ns,
		.value_ns = verdict.least_ns,
		.cnt = verdict.cnt,
		.over_cnt = verdict.over_cnt,
	};
	report_breach(s, slo, now_ns, &breach);
}

static void judge_stall(struct rsp_slos *s, struct slo *slo, __u64 now_ns)
{
	struct rsp_slo_breach breach = {.end_ns = now_ns};

	if (slo->measured &&
	    rsp_psi_read(&slo->psi, now_ns, &breach.value_ns, &breach.start_ns) < 0)
		slo->measured = false; /* until the next check */
	if (!slo->measured)
		breach.value_ns = 0;
	if (must_report(slo, now_ns, breach.value_ns > slo->config->threshold_ns))
		report_breach(s, slo, now_ns, &breach);
}

static void fill_window(struct rsp_slos *s, struct slo *slo, __u64 now_ns)
{
	struct rsp_slo_counts now, more = {0};

	read_counts(s, slo, &now);
	more.over_cnt = now.over_cnt - slo->counted.over_cnt;
	for (size_t i = 0; i < RSP_SLO_BUCKET_CNT; i++)
		more.buckets[i] = now.buckets[i] - slo->counted.buckets[i];
	rsp_slo_window_add(slo->window, now_ns, &more);
	slo->counted = now;
}

void rsp_slos_poll(struct rsp_slos *s, __u64 now_ns)
{
	bool look_now = now_ns >= s->next_look_ns;

	/*
	 * Reads the counts before the ring. The BPF programs report a latency before they count it,
	 * so the ring then contains the report of each counted latency.
	 */
	for (size_t i = 0; i < s->cnt; i++)
		if (s->v[i]->window)
			fill_window(s, s->v[i], now_ns);
	(void)ring_buffer__consume(s->ring);
	for (size_t i = 0; i < s->cnt; i++) {
		struct slo *slo = s->v[i];

		if (look_now)
			look(s, slo);
		if (slo->config->measure == RSP_SLO_PSI)
			judge_stall(s, slo, now_ns);
		else if (slo->window)
			judge_quantile(s, slo, now_ns);
		else
			judge_each(s, slo, now_ns);
		slo->worst = (struct rsp_slo_case){0};
	}
	if (look_now)
		s->next_look_ns = now_ns + LOOK_NS;
}

int rsp_slos_trigger(struct rsp_slos *s, const char *name, __u64 now_ns)
{
	for (size_t i = 0; i < s->cnt; i++) {
		const struct rsp_slo_config *config = s->v[i]->config;
		struct rsp_slo_breach breach = {
			.tgid = config->pid,
			.tid = config->pid,
			.start_ns = now_ns > config->before_ns ? now_ns - config->before_ns : 0,
			.end_ns = now_ns,
		};

		if (strcmp(config->name, name) != 0)
			continue;
		report_breach(s, s->v[i], now_ns, &breach);
		return 0;
	}
	return -ENOENT;
}

/* --- states ----------------------------------------------------------------------------------- */

static void get_state(struct rsp_slos *s, const struct slo *slo, struct rsp_slo_state *ret)
{
	struct rsp_slo_counts counts;

	read_counts(s, slo, &counts);
	*ret = (struct rsp_slo_state){
		.config = slo->config,
		.measured = slo->measured,
		.over_cnt = counts.over_cnt,
		.unmeasured_cnt = counts.unmeasured_cnt,
		.lost_cnt = counts.lost_cnt,
		.sum_ns = counts.sum_ns,
		.max_ns = counts.max_ns,
		.breach_cnt = slo->breach_cnt,
		.suppressed_cnt = slo->suppressed_cnt,
		.last_breach_ns = slo->last_breach_ns,
		.cooldown_until_ns = slo->cooldown_until_ns,
	};
	memcpy(ret->why, slo->why, sizeof(ret->why));
	memcpy(ret->buckets, counts.buckets, sizeof(ret->buckets));
	for (size_t i = 0; i < RSP_SLO_BUCKET_CNT; i++)
		ret->cnt += counts.buckets[i];
	/*
	 * Without a quantile, each latency above the threshold is a breach, either reported or
	 * suppressed.
	 */
	if (!slo->window && counts.over_cnt > slo->reported_cnt)
		ret->suppressed_cnt = counts.over_cnt - slo->reported_cnt;
}

size_t rsp_slos_get(struct rsp_slos *s, struct rsp_slo_state *ret)
{
	for (size_t i = 0; i < s->cnt; i++)
		get_state(s, s->v[i], &ret[i]);
	return s->cnt;
}
