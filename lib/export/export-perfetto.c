/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a trace for Perfetto: the kernel's switches and wakeups, waits and their ends, control
 * paths, and samples. Time stamps are CLOCK_MONOTONIC. The trace declares the boot time, Perfetto's
 * default clock, as equal to this clock.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/export/perfetto.h"

#define CLOCK_ID_REALTIME  1
#define CLOCK_ID_MONOTONIC 3
#define CLOCK_ID_BOOTTIME  6

#define SEQUENCE	 1
#define THREAD_SEQUENCE	 2
#define SEQUENCE_BEGINS	 1 /* SEQ_INCREMENTAL_STATE_CLEARED */
#define SEQUENCE_GOES_ON 2 /* SEQ_NEEDS_INCREMENTAL_STATE */

#define THREADS_PER_PACKET 256

static void perfetto_done(struct rsp_perfetto *p)
{
	rsp_intern_done(&p->titles);
	rsp_intern_done(&p->functions);
	rsp_intern_done(&p->paths);
	rsp_intern_done(&p->build_ids);
	rsp_intern_done(&p->mappings);
	rsp_intern_done(&p->frames);
	rsp_intern_done(&p->callstacks);
	rsp_idmap_done(&p->mapping_of);
	rsp_idmap_done(&p->callstack_of);
	free(p->former);
	free(p->buf);
}

/* --- packets ---------------------------------------------------------------------------------- */

/*
 * Each packet is written as a trace of its own, because readers of protobuf concatenate their lists
 * of packets.
 */
static void write_packet(struct rsp_perfetto *p, PB(TracePacket) * packet)
{
	PB(Trace) trace = PB_INIT(TRACE);
	size_t len;

	trace.n_packet = 1;
	trace.packet = &packet;
	len = perfetto__protos__trace__get_packed_size(&trace);
	if (len > p->buf_size) {
		free(p->buf);
		p->buf_size = 2 * len;
		p->buf = malloc(p->buf_size);
		if (!p->buf) {
			p->buf_size = 0;
			p->error = -ENOMEM;
			return;
		}
	}
	perfetto__protos__trace__pack(&trace, p->buf);
	fwrite(p->buf, 1, len, p->out);
}

void rsp_perfetto_put(struct rsp_perfetto *p, PB(TracePacket) * packet)
{
	PB_SET(packet, trusted_packet_sequence_id, SEQUENCE);
	PB_SET(packet, sequence_flags, p->begun ? SEQUENCE_GOES_ON : SEQUENCE_BEGINS);
	p->begun = true;
	write_packet(p, packet);
}

void rsp_perfetto_put_thread(struct rsp_perfetto *p, PB(TracePacket) * packet)
{
	PB_SET(packet, trusted_packet_sequence_id, THREAD_SEQUENCE);
	PB_SET(packet, sequence_flags, SEQUENCE_BEGINS);
	write_packet(p, packet);
}

void rsp_perfetto_put_ftrace(struct rsp_perfetto *p, PB(FtraceEventBundle) * bundle)
{
	PB(TracePacket) packet = PB_INIT(TRACE_PACKET);

	packet.ftrace_events = bundle;
	write_packet(p, &packet);
}

void rsp_perfetto_event(struct rsp_perfetto *p, __u64 ts_ns, PB(TrackEvent) * event,
			const char *title)
{
	PB(TracePacket) packet = PB_INIT(TRACE_PACKET);
	PB(InternedData) interned = PB_INIT(INTERNED_DATA);
	PB(EventName) name = PB_INIT(EVENT_NAME), *one = &name;
	size_t known = p->titles.cnt;
	__u32 id;

	if (title && rsp_intern_put(&p->titles, title, strlen(title), &id) < 0) {
		p->error = -ENOMEM;
		return;
	}
	if (title)
		PB_SET(event, name_iid, id + 1ULL);
	if (title && id == known) {
		PB_SET(&name, iid, id + 1ULL);
		name.name = (char *)rsp_intern_data(&p->titles, id);
		interned.n_event_names = 1;
		interned.event_names = &one;
		packet.interned_data = &interned;
	}
	PB_SET(&packet, timestamp, ts_ns);
	packet.track_event = event;
	rsp_perfetto_put(p, &packet);
}

/* --- the head --------------------------------------------------------------------------------- */

static void put_clocks(struct rsp_perfetto *p)
{
	__u64 ts_ns = p->x->model->since_ns;
	const __u64 times[][2] = {
		{CLOCK_ID_BOOTTIME, ts_ns},
		{CLOCK_ID_MONOTONIC, ts_ns},
		{CLOCK_ID_REALTIME, rsp_export_realtime(p->x, ts_ns)},
	};
	PB(ClockSnapshot__Clock) clocks[3], *list[3];
	PB(ClockSnapshot) snapshot = PB_INIT(CLOCK_SNAPSHOT);
	PB(TracePacket) packet = PB_INIT(TRACE_PACKET);

	for (size_t i = 0; i < 3; i++) {
		perfetto__protos__clock_snapshot__clock__init(&clocks[i]);
		PB_SET(&clocks[i], clock_id, (uint32_t)times[i][0]);
		PB_SET(&clocks[i], timestamp, times[i][1]);
		list[i] = &clocks[i];
	}
	snapshot.n_clocks = 3;
	snapshot.clocks = list;
	PB_SET(&packet, timestamp, ts_ns);
	packet.clock_snapshot = &snapshot;
	rsp_perfetto_put(p, &packet);
}

