/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See ladder.h. */
#include "daemon/capture/ladder.h"

#include <assert.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <cpuid.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/base/helper.h"
#include "lib/base/cleanup.h"
#include "rsp/event.h"
#include "rsp/parts.h"
#include "rsp/slo.h"
#include "rsp/unwind.h"
#include "rsp/watch.h"
#include "rsp.skel.h"

static struct rsp_ability *find(struct rsp_ladder *ladder, const char *name)
{
	for (size_t i = 0; i < ladder->cnt; i++)
		if (strcmp(ladder->v[i].name, name) == 0)
			return &ladder->v[i];
	return NULL;
}

void rsp_ladder_add(struct rsp_ladder *ladder, const char *name, const char *chosen,
		    const char *why, bool ok)
{
	if (find(ladder, name))
		return;
	assert(ladder->cnt < RSP_ABILITY_MAX);
	ladder->v[ladder->cnt++] = (struct rsp_ability){
		.name = name, .chosen = chosen, .why = why, .ok = ok};
}

void rsp_ladder_reject(struct rsp_ladder *ladder, enum rsp_feature_index feature,
		       const struct rsp_reason *reason)
{
	const struct rsp_feature *rejected = &rsp_features[feature];
	struct rsp_ability *ability = find(ladder, rejected->name);

	ladder->rejected[feature] = *reason;
	if (ability)
		*ability = (struct rsp_ability){rejected->name, "none",
						ladder->rejected[feature].text, false};
}

/* --- probes ---------------------------------------------------------------------------------- */

/*
 * The kernel has a type "btf_trace_NAME" for each tracepoint to which tp_btf programs can attach.
 */
static bool has_tracepoint(const struct btf *btf, const char *name)
{
	char type[128];

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	return btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF) > 0;
}

#define CPUID_HYPERVISOR (1U << 31) /* in ecx of leaf 1 */

static bool has_member(const struct btf *btf, const char *name, const char *member)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_STRUCT);
	const struct btf_type *t = id > 0 ? btf__type_by_id(btf, (__u32)id) : NULL;

	for (__u32 i = 0; t && i < btf_vlen(t); i++)
		if (!strcmp(btf__name_by_offset(btf, btf_members(t)[i].name_off), member))
			return true;
	return false;
}

/*
 * Returns the number of a tracepoint's arguments, without the first one, which is internal to the
 * kernel.
 */
static __u32 tracepoint_arg_cnt(const struct btf *btf, const char *name)
{
	const struct btf_type *t;
	char type[128];
	int id;

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	id = btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF);
	t = id > 0 ? btf__type_by_id(btf, btf__type_by_id(btf, (__u32)id)->type) : NULL;
	if (t && btf_is_ptr(t))
		t = btf__type_by_id(btf, t->type);
	return t && btf_is_func_proto(t) && btf_vlen(t) ? btf_vlen(t) - 1U : 0;
}

/*
 * Attaches an empty program to find out: hardened kernels load an fentry program but refuse to
 * attach it.
 */
static bool can_fentry(const struct btf *btf, const char *function)
{
	static const struct bpf_insn return_0[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY);
	_cleanup_close_ int prog_fd = -1, link_fd = -1;
	int id = btf__find_by_name_kind(btf, function, BTF_KIND_FUNC);

	if (id < 0)
		return false;
	opts.attach_btf_id = (__u32)id;
	prog_fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, "rsp_probe", "GPL", return_0, 2, &opts);
	if (prog_fd < 0)
		return false;
	link_fd = bpf_raw_tracepoint_open(NULL, prog_fd);
	return link_fd >= 0;
}

static bool can_kprobe(const char *function)
{
	struct perf_event_attr attr = {.size = sizeof(attr)};
	_cleanup_close_ int fd = -1;
	unsigned int type = 0;
	FILE *f = fopen("/sys/bus/event_source/devices/kprobe/type", "re");

	if (!f)
		return false;
	if (fscanf(f, "%u", &type) != 1)
		type = 0;
	fclose(f);
	attr.type = type;
	attr.kprobe_func = (__u64)(unsigned long)function;
	fd = type ? (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC) : -1;
	return fd >= 0;
}

/* --- a choice --------------------------------------------------------------------------------- */

struct choice {
	struct rsp_ladder *ladder;
	struct rsp_bpf *bpf;
	const struct btf *btf;
	enum rsp_net_step net;
	bool never_pauses;
	const struct rsp_feature *feature;
};

static void add(const struct choice *c, const char *chosen, const char *why, bool ok)
{
	rsp_ladder_add(c->ladder, c->feature->name, chosen, why, ok);
}

