/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for peers (the other ends of connections): many round trips of a client, one after the
 * other, and other waits for remote peers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/report/findings.h"

#define ROUND_TRIPS_MIN	  10
/*
 * A round trip within one host takes some tens of microseconds. If the mean is longer than this
 * limit, most of the time is work of the peer.
 */
#define LOCAL_TRIP_NS_MAX 200000

/* --- round trips ------------------------------------------------------------------------------ */

/*
 * If the peer is on the same host, the mean round trip must be short. Threads of a service do not
 * count: their waits for the next request of a client only look like round trips.
 */
static bool is_serial(const struct rsp_net_row *row)
{
	bool local = *row->peer_comm;

	return row->round_trip_cnt >= ROUND_TRIPS_MIN && row->service == 0 && *row->peer &&
	       (!local || row->round_trip_ns / row->round_trip_cnt < LOCAL_TRIP_NS_MAX);
}

static int compare_services(const void *pa, const void *pb)
{
	const struct rsp_net_row *a = *(const struct rsp_net_row *const *)pa;
	const struct rsp_net_row *b = *(const struct rsp_net_row *const *)pb;
	int order = strcmp(a->peer, b->peer);

	order = order ? order : strcmp(a->comm, b->comm);
	return order ? order : (a > b) - (a < b);
}

/* v: the heaviest row of each pair of a program and a peer, sorted by peer and program. */
struct serial {
	const struct rsp_net_row **v;
	size_t cnt;
};

static int find_serial(const struct rsp_explanation *e, struct serial *ret)
{
	const struct rsp_net_row **v = calloc(e->survey.net.cnt + 1, sizeof(*v));
	size_t cnt = 0, kept = 0;

	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < e->survey.net.cnt; i++)
		if (is_serial(&e->survey.net.v[i]))
			v[cnt++] = &e->survey.net.v[i];
	qsort(v, cnt, sizeof(*v), compare_services);
	for (size_t i = 0; i < cnt; i++)
		if (kept == 0 || strcmp(v[kept - 1]->peer, v[i]->peer) != 0 ||
		    strcmp(v[kept - 1]->comm, v[i]->comm) != 0)
			v[kept++] = v[i];
	*ret = (struct serial){v, kept};
	return 0;
}

/*
 * Returns NULL if there is no such row, or if the hop does not wait for another task or the
 * network.
 */
static const struct rsp_net_row *row_of(const struct serial *serial, const struct rsp_hop *hop)
{
	size_t lo = 0, hi = serial->cnt;

	if (hop->kind != RSP_HOP_BLOCKED && hop->category != RSP_CAT_NETWORK)
		return NULL;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct rsp_net_row *row = serial->v[mid];
		int order = strcmp(row->peer, hop->object);

		order = order ? order : strcmp(row->comm, hop->comm);
		if (order == 0)
			return row;
		if (order < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

/*
 * Sets trips and trip of each chain: the heaviest row that matches one of its hops, and the first
 * hop that matches this row.
 */
int rsp_findings_find_trips(const struct rsp_explanation *e, struct rsp_covers *covers)
{
	struct serial serial;

	if (find_serial(e, &serial) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < covers->cnt && serial.cnt; i++) {
		struct rsp_cover *t = &covers->v[i];

		for (size_t k = 0; k < t->chain->hop_cnt; k++) {
			const struct rsp_net_row *row = row_of(&serial, &t->chain->hops[k]);

			if (!row || (t->trips && t->trips <= row))
				continue;
			t->trips = row;
			t->trip = &t->chain->hops[k];
		}
	}
	free(serial.v);
	return 0;
}

static const struct rsp_hop *trip_hop(const struct rsp_explanation *e, const struct rsp_cover *t)
{
	return t->trip;
}

static bool group_trips(const struct rsp_explanation *e, const struct rsp_cover *t,
			struct rsp_subject *ret)
{
	if (!t->trips)
		return false;
	*ret = (struct rsp_subject){t->trips->comm, "", t->trips->peer, NULL, false};
	return true;
}

struct trips {
	__u64 cnt, ns;
	__u32 thread_cnt;
	const char *served_by; /* name of the program at the other end; "": not on this host */
};

static struct trips sum_trips(const struct rsp_explanation *e, const struct rsp_subject *group)
{
	struct trips trips = {.served_by = ""};

	for (size_t i = 0; i < e->survey.net.cnt; i++) {
		const struct rsp_net_row *row = &e->survey.net.v[i];

		if (!is_serial(row) || strcmp(row->comm, group->name) != 0 ||
		    strcmp(row->peer, group->object) != 0)
			continue;
		trips.cnt += row->round_trip_cnt;
		trips.ns += row->round_trip_ns;
		trips.thread_cnt++;
		trips.served_by = row->peer_comm;
	}
	return trips;
}

static __u64 limit_trips(const struct rsp_explanation *e, const struct rsp_subject *group)
{
	return sum_trips(e, group).ns;
}

static int write_trips(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
		       const struct rsp_selection *s)
{
	struct trips trips = sum_trips(e, group);

	rsp_put_name(f, group->name);
	fprintf(f, " made %llu round trips to ", trips.cnt);
	rsp_put_name(f, group->object);
	if (*trips.served_by) {
		fputs(" (", f);
		rsp_put_name(f, trips.served_by);
		fputc(')', f);
	}
	if (trips.thread_cnt > 1)
		fprintf(f, " in %u threads", trips.thread_cnt);
	fputs(", one after the other, ", f);
	rsp_put_duration(f, trips.ns / trips.cnt);
	fputs(" each: ", f);
	rsp_put_selected(f, e, s);
	return 0;
}

const struct rsp_finding_kind rsp_finding_round_trips = {
	.name = "serial_round_trips",
	.group = group_trips,
	.limit = limit_trips,
	.write = write_trips,
	.hop = trip_hop,
};

/* --- one remote host -------------------------------------------------------------------------- */

static bool group_remote(const struct rsp_explanation *e, const struct rsp_cover *t,
			 struct rsp_subject *ret)
{
	*ret = RSP_SUBJECT(t->leaf->object);
	return t->leaf->category == RSP_CAT_NETWORK && *t->leaf->object;
}

static int write_remote(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
			const struct rsp_selection *s)
{
	_cleanup_(rsp_owners_done) struct rsp_owners owners = {0};
	__u64 cnt = 0, longest_ns = 0;

	if (rsp_owners_make(s, &owners) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < s->cnt; i++) {
		const struct rsp_chain *chain = s->v[i].cover->chain;

		cnt += chain->count;
		if (chain->longest.ns > longest_ns)
			longest_ns = chain->longest.ns;
	}
	rsp_put_waiters(f, e, &owners);
	fputs(" waited ", f);
	rsp_put_selected(f, e, s);
	rsp_put_through(f, &owners);
	fputs(" for the network (", f);
	rsp_put_name(f, group->name);
	fprintf(f, cnt == 1 ? "), once" : "), %llu times", cnt);
	if (cnt > 1 && longest_ns > 0) {
		fputs(", at the longest ", f);
		rsp_put_duration(f, longest_ns);
	}
	return 0;
}

const struct rsp_finding_kind rsp_finding_slow_remote = {
	.name = "slow_remote",
	.group = group_remote,
	.write = write_remote,
};
