/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the records of all hosts as one stream. Each step writes the next record of the host whose
 * next record is the oldest. Readers that leave out the oldest records of a stream rely on this
 * order.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/text.h"
#include "lib/merge/merge-parts.h"
#include "lib/merge/rekey.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/symbols.h"

#define CHUNK_BYTES ((size_t)1 << 20)

/* The next record of a host. */
struct cursor {
	const struct rsp_snapshot *snap;
	size_t section, off;
	const struct rsp_ev_hdr *hdr; /* NULL: there is none */
	__u64 ts_ns;		      /* time of the record, on the clock of the first host */
};

struct output {
	struct rsp_merging *m;
	struct rsp_snapshot_writer *w;
	struct rsp_idmap binaries;
	__u32 next_number;
	struct rsp_rekey rekeys[RSP_HOST_CNT_MAX];
	struct cursor cursors[RSP_HOST_CNT_MAX];
	char *chunk; /* CHUNK_BYTES and the largest record */
	size_t len;
};

static void done(struct output *o)
{
	rsp_idmap_done(&o->binaries);
	free(o->chunk);
}

static __u32 peer_of(const struct rsp_ev_socket *sock, const struct rsp_rekey *x)
{
	const struct rsp_merging *m = x->userdata;

	return rsp_merge_peer(m->sockets, m->cnt, x->host, sock);
}

/* --- events ----------------------------------------------------------------------------------- */

static void step(const struct rsp_merging *m, size_t host, struct cursor *c)
{
	for (; c->section < c->snap->section_cnt; c->section++, c->off = 0) {
		const struct rsp_section *s = &c->snap->sections[c->section];

		if (s->type != RSP_SEC_EVENTS ||
		    rsp_record_next(s->data, s->len, &c->off, &c->hdr) <= 0)
			continue;
		c->ts_ns = rsp_merge_time(m, host, c->hdr->ts_ns);
		return;
	}
	c->hdr = NULL;
}

/* Returns cnt if there is no record. */
static size_t oldest(const struct output *o)
{
	size_t found = o->m->cnt;

	for (size_t i = 0; i < o->m->cnt; i++)
		if (o->cursors[i].hdr &&
		    (found == o->m->cnt || o->cursors[i].ts_ns < o->cursors[found].ts_ns))
			found = i;
	return found;
}

/* Adds the host's name to the text of a mark: "web: v2.1 deployed". */
static void name_mark(const struct rsp_meta_host *host, struct rsp_ev_mark *mark)
{
	char text[RSP_MARK_TEXT_MAX + sizeof(host->name) + 2];

	if (!mark->text[0])
		return;
	snprintf(text, sizeof(text), "%s: %s", host->name, mark->text);
	memset(mark->text, 0, sizeof(mark->text));
	memcpy(mark->text, text, strnlen(text, sizeof(mark->text) - 1));
	rsp_text_clean(mark->text);
}

static int flush(struct output *o)
{
	size_t len = o->len;

	o->len = 0;
	return len ? rsp_snapshot_write_section(o->w, RSP_SEC_EVENTS, o->chunk, len) : 0;
}

static int put(struct output *o, size_t host)
{
	struct rsp_ev_hdr *hdr = (void *)(o->chunk + o->len);
	int r;

	memcpy(hdr, o->cursors[host].hdr, o->cursors[host].hdr->size);
	o->m->result->a = (__u32)host;
	r = rsp_rekey_record(&o->rekeys[host], hdr);
	if (r <= 0)
		return r;
	if (host && hdr->kind == RSP_EV_MARK)
		name_mark(&o->m->result->meta.hosts[host], (void *)hdr);
	o->len += hdr->size;
	return o->len >= CHUNK_BYTES ? flush(o) : 0;
}

static int put_events(struct output *o)
{
	int r = 0;

	for (size_t i = 0; i < o->m->cnt; i++) {
		o->cursors[i].snap = o->m->hosts[i].snap;
		step(o->m, i, &o->cursors[i]);
	}
	for (size_t host = oldest(o); host < o->m->cnt && r == 0; host = oldest(o)) {
		r = put(o, host);
		step(o->m, host, &o->cursors[host]);
	}
	return r == 0 ? flush(o) : r;
}

/* --- names of frames -------------------------------------------------------------------------- */

static __u64 rename_stack(__u64 id, void *userdata)
{
	return rsp_rekey_id(userdata, id);
}

static int put_renamed(struct output *o, const struct rsp_symbols *symbols, struct rsp_rekey *x)
{
	struct rsp_symbols_builder *b;
	_cleanup_free_ void *data = NULL;
	size_t len = 0;
	int r = rsp_symbols_builder_new(&b);

	if (r < 0)
		return r;
	r = rsp_symbols_copy_all(b, symbols, rename_stack, x);
	if (r == 0)
		r = rsp_symbols_builder_finish(b, &data, &len);
	rsp_symbols_builder_free(b);
	return r < 0 ? r : rsp_snapshot_write_section(o->w, RSP_SEC_SYMBOLS, data, len);
}

/* If several sections name a stack, the last section counts, so their order stays. */
static int put_symbols(struct output *o, size_t host)
{
	const struct rsp_snapshot *snap = o->m->hosts[host].snap;
	int r = 0;

	for (size_t i = 0; i < snap->section_cnt && r == 0; i++) {
		const struct rsp_section *s = &snap->sections[i];
		struct rsp_symbols *symbols;

		if (s->type != RSP_SEC_SYMBOLS || rsp_symbols_open(s->data, s->len, &symbols) < 0)
			continue;
		r = host ? put_renamed(o, symbols, &o->rekeys[host])
			 : rsp_snapshot_write_section(o->w, s->type, s->data, s->len);
		rsp_symbols_free(symbols);
	}
	return r;
}

/* --- all together ----------------------------------------------------------------------------- */

static int write_all(struct output *o)
{
	int r = rsp_snapshot_write_meta(o->w, &o->m->result->meta);

	if (r == 0)
		r = put_events(o);
	for (size_t i = 0; i < o->m->cnt && r == 0; i++)
		r = put_symbols(o, i);
	return r;
}

int rsp_merge_write(struct rsp_merging *m, struct rsp_snapshot_writer *w)
{
	_cleanup_(done) struct output o = {.m = m, .w = w, .next_number = 1};
	int r;

	o.chunk = malloc(CHUNK_BYTES + UINT16_MAX + 1);
	if (!o.chunk)
		return -ENOMEM;
	for (__u32 i = 0; i < m->cnt; i++)
		o.rekeys[i] = (struct rsp_rekey){
			.host = i,
			.cpu_first = m->hosts[i].cpu_first,
			.clock = i ? &m->hosts[i].clock : NULL,
			.binaries = &o.binaries,
			.taken = &m->taken,
			.next_number = &o.next_number,
			.peer = peer_of,
			.userdata = m,
		};
	r = write_all(&o);
	return r == -ENOTSUP ? RSP_MERGE_LATER : r == -EOVERFLOW ? RSP_MERGE_TOO_LARGE : r;
}