/* --- tcp and udp ------------------------------------------------------------------------------ */

struct rung {
	enum rsp_net_step step;
	struct bpf_program *prog[2];
	const char *target[2]; /* attach point of each prog; target[1] may be NULL */
};

/* Maximum number of rungs: the ways to record one ability, cheapest first. */
#define RUNG_MAX 3

static bool can_climb(const struct btf *btf, const struct rung *rung)
{
	for (size_t i = 0; i < 2 && rung->target[i]; i++) {
		const char *target = rung->target[i];

		if (rung->step == RSP_NET_TRACEPOINT && !has_tracepoint(btf, target))
			return false;
		if (rung->step == RSP_NET_FENTRY && !can_fentry(btf, target))
			return false;
		if (rung->step == RSP_NET_KPROBE && !can_kprobe(target))
			return false;
	}
	return true;
}

static void choose_rung(const struct choice *c, const struct rung rungs[RUNG_MAX])
{
	static const char *const names[] = {
		[RSP_NET_TRACEPOINT] = "tracepoint",
		[RSP_NET_FENTRY] = "fentry",
		[RSP_NET_KPROBE] = "kprobe",
	};
	bool any = c->net == RSP_NET_AUTO;

	for (size_t i = 0; i < RUNG_MAX; i++) {
		const struct rung *rung = &rungs[i];

		if ((!any && c->net != rung->step) || !can_climb(c->btf, rung))
			continue;
		for (size_t k = 0; k < 2 && rung->prog[k]; k++)
			bpf_program__set_autoload(rung->prog[k], true);
		add(c, names[rung->step], any ? "the cheapest of this kernel" : "requested", true);
		return;
	}
	add(c, "none",
	    any ? "no tracepoint, fentry or kprobe can be attached"
		: "the kernel lacks the requested one",
	    false);
}

static void choose_tcp_send(const struct choice *c)
{
	const struct rung rungs[RUNG_MAX] = {
		{RSP_NET_TRACEPOINT, {c->bpf->progs.on_tcp_send_tp}, {"tcp_sendmsg_locked"}},
		{RSP_NET_FENTRY, {c->bpf->progs.on_tcp_send_fe}, {"tcp_sendmsg"}},
		{RSP_NET_KPROBE, {c->bpf->progs.on_tcp_send_kp}, {"tcp_sendmsg"}},
	};

	choose_rung(c, rungs);
}

/* Prefers fentry: a program at the tracepoint net_dev_queue would run for every outgoing packet. */
static void choose_udp_send(const struct choice *c)
{
	const struct rung rungs[RUNG_MAX] = {
		{RSP_NET_FENTRY,
		 {c->bpf->progs.on_udp_send_fe, c->bpf->progs.on_udp6_send_fe},
		 {"udp_sendmsg", "udpv6_sendmsg"}},
		{RSP_NET_TRACEPOINT, {c->bpf->progs.on_udp_send_tp}, {"net_dev_queue"}},
		{RSP_NET_KPROBE,
		 {c->bpf->progs.on_udp_send_kp, c->bpf->progs.on_udp6_send_kp},
		 {"udp_sendmsg", "udpv6_sendmsg"}},
	};

	choose_rung(c, rungs);
}

static void choose_net_receive(const struct choice *c)
{
	const struct rung rungs[RUNG_MAX] = {
		{RSP_NET_TRACEPOINT, {c->bpf->progs.on_data_ready_tp}, {"sk_data_ready"}},
		{RSP_NET_FENTRY, {c->bpf->progs.on_data_ready_fe}, {"sock_def_readable"}},
		{RSP_NET_KPROBE, {c->bpf->progs.on_data_ready_kp}, {"sock_def_readable"}},
	};

	bpf_program__set_autoload(c->bpf->progs.on_packet,
				  has_tracepoint(c->btf, "netif_receive_skb"));
	choose_rung(c, rungs);
}

/*
 * The kernel has no tracepoint for closing a unix socket. If no program can be attached, lib/model
 * infers some of these events.
 */
static void choose_unix_close(const struct choice *c)
{
	bool has_fentry = c->net != RSP_NET_KPROBE && can_fentry(c->btf, "unix_release");
	bool has_kprobe = c->net != RSP_NET_FENTRY && !has_fentry && can_kprobe("unix_release");

	bpf_program__set_autoload(c->bpf->progs.on_unix_close_fe, has_fentry);
	bpf_program__set_autoload(c->bpf->progs.on_unix_close_kp, has_kprobe);
	if (has_fentry || has_kprobe)
		add(c, has_fentry ? "fentry" : "kprobe", "the cheapest of this kernel", true);
	else
		add(c, "inferred",
		    "the end of a connection is noticed when its socket is used again", true);
}

