/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See merge.h. Checks the snapshots, and collects the data that the other files need from their
 * records.
 */
#include "lib/merge/merge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/merge/merge-parts.h"
#include "lib/merge/rekey.h"
#include "lib/snapshot/decode.h"

/*
 * Calls fn for each record of a snapshot, until fn does not return 0. Returns the last value of fn,
 * or -EBADMSG.
 */
static int for_each_record(const struct rsp_snapshot *snap,
			   int (*fn)(const struct rsp_ev_hdr *hdr, void *userdata), void *userdata)
{
	int r = 0;

	for (size_t i = 0; i < snap->section_cnt; i++) {
		const struct rsp_section *section = &snap->sections[i];
		const struct rsp_ev_hdr *hdr;
		size_t off = 0;

		if (section->type != RSP_SEC_EVENTS)
			continue;
		while ((r = rsp_record_next(section->data, section->len, &off, &hdr)) > 0) {
			r = fn(hdr, userdata);
			if (r)
				return r;
		}
		if (r < 0)
			return r;
	}
	return 0;
}

/* --- checks ----------------------------------------------------------------------------------- */

/*
 * CLOCK_REALTIME can be set, so the boot times in two recordings of the same boot may differ a
 * little.
 */
#define BOOT_NS 1000000000

/* Older recordings have no boot ID. */
static bool is_same_host(const struct rsp_meta *a, const struct rsp_meta *b)
{
	__s64 apart_ns;

	if (a->boot_id[0] && b->boot_id[0])
		return strcmp(a->boot_id, b->boot_id) == 0;
	apart_ns = (__s64)((__u64)a->realtime_offset_ns - (__u64)b->realtime_offset_ns);
	return strcmp(a->host, b->host) == 0 && strcmp(a->kernel, b->kernel) == 0 &&
	       apart_ns < BOOT_NS && apart_ns > -BOOT_NS;
}

static int check_one(const struct rsp_snapshot *snap)
{
	if (snap->truncated)
		return RSP_MERGE_TRUNCATED;
	if (snap->meta.redacted)
		return RSP_MERGE_REDACTED;
	return snap->meta.host_cnt ? RSP_MERGE_MERGED : 0;
}

static int check(struct rsp_merging *m)
{
	struct rsp_merge_result *res = m->result;

	for (res->b = 0; res->b < m->cnt; res->b++) {
		int r;

		res->a = res->b;
		r = check_one(m->hosts[res->b].snap);
		if (r)
			return r;
		for (res->a = 0; res->a < res->b; res->a++)
			if (is_same_host(&m->hosts[res->a].snap->meta,
					 &m->hosts[res->b].snap->meta))
				return RSP_MERGE_SAME_HOST;
	}
	return 0;
}

/* --- names of hosts --------------------------------------------------------------------------- */

static bool is_used(const struct rsp_meta *meta, const char *name)
{
	for (uint32_t i = 0; i < meta->host_cnt; i++)
		if (strcmp(meta->hosts[i].name, name) == 0)
			return true;
	return false;
}

/* The second host with the same name becomes "web#2", and so on. */
static void name_host(struct rsp_meta *meta, const struct rsp_meta *from)
{
	struct rsp_meta_host *host = &meta->hosts[meta->host_cnt];
	int len = (int)strcspn(from->host, ".");

	len = len > 20 ? 20 : len;
	snprintf(host->name, sizeof(host->name), "%.*s", len, from->host);
	for (unsigned int i = 2; is_used(meta, host->name); i++)
		snprintf(host->name, sizeof(host->name), "%.*s#%u", len, from->host, i);
	snprintf(host->id, sizeof(host->id), "%s", from->id);
	meta->host_cnt++;
}

/* --- records ---------------------------------------------------------------------------------- */

struct reading {
	struct rsp_merging *m;
	__u32 host;
};

static int read_name(const struct rsp_ev_hdr *hdr, void *userdata)
{
	struct reading *x = userdata;
	struct rsp_merge_host *host = &x->m->hosts[x->host];
	int r = 0;

	if (hdr->cpu >= host->cpu_cnt)
		host->cpu_cnt = hdr->cpu + 1U;
	if (hdr->kind == RSP_EV_SOCKET)
		r = rsp_merge_sockets_note(&x->m->sockets[x->host], (const void *)hdr);
	if (r == 0 && x->host == 0)
		r = rsp_rekey_note_numbers(hdr, &x->m->taken);
	return r;
}

