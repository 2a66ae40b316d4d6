/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * split-host FILE OUT HOST ADDRESS SHIFT_NS PPM PID…: copies a part of the snapshot FILE to OUT, as
 * if a host named HOST had recorded only this part. Leaves out the processes PID… and the sockets
 * with the local IPv4 address ADDRESS: these belong to another host. The clock of HOST is SHIFT_NS
 * ahead at the beginning of the span, and runs PPM millionths faster.
 */
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/idmap.h"
#include "lib/merge/rekey.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/snapshot.h"

struct split {
	struct rsp_idmap tgids, tids; /* processes that are removed */
	struct rsp_idmap sockets;     /* SOCKET ids that are removed */
	struct in_addr address;
	struct rsp_rekey x;
};

static bool has(const struct rsp_idmap *map, __u64 key)
{
	return rsp_idmap_get(map, key, &(uint64_t){0});
}

static void put(struct rsp_idmap *map, __u64 key)
{
	if (rsp_idmap_put(map, key, 1) < 0)
		errx(1, "out of memory");
}

static void note(struct split *s, const struct rsp_ev_hdr *hdr)
{
	const struct rsp_ev_task *task = (const void *)hdr;
	const struct rsp_ev_socket *sock = (const void *)hdr;

	if (hdr->kind == RSP_EV_TASK && has(&s->tgids, task->tgid))
		put(&s->tids, task->tid);
	if (hdr->kind == RSP_EV_SOCKET && sock->family == AF_INET &&
	    memcmp(sock->local, &s->address, 4) == 0)
		put(&s->sockets, sock->id);
}

/* If *tid is a thread of the other host, replaces it by the idle task. Always returns true. */
static bool leave_idle(const struct split *s, __u32 *tid)
{
	if (has(&s->tids, *tid))
		*tid = 0;
	return true;
}

static bool keep_switch(const struct split *s, struct rsp_ev_switch *sw)
{
	bool leaves = has(&s->tids, sw->prev_tid), comes = has(&s->tids, sw->next_tid);

	if (leaves) {
		sw->hdr.flags &= RSP_SW_CARRIED;
		sw->prev_tid = sw->prev_state = 0;
		sw->syscall_nr = -1;
		sw->object = sw->kstack = sw->ustack = 0;
	}
	if (comes)
		sw->next_tid = 0;
	return !(leaves || comes) || sw->prev_tid || sw->next_tid;
}

static bool keep_waking(const struct split *s, struct rsp_ev_waking *waking)
{
	if (has(&s->tids, waking->wakee_tid))
		return false;
	if (has(&s->tids, waking->waker_tid))
		waking->waker_tid = waking->kstack = waking->ustack = 0;
	return true;
}

static bool keep(const struct split *s, struct rsp_ev_hdr *hdr)
{
	void *rec = hdr;

	switch (hdr->kind) {
	case RSP_EV_SWITCH:
		return keep_switch(s, rec);
	case RSP_EV_WAKING:
		return keep_waking(s, rec);
	case RSP_EV_SAMPLE:
		return !has(&s->tids, ((struct rsp_ev_sample *)rec)->tid);
	case RSP_EV_TASK:
		return !has(&s->tids, ((struct rsp_ev_task *)rec)->tid);
	case RSP_EV_EXIT:
		return !has(&s->tids, ((struct rsp_ev_exit *)rec)->tid);
	case RSP_EV_STOLEN:
		return !has(&s->tids, ((struct rsp_ev_stolen *)rec)->tid);
	case RSP_EV_SOCKET:
		return !has(&s->sockets, ((struct rsp_ev_socket *)rec)->id);
	case RSP_EV_NET:
		return !has(&s->sockets, ((struct rsp_ev_net *)rec)->object) &&
		       leave_idle(s, &((struct rsp_ev_net *)rec)->tid);
	case RSP_EV_IRQ:
		return leave_idle(s, &((struct rsp_ev_irq *)rec)->tid);
	case RSP_EV_BLOCK:
		return leave_idle(s, &((struct rsp_ev_block *)rec)->tid);
	case RSP_EV_DELAY:
		return leave_idle(s, &((struct rsp_ev_delay *)rec)->tid);
	}
	return true;
}

static __u32 no_peer(const struct rsp_ev_socket *sock, const struct rsp_rekey *x)
{
	(void)sock;
	return x->host;
}