/* --- the rest --------------------------------------------------------------------------------- */

#define TP_BTF "tp_btf/"

/* Returns NULL if the program does not attach to a tracepoint. */
static const char *tracepoint_of(const struct bpf_program *prog)
{
	const char *section = bpf_program__section_name(prog);

	return strncmp(section, TP_BTF, sizeof(TP_BTF) - 1) == 0 ? section + sizeof(TP_BTF) - 1
								 : NULL;
}

static struct bpf_program *program_of(const struct choice *c, size_t i)
{
	struct bpf_program *prog = bpf_object__find_program_by_name(c->bpf->obj,
								    c->feature->programs[i]);

	assert(prog);
	return prog;
}

static bool has_all_tracepoints(const struct choice *c)
{
	for (size_t i = 0; c->feature->programs[i]; i++) {
		const char *tracepoint = tracepoint_of(program_of(c, i));

		if (tracepoint && !has_tracepoint(c->btf, tracepoint))
			return false;
	}
	return true;
}

static void load_none(const struct choice *c)
{
	for (size_t i = 0; c->feature->programs[i]; i++)
		bpf_program__set_autoload(program_of(c, i), false);
}

static void choose_programs(const struct choice *c)
{
	if (has_all_tracepoints(c)) {
		add(c, "tp_btf", "the kernel has its tracepoints", true);
		return;
	}
	load_none(c);
	add(c, "none", "the kernel lacks its tracepoints", false);
}

/* Only loading the iterator shows whether the kernel supports it. */
static void choose_census(const struct choice *c)
{
	add(c, "iterator", "the kernel lists its tasks", true);
}

static void choose_slices(const struct choice *c)
{
	add(c, "iterator", "the kernel lists its tasks: recording may pause", true);
}

static void choose_watch(const struct choice *c)
{
	add(c, "iterator", "the kernel lists the CPU times of its tasks", true);
}

static void choose_mappings(const struct choice *c)
{
	add(c, "iterator", "the kernel lists what is mapped", true);
}

/* The ability also depends on perf_event_open(), so sampler.c adds it. */
static void choose_samples(const struct choice *c)
{
}

/*
 * Each interrupt vector has its own pair of tracepoints, and a kernel may have only some of these.
 */
static void choose_cpu_vectors(const struct choice *c)
{
	bool all = true;

	for (size_t i = 0; c->feature->programs[i]; i++) {
		struct bpf_program *prog = program_of(c, i);
		const char *tracepoint = tracepoint_of(prog);
		bool has = tracepoint && has_tracepoint(c->btf, tracepoint);

		bpf_program__set_autoload(prog, has);
		all = all && has;
	}
	add(c, all ? "tp_btf" : "partly",
	    all ? "all tracepoints are there"
		: "wakeups from some interrupts are attributed to the interrupted thread",
	    all);
}

/*
 * Returns whether the kernel has BPF links of the type uprobe_multi. If so, sets up the feature's
 * programs for such links. They need only the right to trace; through perf events, each probe needs
 * CAP_SYS_ADMIN. Linux 6.6 introduced these links together with the BTF type bpf_uprobe_multi_link.
 */
static bool choose_uprobes(const struct choice *c)
{
	bool has = btf__find_by_name_kind(c->btf, "bpf_uprobe_multi_link", BTF_KIND_STRUCT) > 0;

	for (size_t i = 0; has && c->feature->programs[i]; i++)
		bpf_program__set_expected_attach_type(program_of(c, i), RSP_UPROBE_MULTI);
	return has;
}

static void choose_malloc(const struct choice *c)
{
	bool has = choose_uprobes(c);

	for (size_t i = 0; c->feature->programs[i]; i++)
		bpf_program__set_autoload(program_of(c, i), has);
	add(c, has ? "uprobe-multi" : "no",
	    has ? "the kernel has it" : "kernels before 6.6 need CAP_SYS_ADMIN for each probe",
	    has);
}

static void choose_functions(const struct choice *c)
{
	bool has = choose_uprobes(c);

	add(c, has ? "uprobe-multi" : "uprobe",
	    has ? "the kernel has it" : "limits on functions need CAP_SYS_ADMIN", true);
}

