/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See ladder.h. */
#include "ladder.h"

#include <assert.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "rsp/event.h"
#include "rsp/unwind.h"
#include "rsp/slo.h"
#include "rsp.skel.h"
#include "daemon/slo/slo-function.h"

void rsp_ladder_add(struct rsp_ladder *ladder, const char *name, const char *chosen,
		    const char *why, bool ok)
{
	assert(ladder->cnt < RSP_ABILITY_MAX);
	ladder->v[ladder->cnt++] = (struct rsp_ability){
		.name = name, .chosen = chosen, .why = why, .ok = ok};
}

/* --- probes ---------------------------------------------------------------------------------- */

/* The types of a tracepoint's arguments are what tp_btf programs attach by. */
static bool has_tracepoint(const struct btf *btf, const char *name)
{
	char type[128];

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	return btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF) > 0;
}

/* Hardened kernels load an fentry program and refuse to attach it: so attach an empty one. */
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

/* --- tcp and udp ------------------------------------------------------------------------------ */

struct rung {
	enum rsp_net_step step;
	struct bpf_program *prog[2];
	const char *target[2]; /* of the program beside it; the second may be NULL */
};

#define RUNG_MAX 3

struct net_ability {
	const char *name;
	struct rung rungs[RUNG_MAX]; /* cheapest first */
};

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

static void choose_rung(struct rsp_ladder *ladder, const struct btf *btf,
			const struct net_ability *ability, enum rsp_net_step wanted)
{
	static const char *const names[] = {
		[RSP_NET_TRACEPOINT] = "tracepoint",
		[RSP_NET_FENTRY] = "fentry",
		[RSP_NET_KPROBE] = "kprobe",
	};

	for (size_t i = 0; i < RUNG_MAX; i++) {
		const struct rung *rung = &ability->rungs[i];

		if ((wanted != RSP_NET_AUTO && wanted != rung->step) || !can_climb(btf, rung))
			continue;
		for (size_t k = 0; k < 2 && rung->prog[k]; k++)
			bpf_program__set_autoload(rung->prog[k], true);
		rsp_ladder_add(ladder, ability->name, names[rung->step],
			       wanted == RSP_NET_AUTO ? "cheapest this kernel has" : "asked for",
			       true);
		return;
	}
	rsp_ladder_add(ladder, ability->name, "none",
		       wanted == RSP_NET_AUTO ? "no tracepoint, fentry or kprobe can be attached"
					      : "the kernel does not have what was asked for",
		       false);
}

static void choose_net(struct rsp_ladder *ladder, struct rsp_bpf *bpf, const struct btf *btf,
		       enum rsp_net_step wanted)
{
	/* net_dev_queue sees every packet that leaves, so for udp fentry is cheaper. */
	const struct net_ability abilities[] = {
		{"tcp-send",
		 {{RSP_NET_TRACEPOINT, {bpf->progs.on_tcp_send_tp}, {"tcp_sendmsg_locked"}},
		  {RSP_NET_FENTRY, {bpf->progs.on_tcp_send_fe}, {"tcp_sendmsg"}},
		  {RSP_NET_KPROBE, {bpf->progs.on_tcp_send_kp}, {"tcp_sendmsg"}}}},
		{"udp-send",
		 {{RSP_NET_FENTRY,
		   {bpf->progs.on_udp_send_fe, bpf->progs.on_udp6_send_fe},
		   {"udp_sendmsg", "udpv6_sendmsg"}},
		  {RSP_NET_TRACEPOINT, {bpf->progs.on_udp_send_tp}, {"net_dev_queue"}},
		  {RSP_NET_KPROBE,
		   {bpf->progs.on_udp_send_kp, bpf->progs.on_udp6_send_kp},
		   {"udp_sendmsg", "udpv6_sendmsg"}}}},
		{"net-receive",
		 {{RSP_NET_TRACEPOINT, {bpf->progs.on_data_ready_tp}, {"sk_data_ready"}},
		  {RSP_NET_FENTRY, {bpf->progs.on_data_ready_fe}, {"sock_def_readable"}},
		  {RSP_NET_KPROBE, {bpf->progs.on_data_ready_kp}, {"sock_def_readable"}}}},
	};