static int read_traffic(const struct rsp_ev_hdr *hdr, void *userdata)
{
	const struct rsp_ev_net *net = (const void *)hdr;
	struct reading *x = userdata;
	const struct rsp_ev_socket *sock;
	uint64_t found;
	__u32 peer;

	if (hdr->kind != RSP_EV_NET ||
	    !rsp_idmap_get(&x->m->sockets[x->host].of_id, net->object, &found))
		return 0;
	sock = (const void *)(uintptr_t)found;
	peer = rsp_merge_peer(x->m->sockets, x->m->cnt, x->host, sock);
	if (peer == x->host)
		return 0;
	return rsp_traffic_note(&x->m->traffic[x->host], net, sock, peer);
}

static int read_each(struct rsp_merging *m, int (*fn)(const struct rsp_ev_hdr *hdr, void *userdata))
{
	int r = 0;

	for (__u32 i = 0; i < m->cnt && r == 0; i++) {
		struct reading x = {m, i};

		r = for_each_record(m->hosts[i].snap, fn, &x);
		m->result->a = i;
	}
	return r == -EBADMSG ? RSP_MERGE_TRUNCATED : r;
}

static void number_cpus(struct rsp_merging *m)
{
	__u32 next = 0;

	for (size_t i = 0; i < m->cnt; i++) {
		m->hosts[i].cpu_first = m->result->meta.hosts[i].cpu_first = next;
		next += m->hosts[i].cpu_cnt;
	}
	m->result->meta.cpu_cnt = next;
}

static int read_records(struct rsp_merging *m)
{
	int r = read_each(m, read_name);

	if (r)
		return r;
	number_cpus(m);
	r = read_each(m, read_traffic);
	for (size_t i = 0; i < m->cnt && r == 0; i++)
		rsp_traffic_sort(&m->traffic[i]);
	return r;
}

/* --- all together ----------------------------------------------------------------------------- */

/*
 * The ID depends only on the IDs of the snapshots, so merging the same snapshots again gives the
 * same ID.
 */
static void make_id(struct rsp_meta *meta)
{
	for (size_t half = 0; half < 2; half++) {
		__u64 h = 0xcbf29ce484222325ULL + half;

		for (uint32_t i = 0; i < meta->host_cnt; i++)
			for (const char *p = meta->hosts[i].id; *p; p++)
				h = (h ^ (unsigned char)*p) * 0x100000001b3ULL;
		snprintf(meta->id + 16 * half, sizeof(meta->id) - 16 * half, "%016llx", h);
	}
}

static void done(struct rsp_merging *m)
{
	for (size_t i = 0; i < m->cnt; i++) {
		rsp_merge_sockets_done(&m->sockets[i]);
		rsp_traffic_done(&m->traffic[i]);
	}
	rsp_idmap_done(&m->taken);
}

int rsp_merge(struct rsp_snapshot *const *snaps, size_t cnt, struct rsp_snapshot_writer *w,
	      struct rsp_merge_result *ret)
{
	_cleanup_(done) struct rsp_merging m = {.cnt = cnt, .result = ret};
	int r;

	*ret = (struct rsp_merge_result){.meta = snaps[0]->meta};
	for (size_t i = 0; i < cnt; i++) {
		m.hosts[i].snap = snaps[i];
		m.hosts[i].cpu_cnt = snaps[i]->meta.cpu_cnt;
		if (m.hosts[i].cpu_cnt > UINT16_MAX)
			m.hosts[i].cpu_cnt = UINT16_MAX + 1;
	}
	r = check(&m);
	if (r)
		return r;
	for (size_t i = 0; i < cnt; i++)
		name_host(&ret->meta, &snaps[i]->meta);
	make_id(&ret->meta);
	snprintf(ret->meta.version, sizeof(ret->meta.version), "%s", RSP_VERSION);
	r = read_records(&m);
	if (r == 0)
		r = rsp_merge_clocks(&m);
	return r ? r : rsp_merge_write(&m, w);
}