/* Perfetto needs the kernel's release to decode the states of threads. */
static void put_system(struct rsp_perfetto *p)
{
	struct rsp_meta *meta = &p->x->snap->meta;
	PB(Utsname) utsname = PB_INIT(UTSNAME);
	PB(SystemInfo) system = PB_INIT(SYSTEM_INFO);
	PB(TracePacket) packet = PB_INIT(TRACE_PACKET);

	utsname.sysname = (char *)"Linux";
	utsname.release = meta->kernel;
	utsname.machine = meta->arch;
	system.utsname = &utsname;
	packet.system_info = &system;
	rsp_perfetto_put(p, &packet);
}

struct tree {
	PB(ProcessTree__Process) processes[THREADS_PER_PACKET], *process_list[THREADS_PER_PACKET];
	PB(ProcessTree__Thread) threads[THREADS_PER_PACKET], *thread_list[THREADS_PER_PACKET];
	char *cmdlines[THREADS_PER_PACKET];
	size_t process_cnt, thread_cnt;
	__u64 ts_ns;
};

static void flush_tree(struct rsp_perfetto *p, struct tree *tree)
{
	PB(ProcessTree) message = PB_INIT(PROCESS_TREE);
	PB(TracePacket) packet = PB_INIT(TRACE_PACKET);

	message.n_processes = tree->process_cnt;
	message.processes = tree->process_list;
	message.n_threads = tree->thread_cnt;
	message.threads = tree->thread_list;
	PB_SET(&packet, timestamp, tree->ts_ns);
	packet.process_tree = &message;
	if (tree->process_cnt || tree->thread_cnt)
		rsp_perfetto_put(p, &packet);
	tree->process_cnt = tree->thread_cnt = 0;
}

static void add_process(struct tree *tree, const struct rsp_export_thread *who)
{
	size_t i = tree->process_cnt++;
	PB(ProcessTree__Process) *process = tree->process_list[i] = &tree->processes[i];

	perfetto__protos__process_tree__process__init(process);
	PB_SET(process, pid, (int32_t)who->tgid);
	PB_SET(process, cmdline_is_comm, true);
	PB_SET(process, is_kthread, who->is_kthread);
	tree->cmdlines[i] = (char *)who->process;
	process->n_cmdline = 1;
	process->cmdline = &tree->cmdlines[i];
}

static void add_thread(struct tree *tree, const struct rsp_export_thread *who, __u32 tid)
{
	size_t i = tree->thread_cnt++;
	PB(ProcessTree__Thread) *thread = tree->thread_list[i] = &tree->threads[i];

	perfetto__protos__process_tree__thread__init(thread);
	PB_SET(thread, tid, (int32_t)tid);
	PB_SET(thread, tgid, (int32_t)who->tgid);
	thread->name = (char *)who->comm;
}

static bool is_named(const struct rsp_perfetto *p, size_t thread)
{
	return rsp_export_has_thread(p->x, thread) &&
	       p->x->model->threads.v[thread].end_ns > p->x->model->since_ns;
}

static int find_formers(struct rsp_perfetto *p)
{
	_cleanup_(rsp_idmap_done) struct rsp_idmap of_tid = {0};
	const struct rsp_model *m = p->x->model;

	p->former = calloc(m->threads.cnt + 1, sizeof(*p->former));
	if (!p->former)
		return -ENOMEM;
	for (size_t i = 0; i < m->threads.cnt; i++) {
		uint64_t former = RSP_NO_THREAD;

		p->former[i] = RSP_NO_THREAD;
		if (!is_named(p, i))
			continue;
		rsp_idmap_get(&of_tid, m->threads.v[i].tid, &former);
		p->former[i] = (__u32)former;
		if (rsp_idmap_put(&of_tid, m->threads.v[i].tid, i) < 0)
			return -ENOMEM;
	}
	return 0;
}

/*
 * If a thread has the ID of a former thread, its name is valid from its beginning (see put_frees()
 * in perfetto-sched.c).
 */
static void put_processes(struct rsp_perfetto *p)
{
	_cleanup_(rsp_idmap_done) struct rsp_idmap done = {0};
	_cleanup_free_ struct tree *tree = calloc(1, sizeof(*tree));

	if (!tree) {
		p->error = -ENOMEM;
		return;
	}
	for (size_t i = 0; i < p->x->model->threads.cnt && !p->error; i++) {
		const struct rsp_export_thread *who = &p->x->threads[i];
		__u32 tid = p->x->model->threads.v[i].tid;
		bool is_new = tid == who->tgid && p->former[i] != RSP_NO_THREAD;
		uint64_t seen;

		if (!is_named(p, i))
			continue;
		if (tree->ts_ns != rsp_perfetto_begin(p, i) ||
		    tree->process_cnt == THREADS_PER_PACKET ||
		    tree->thread_cnt == THREADS_PER_PACKET)
			flush_tree(p, tree);
		tree->ts_ns = rsp_perfetto_begin(p, i);
		if (is_new || !rsp_idmap_get(&done, who->tgid, &seen))
			add_process(tree, who);
		if (tid != who->tgid)
			add_thread(tree, who, tid);
		if (rsp_idmap_put(&done, who->tgid, 1) < 0)
			p->error = -ENOMEM;
	}
	flush_tree(p, tree);
}

int rsp_export_perfetto(struct rsp_export *x, FILE *out)
{
	struct rsp_perfetto *p = calloc(1, sizeof(*p));
	int r;

	if (!p)
		return -ENOMEM;
	p->x = x;
	p->out = out;
	r = find_formers(p);
	if (r == 0) {
		put_clocks(p);
		put_system(p);
		put_processes(p);
		rsp_perfetto_put_sched(p);
		rsp_perfetto_put_events(p);
		rsp_perfetto_put_samples(p);
		r = p->error;
	}
	perfetto_done(p);
	free(p);
	return r;
}
