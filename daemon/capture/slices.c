/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See slices.h. */
#include "daemon/capture/slices.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stddef.h>

#include "daemon/base/clock.h"
#include "daemon/capture/loader.h"
#include "daemon/capture/visit.h"
#include "lib/base/cleanup.h"
#include "rsp/event.h"
#include "rsp/slo.h"
#include "rsp/unwind.h"
#include "rsp/watch.h"
#include "rsp.skel.h"

/*
 * The programs of frequent events, in the order in which rspd attaches them; it detaches them in
 * reverse order. The program at the end of an interrupt precedes the program at its beginning, so
 * that no CPU seems to remain in an interrupt that has ended. The program of switches is last: when
 * it records, all other programs record, too.
 */
static const struct {
	const char *name;
	bool sees_requests; /* an SLO for requests needs this program during pauses */
} sliced[] = {
	{"on_softirq_exit", false},  {"on_softirq_entry", false}, {"on_hrtimer_exit", false},
	{"on_hrtimer_entry", false}, {"on_timer_exit", false},	  {"on_timer_entry", false},
	{"on_queue_work", false},    {"on_begin_work", false},	  {"on_packet", false},
	{"on_udp_send_tp", false},   {"on_data_ready_tp", true},  {"on_tcp_send_tp", true},
	{"on_wakeup_new", false},    {"on_waking", false},	  {"on_switch", false},
};

#define WATCHER "on_waking_paused"

#define SLICED_CNT (sizeof(sliced) / sizeof(sliced[0]))

_Static_assert(SLICED_CNT <= RSP_SLICED_MAX, "room for each");

/* The kinds of records that a pause leaves out. */
#define PAUSED_KINDS                                                                               \
	(1 << RSP_EV_SWITCH | 1 << RSP_EV_WAKING | 1 << RSP_EV_IRQ | 1 << RSP_EV_NET |             \
	 1 << RSP_EV_WORK | 1 << RSP_EV_MESSAGE)

/* Contains only the kinds on which reports depend, because a halt leaves out all kinds. */
#define HALTED_KINDS                                                                               \
	(PAUSED_KINDS | 1 << RSP_EV_TASK | 1 << RSP_EV_EXIT | 1 << RSP_EV_BLOCK |                  \
	 1 << RSP_EV_SAMPLE)

/*
 * Some kernels require CAP_BPF to attach programs, which rspd drops before its first pause. The
 * test attaches a program that is already attached: the kernel refuses this with EEXIST, or the
 * program reports the end of a timer twice, which does no harm.
 */
static bool may_attach(struct rsp_bpf *bpf)
{
	_cleanup_close_ int fd = bpf_raw_tracepoint_open(NULL,
							 bpf_program__fd(bpf->progs.on_timer_exit));

	return fd >= 0 || errno == EEXIST;
}

/* Call it when all programs are attached. */
static void find_abilities(struct rsp_slices *s)
{
	const struct rsp_bpf *bpf = s->bpf;

	s->is_able = bpf->links.on_pause && bpf->links.on_resume && bpf->links.on_timer_exit;
	s->can_watch = bpf->links.on_waking_paused;
	rsp_detach_program(s->bpf, WATCHER);
}

void rsp_slices_init(struct rsp_slices *s, struct rsp_bpf *bpf, bool halted, rsp_sink_fn sink,
		     void *userdata)
{
	*s = (struct rsp_slices){.bpf = bpf, .sink = sink, .userdata = userdata};
	s->wants_long_waits = true;
	s->is_paused = s->is_halted = halted;
	s->paused_ns = s->recorded_ns = rsp_now_ns();
	if (!halted)
		find_abilities(s);
}

/* --- the states of threads -------------------------------------------------------------------- */

static void visit_marks(struct rsp_slices *s, bool marking)
{
	if (!s->bpf->links.on_pause)
		return;
	__atomic_store_n(&s->bpf->bss->rsp_marking, marking, __ATOMIC_SEQ_CST);
	rsp_visit(s->bpf->links.on_pause, s->sink, s->userdata);
}

/* --- pauses ----------------------------------------------------------------------------------- */

static bool is_kept(const struct rsp_slices *s, size_t i)
{
	return sliced[i].sees_requests && s->bpf->bss->rsp_slo_active.request;
}

/* kprobe and fentry programs stay attached, since attaching them takes an RCU grace period. */
static bool is_sliceable(const struct rsp_slices *s, size_t i)
{
	struct bpf_program *prog = bpf_object__find_program_by_name(s->bpf->obj, sliced[i].name);

	return prog && bpf_program__fd(prog) >= 0 &&
	       bpf_program__expected_attach_type(prog) == BPF_TRACE_RAW_TP && !is_kept(s, i);
}

static void watch(struct rsp_slices *s)
{
	if (s->can_watch && s->wants_long_waits)
		s->can_watch = rsp_attach_program(s->bpf, WATCHER) == 0;
	else
		rsp_detach_program(s->bpf, WATCHER);
}