/* Returns false if no program that contains the part is loaded. */
static bool load_part(const struct choice *c)
{
	for (size_t i = 0; c->feature->programs[i]; i++)
		if (bpf_program__autoload(program_of(c, i))) {
			c->bpf->rodata->rsp_parts |= c->feature->part;
			return true;
		}
	return false;
}

static void choose_part(const struct choice *c)
{
	bool loaded = load_part(c);

	add(c, loaded ? "BTF" : "none",
	    loaded ? "the kernel has the fields that are read"
		   : "the programs that would record it are not loaded",
	    loaded);
}

static bool has_hypervisor(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && ecx & CPUID_HYPERVISOR;
}

/* Without a hypervisor, measuring would cost time at each switch and find nothing. */
static void choose_stolen(const struct choice *c)
{
	if (!has_hypervisor())
		add(c, "none", "no hypervisor takes time from this machine", true);
	else if (has_member(c->btf, "rq", "prev_steal_time_rq"))
		choose_part(c);
	else if (has_member(c->btf, "rq", "prev_steal_time") && load_part(c))
		add(c, "by tick", "the kernel asks the hypervisor only at ticks", true);
	else
		add(c, "none", "the kernel does not know what the hypervisor takes", false);
}

/* RSP_PART_TASKS is the code in on_switch that makes some of this feature's records. */
static void choose_tasks(const struct choice *c)
{
	choose_programs(c);
	c->bpf->rodata->rsp_parts |= RSP_PART_TASKS;
}

/* The ability also depends on access to binaries, so binaries.c adds it. */
static void choose_stacks(const struct choice *c)
{
	load_part(c);
}

static void (*const choose[RSP_FEATURE_CNT])(const struct choice *c) = {
	[RSP_FEATURE_STACKS] = choose_stacks,
	[RSP_FEATURE_STOLEN] = choose_stolen,
	[RSP_FEATURE_TASKS] = choose_tasks,
	[RSP_FEATURE_CENSUS] = choose_census,
	[RSP_FEATURE_SLICES] = choose_slices,
	[RSP_FEATURE_MAPPINGS] = choose_mappings,
	[RSP_FEATURE_CPU_INTERRUPTS] = choose_cpu_vectors,
	[RSP_FEATURE_TCP_SEND] = choose_tcp_send,
	[RSP_FEATURE_UDP_SEND] = choose_udp_send,
	[RSP_FEATURE_NET_RECEIVE] = choose_net_receive,
	[RSP_FEATURE_UNIX_CLOSE] = choose_unix_close,
	[RSP_FEATURE_WATCH] = choose_watch,
	[RSP_FEATURE_SAMPLES] = choose_samples,
	[RSP_FEATURE_MALLOC] = choose_malloc,
	[RSP_FEATURE_FUNCTIONS] = choose_functions,
};

static void choose_feature(const struct choice *c, size_t feature)
{
	if (choose[feature])
		choose[feature](c);
	else if (c->feature->part)
		choose_part(c);
	else
		choose_programs(c);
}

static bool is_for_pauses(size_t feature)
{
	return feature == RSP_FEATURE_SLICES || feature == RSP_FEATURE_LONG_WAITS;
}

void rsp_ladder_choose(struct rsp_ladder *ladder, struct rsp_bpf *bpf, const struct btf *btf,
		       enum rsp_net_step net, bool never_pauses)
{
	struct choice c = {
		.ladder = ladder, .bpf = bpf, .btf = btf, .net = net, .never_pauses = never_pauses};

	ladder->cnt = 0;
	bpf->rodata->rsp_parts = 0;
	bpf->rodata->rsp_reads_in_place = btf__find_by_name_kind(btf, "bpf_rdonly_cast",
								 BTF_KIND_FUNC) > 0;
	bpf->rodata->rsp_forbids_preemption = btf__find_by_name_kind(btf, "bpf_preempt_disable",
								     BTF_KIND_FUNC) > 0;
	bpf->rodata->rsp_forbids_interrupts = btf__find_by_name_kind(btf, "bpf_local_irq_save",
								     BTF_KIND_FUNC) > 0;
	bpf->rodata->rsp_has_prev_state = tracepoint_arg_cnt(btf, "sched_switch") > 3;
	for (size_t i = 0; i < RSP_FEATURE_CNT; i++) {
		c.feature = &rsp_features[i];
		if (c.never_pauses && is_for_pauses(i)) {
			load_none(&c);
			continue;
		}
		if (!rsp_ladder_rejects(ladder, i)) {
			choose_feature(&c, i);
			continue;
		}
		if (!c.feature->part)
			load_none(&c);
		add(&c, "none", ladder->rejected[i].text, false);
	}
}