	for (size_t i = 0; i < sizeof(abilities) / sizeof(*abilities); i++)
		choose_rung(ladder, btf, &abilities[i], wanted);
}

/* --- the rest --------------------------------------------------------------------------------- */

static void choose_cpu_vectors(struct rsp_ladder *ladder, struct rsp_bpf *bpf,
			       const struct btf *btf)
{
	const struct {
		const char *tracepoint;
		struct bpf_program *prog;
	} vectors[] = {
		{"local_timer_entry", bpf->progs.on_local_timer_entry},
		{"local_timer_exit", bpf->progs.on_local_timer_exit},
		{"irq_work_entry", bpf->progs.on_irq_work_entry},
		{"irq_work_exit", bpf->progs.on_irq_work_exit},
		{"call_function_entry", bpf->progs.on_call_function_entry},
		{"call_function_exit", bpf->progs.on_call_function_exit},
		{"call_function_single_entry", bpf->progs.on_call_function_single_entry},
		{"call_function_single_exit", bpf->progs.on_call_function_single_exit},
	};
	bool all = true;

	for (size_t i = 0; i < sizeof(vectors) / sizeof(*vectors); i++) {
		bool has = has_tracepoint(btf, vectors[i].tracepoint);

		bpf_program__set_autoload(vectors[i].prog, has);
		all = all && has;
	}
	rsp_ladder_add(ladder, "cpu-interrupts", all ? "tp_btf" : "partly",
		       all ? "all tracepoints are there"
			   : "wakeups from some interrupts are taken for what they interrupt",
		       all);
}

static void choose_required(struct rsp_ladder *ladder, const struct btf *btf)
{
	static const struct {
		const char *ability, *tracepoint;
	} required[] = {
		{"sched", "sched_switch"},	     {"tasks", "sched_process_exec"},
		{"block", "block_rq_complete"},	     {"interrupts", "irq_handler_entry"},
		{"timers", "hrtimer_expire_entry"},  {"tcp-state", "inet_sock_set_state"},
		{"work", "workqueue_execute_start"},
	};

	for (size_t i = 0; i < sizeof(required) / sizeof(*required); i++) {
		bool has = has_tracepoint(btf, required[i].tracepoint);

		rsp_ladder_add(ladder, required[i].ability, has ? "tp_btf" : "none",
			       has ? "the kernel has its tracepoints"
				   : "the kernel lacks its tracepoints",
			       has);
	}
}

/*
 * Links of BPF's own take any number of probes, and are for whoever may trace; through perf events
 * each takes CAP_SYS_ADMIN. What is asked for is the newest way (6.6), by the type that came with
 * it.
 */
static void choose_functions(struct rsp_ladder *ladder, struct rsp_bpf *bpf, const struct btf *btf)
{
	bool has = btf__find_by_name_kind(btf, "bpf_uprobe_multi_link", BTF_KIND_STRUCT) > 0;

	if (has) {
		bpf_program__set_expected_attach_type(bpf->progs.on_function_entry,
						      RSP_UPROBE_MULTI);
		bpf_program__set_expected_attach_type(bpf->progs.on_function_return,
						      RSP_UPROBE_MULTI);
	}
	rsp_ladder_add(ladder, "functions", has ? "uprobe-multi" : "uprobe",
		       has ? "the kernel has it" : "limits on functions take CAP_SYS_ADMIN", true);
}

int rsp_ladder_choose(struct rsp_ladder *ladder, struct rsp_bpf *bpf, const char *btf_path,
		      enum rsp_net_step net)
{
	struct btf *btf = btf__parse(btf_path, NULL);

	if (!btf)
		return -errno;
	choose_required(ladder, btf);
	choose_cpu_vectors(ladder, bpf, btf);
	choose_net(ladder, bpf, btf, net);
	choose_functions(ladder, bpf, btf);
	bpf->rodata->rsp_reads_in_place = btf__find_by_name_kind(btf, "bpf_rdonly_cast",
								 BTF_KIND_FUNC) > 0;
	btf__free(btf);
	return 0;
}