void rsp_slices_want_long_waits(struct rsp_slices *s, bool wants)
{
	if (s->wants_long_waits == wants)
		return;
	s->wants_long_waits = wants;
	if (s->is_paused)
		watch(s);
}

/*
 * While on_waking and on_waking_paused are both attached, one wakeup may make two records. A reader
 * uses only one of them.
 */
void rsp_slices_pause(struct rsp_slices *s)
{
	if (s->is_paused || !s->is_able)
		return;
	if (!s->is_tried)
		s->is_able = may_attach(s->bpf);
	s->is_tried = true;
	if (!s->is_able)
		return;
	s->detached_cnt = 0;
	for (size_t i = 0; i < SLICED_CNT; i++)
		if (is_sliceable(s, i))
			s->detached[s->detached_cnt++] = sliced[i].name;
	visit_marks(s, true);
	watch(s);
	s->paused_ns = s->recorded_ns = rsp_now_ns();
	for (unsigned int i = s->detached_cnt; i > 0; i--)
		rsp_detach_program(s->bpf, s->detached[i - 1]);
	s->is_paused = true;
}

static int attach_all(struct rsp_slices *s)
{
	int r = 0;

	for (unsigned int i = 0; i < s->detached_cnt && r == 0; i++)
		r = rsp_attach_program(s->bpf, s->detached[i]);
	return r;
}

static void record_loss(struct rsp_slices *s, __u64 now_ns, __u16 flags)
{
	struct rsp_ev_lost rec = {
		.hdr = {.ts_ns = now_ns,
			.kind = RSP_EV_LOST,
			.size = sizeof(rec),
			.flags = RSP_LOST_PAUSED | flags},
		.from_ns = s->recorded_ns,
		.kinds = s->is_halted ? HALTED_KINDS : PAUSED_KINDS,
	};

	if (!s->is_paused || now_ns <= s->recorded_ns)
		return;
	s->recorded_ns = now_ns;
	s->sink(&rec, sizeof(rec), s->userdata);
}

void rsp_slices_record_loss(struct rsp_slices *s, __u64 now_ns)
{
	if (!s->is_halted)
		record_loss(s, now_ns, 0);
}

/* flags: of the last LOST record. */
static void end(struct rsp_slices *s, __u16 flags)
{
	__u64 now_ns = rsp_now_ns();

	__atomic_store_n(&s->bpf->bss->rsp_resumed_ns, now_ns, __ATOMIC_RELAXED);
	record_loss(s, now_ns, flags);
	s->is_paused = s->is_halted = false;
	s->sum_ns += now_ns - s->paused_ns;
	rsp_detach_program(s->bpf, WATCHER);
	__atomic_store_n(&s->bpf->bss->rsp_knows_offset, false, __ATOMIC_RELAXED);
	if (s->bpf->links.on_resume)
		rsp_visit(s->bpf->links.on_resume, s->sink, s->userdata);
}

int rsp_slices_resume(struct rsp_slices *s)
{
	int r;

	if (!s->is_paused || s->is_halted)
		return 0;
	if (s->bpf->bss->rsp_slo_active.threads)
		visit_marks(s, false);
	r = attach_all(s);
	if (r == 0)
		end(s, 0);
	return r;
}

/* --- halts ------------------------------------------------------------------------------------ */

void rsp_slices_halt(struct rsp_slices *s)
{
	__u64 now_ns = rsp_now_ns();

	if (s->is_halted)
		return;
	rsp_slices_record_loss(s, now_ns);
	if (!s->is_paused) {
		visit_marks(s, true);
		s->paused_ns = s->recorded_ns = rsp_now_ns();
	}
	rsp_detach_events(s->bpf);
	s->is_paused = s->is_halted = true;
}

int rsp_slices_end_halt(struct rsp_slices *s, struct rsp_ladder *ladder)
{
	struct rsp_reason why;
	int r;

	if (!s->is_halted)
		return 0;
	r = rsp_attach(s->bpf, ladder, false, &why);
	if (r < 0) {
		rsp_detach_events(s->bpf);
		return r;
	}
	find_abilities(s);
	end(s, RSP_LOST_REQUESTED | RSP_LOST_BIRTHS);
	return 0;
}

void rsp_slices_note(struct rsp_slices *s)
{
	if (!s->is_paused)
		return;
	if (s->is_halted) {
		record_loss(s, rsp_now_ns(), RSP_LOST_REQUESTED);
		return;
	}
	rsp_slices_record_loss(s, rsp_now_ns());
	rsp_visit(s->bpf->links.on_resume, s->sink, s->userdata);
	s->recorded_ns = rsp_now_ns();
}

__u64 rsp_slices_paused_ns(const struct rsp_slices *s, __u64 now_ns)
{
	bool now = s->is_paused && now_ns > s->paused_ns;

	return s->sum_ns + (now ? now_ns - s->paused_ns : 0);
}
