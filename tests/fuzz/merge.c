/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges two random snapshots (records.h) of two hosts, which send a message to each other. If the
 * merge succeeds, the result must be complete and valid, and no message may arrive before it was
 * sent.
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/merge/merge.h"
#include "lib/model/explain/explain.h"
#include "tests/fuzz/records.h"

#define CLIENT_SOCKET 0xf0f0f0f001
#define SERVER_SOCKET 0xf0f0f0f002

/*
 * Inserts three records at the beginning: a socket of the connection, a message that it sends, and
 * a message that it receives.
 */
static void add_messages(struct records *r, bool server, __u64 sent_ns, __u64 arrived_ns)
{
	struct rsp_ev_socket *sock = (void *)r->buf;
	struct rsp_ev_net *net = (void *)(sock + 1);
	size_t bytes = sizeof(*sock) + 2 * sizeof(*net);
	__u64 id = server ? SERVER_SOCKET : CLIENT_SOCKET;

	if (r->len + bytes > sizeof(r->buf))
		r->len = 0;
	memmove((char *)r->buf + bytes, r->buf, r->len);
	memset(r->buf, 0, bytes);
	*sock = (struct rsp_ev_socket){
		.hdr = {.ts_ns = 1, .kind = RSP_EV_SOCKET, .size = sizeof(*sock)},
		.id = id,
		.sk = id,
		.family = AF_INET,
		.protocol = IPPROTO_TCP,
		.local_port = server ? 80 : 40000,
		.remote_port = server ? 40000 : 80,
		.local = {10, 9, 8, server ? 2 : 1},
		.remote = {10, 9, 8, server ? 1 : 2},
	};
	net[0] = (struct rsp_ev_net){
		.hdr = {.ts_ns = sent_ns,
			.kind = RSP_EV_NET,
			.size = sizeof(*net),
			.flags = RSP_NET_SEND},
		.bytes = 10,
		.sk = id,
		.object = id,
		.seq = server ? 9000 : 1000,
	};
	net[1] = (struct rsp_ev_net){
		.hdr = {.ts_ns = arrived_ns,
			.kind = RSP_EV_NET,
			.size = sizeof(*net),
			.flags = RSP_NET_READY},
		.sk = id,
		.object = id,
		.seq = server ? 1010 : 9010,
	};
	r->len += bytes;
	r->sections[0].len = r->len;
}

static void check_records(const struct rsp_snapshot *snap)
{
	for (size_t i = 0; i < snap->section_cnt; i++) {
		const struct rsp_section *section = &snap->sections[i];
		const struct rsp_ev_hdr *hdr;
		size_t off = 0;

		if (section->type != RSP_SEC_EVENTS)
			continue;
		while (off < section->len)
			must(rsp_record_next(section->data, section->len, &off, &hdr) == 1);
	}
}

static void explain(int fd)
{
	struct rsp_snapshot *snap;
	struct rsp_trace *trace;
	struct rsp_explanation *e;

	must(rsp_snapshot_open_fd(fd, &snap) == 0);
	must(!snap->truncated && snap->meta.host_cnt == 2);
	must(snap->meta.since_ns < snap->meta.until_ns);
	check_records(snap);
	must(rsp_trace_new(snap, &trace) == 0);
	if (rsp_explain(trace, &e) == 0)
		rsp_explanation_free(e);
	rsp_trace_free(trace);
	rsp_snapshot_free(snap);
}

/*
 * Unless `any` is set, the span is the second that begins with the first message, so that the spans
 * of both recordings overlap.
 */
static void choose_span(struct rsp_meta *meta, __u64 from_ns, bool any)
{
	if (any)
		return;
	meta->redacted = false;
	meta->since_ns = meta->window_oldest_ns = from_ns;
	meta->until_ns = from_ns + 1000000000;
	meta->events_until_ns = 0;
	meta->cpu_cnt = 4;
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static struct records records[2];
	struct rsp_snapshot *snaps[] = {&records[0].snap, &records[1].snap};
	struct input in = {data, len};
	bool any = take_u8(&in) >= 0xe0;
	__u64 times[] = {any ? take_u64(&in) : RECORDS_BASE_NS + take_u16(&in),
			 any ? take_u64(&in) : RECORDS_BASE_NS + take_u16(&in) * RECORDS_STEP_NS,
			 take_u16(&in) * RECORDS_STEP_NS, take_u16(&in) * RECORDS_STEP_NS};
	struct rsp_snapshot_writer *w;
	struct rsp_merge_result res;
	int fd = memfd_create("merged", MFD_CLOEXEC), r;

	must(fd >= 0);
	for (size_t i = 0; i < 2; i++) {
		records_take(&in, &records[i]);
		choose_span(&records[i].snap.meta, times[i], any);
		snprintf(records[i].snap.meta.host, sizeof(records[i].snap.meta.host), "host%zu",
			 i);
	}
	/*
	 * Host 0 sends at times[0] of its clock, and host 1 at times[1] of its clock. Each message
	 * arrives at a time of the receiver's clock.
	 */
	add_messages(&records[0], false, times[0], times[0] + times[2]);
	add_messages(&records[1], true, times[1], times[1] + times[3]);
	must(rsp_snapshot_writer_new(fd, &w) == 0);
	r = rsp_merge(snaps, 2, w, &res);
	must(r >= 0);
	if (r == 0) {
		must(res.early_cnt == 0);
		must(rsp_snapshot_writer_finish(w) == 0);
		explain(fd);
	}
	rsp_snapshot_writer_free(w);
	close(fd);
	for (size_t i = 0; i < 2; i++)
		records_done(&records[i]);
	return 0;
}
