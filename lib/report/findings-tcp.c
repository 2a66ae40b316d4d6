/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for the network for which TCP gives a reason: it held data back, sent data again, or got no
 * answer to a connection.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/report/findings.h"

static bool group_tcp(const struct rsp_explanation *e, const struct rsp_cover *t,
		      struct rsp_subject *ret)
{
	if (t->leaf->category != RSP_CAT_NETWORK || t->leaf->why == RSP_WHY_NONE)
		return false;
	*ret = RSP_SUBJECT(rsp_why_key(t->leaf->why));
	if (t->leaf->why == RSP_WHY_CONNECT)
		ret->object = t->leaf->object;
	return true;
}

static int put_peers(FILE *f, const struct rsp_selection *s)
{
	_cleanup_(rsp_tally_done) struct rsp_tally peers = {0};

	for (size_t i = 0; i < s->cnt; i++) {
		const char *peer = s->v[i].cover->leaf->object;

		if (rsp_tally_add(&peers, RSP_SUBJECT(*peer ? peer : NULL), s->v[i].ns) < 0)
			return -ENOMEM;
	}
	rsp_tally_finish(&peers);
	rsp_put_subjects(f, "; ", "peer", &peers, peers.ns, RSP_FINDINGS_NAMES_MAX);
	return 0;
}

static void put_times(FILE *f, const struct rsp_selection *s)
{
	__u64 cnt = 0;

	for (size_t i = 0; i < s->cnt; i++)
		cnt += s->v[i].cover->chain->count;
	if (cnt == 1) {
		fputs(", once", f);
		return;
	}
	fprintf(f, ", %llu times, ", cnt);
	rsp_put_duration(f, s->ns / cnt);
	fputs(" each", f);
}

static int write_tcp(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
		     const struct rsp_selection *s)
{
	_cleanup_(rsp_owners_done) struct rsp_owners owners = {0};
	const struct rsp_hop *leaf = s->v[0].cover->leaf;

	if (rsp_owners_make(s, &owners) < 0)
		return -ENOMEM;
	rsp_put_waiters(f, e, &owners);
	fputs(" waited ", f);
	rsp_put_selected(f, e, s);
	rsp_put_through(f, &owners);
	if (owners.others.cnt > 0)
		fputc(',', f);
	if (leaf->why == RSP_WHY_CONNECT) {
		fputs(" for ", f);
		rsp_put_name(f, *leaf->object ? leaf->object : "a peer");
		fputs(" to answer its connection", f);
		put_times(f, s);
		if (*leaf->behind) {
			fputs("; the port is served by ", f);
			rsp_put_name(f, leaf->behind);
		}
		return 0;
	}
	fputs(leaf->why == RSP_WHY_NAGLE
		      ? " for data that TCP held back (Nagle's algorithm, delayed ACK)"
		      : " for data that TCP had to send again",
	      f);
	put_times(f, s);
	return put_peers(f, s);
}

const struct rsp_finding_kind rsp_finding_tcp = {
	.name = "tcp_delay",
	.group = group_tcp,
	.write = write_tcp,
};