static void split_section(const struct split *s, const struct rsp_section *section,
			  struct rsp_snapshot_writer *w)
{
	char *out = malloc(section->len + 1);
	const struct rsp_ev_hdr *hdr;
	size_t off = 0, len = 0;

	if (!out)
		errx(1, "out of memory");
	while (rsp_record_next(section->data, section->len, &off, &hdr) > 0) {
		struct rsp_ev_hdr *copy = (void *)(out + len);

		memcpy(copy, hdr, hdr->size);
		if (keep(s, copy) && rsp_rekey_record(&s->x, copy) > 0)
			len += hdr->size;
	}
	rsp_snapshot_write_section(w, RSP_SEC_EVENTS, out, len);
	free(out);
}

static void set_meta(const struct rsp_clock_map *clock, const char *host, struct rsp_meta *meta)
{
	meta->realtime_offset_ns -= clock->offset_ns;
	meta->target_start_ns = rsp_clock_map(clock, meta->target_start_ns);
	meta->since_ns = rsp_clock_map(clock, meta->since_ns);
	meta->until_ns = rsp_clock_map(clock, meta->until_ns);
	meta->window_oldest_ns = rsp_clock_map(clock, meta->window_oldest_ns);
	meta->events_until_ns = rsp_clock_map(clock, meta->events_until_ns);
	snprintf(meta->host, sizeof(meta->host), "%s", host);
	snprintf(meta->boot_id, sizeof(meta->boot_id), "%.30s", host);
}

static void read_all(struct split *s, const struct rsp_snapshot *snap)
{
	const struct rsp_ev_hdr *hdr;

	for (size_t i = 0; i < snap->section_cnt; i++) {
		size_t off = 0;

		if (snap->sections[i].type != RSP_SEC_EVENTS)
			continue;
		while (rsp_record_next(snap->sections[i].data, snap->sections[i].len, &off, &hdr) >
		       0)
			note(s, hdr);
	}
}

static int write_all(const struct split *s, const struct rsp_snapshot *snap,
		     const struct rsp_meta *meta, int fd)
{
	struct rsp_snapshot_writer *w;
	int r = rsp_snapshot_writer_new(fd, &w);

	if (r < 0)
		return r;
	rsp_snapshot_write_meta(w, meta);
	for (size_t i = 0; i < snap->section_cnt; i++) {
		const struct rsp_section *section = &snap->sections[i];

		if (section->type == RSP_SEC_EVENTS)
			split_section(s, section, w);
		else
			rsp_snapshot_write_section(w, section->type, section->data, section->len);
	}
	r = rsp_snapshot_writer_finish(w); /* returns the first error of the calls above, too */
	rsp_snapshot_writer_free(w);
	return r;
}

int main(int argc, char **argv)
{
	struct rsp_clock_map clock = {0};
	struct split s = {.x = {.clock = &clock, .peer = no_peer}};
	struct rsp_snapshot *snap;
	struct rsp_meta meta;
	int in, out, r;

	if (argc < 8 || inet_pton(AF_INET, argv[4], &s.address) != 1)
		errx(2, "split-host FILE OUT HOST ADDRESS SHIFT_NS PPM PID...");
	in = open(argv[1], O_RDONLY | O_CLOEXEC);
	out = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (in < 0 || out < 0)
		err(1, "%s", in < 0 ? argv[1] : argv[2]);
	for (int i = 7; i < argc; i++)
		put(&s.tgids, strtoul(argv[i], NULL, 10));
	r = rsp_snapshot_open_fd(in, &snap);
	if (r < 0)
		errx(1, "%s: %s", argv[1], strerror(-r));
	meta = snap->meta;
	clock.base_ns = meta.since_ns;
	clock.offset_ns = strtoll(argv[5], NULL, 10);
	clock.drift = strtod(argv[6], NULL) * 1e-6;
	set_meta(&clock, argv[3], &meta);
	read_all(&s, snap);
	r = write_all(&s, snap, &meta, out);
	rsp_snapshot_free(snap);
	rsp_idmap_done(&s.tgids);
	rsp_idmap_done(&s.tids);
	rsp_idmap_done(&s.sockets);
	if (r < 0)
		errx(1, "%s: %s", argv[2], strerror(-r));
	return 0;
}
