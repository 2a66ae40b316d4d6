/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See peers.h. Compares only keys of flows, which are 64-bit hashes. */
#include "lib/merge/peers.h"

#include <string.h>

#include "lib/snapshot/decode.h"
#include "lib/snapshot/flow.h"

/* IPv4 addresses are in IPv6 form. */
static bool is_loopback(const __u8 addr[static 16])
{
	static const __u8 v4[13] = {[10] = 0xff, [11] = 0xff, [12] = 127}, v6[16] = {[15] = 1};

	return memcmp(addr, v4, sizeof(v4)) == 0 || memcmp(addr, v6, sizeof(v6)) == 0;
}

static bool is_any(const __u8 addr[static 16])
{
	static const __u8 any[16];

	return memcmp(addr, any, 16) == 0;
}

int rsp_merge_sockets_note(struct rsp_merge_sockets *s, const struct rsp_ev_socket *sock)
{
	struct rsp_socket_flow sent = rsp_flow_sent(sock), wanted = rsp_flow_wanted(sock);
	int r = rsp_idmap_put(&s->of_id, sock->id, (uintptr_t)sock);

	if (r < 0 || rsp_socket_is_unix(sock) || is_any(sent.local) || !sent.local_port)
		return r;
	r = rsp_idmap_put(&s->ends, rsp_flow_end_key(&wanted), 1);
	if (r == 0 && sent.remote_port)
		r = rsp_idmap_put(&s->flows, rsp_flow_key(&sent, RSP_FLOW_ALL), 1);
	return r;
}

void rsp_merge_sockets_done(struct rsp_merge_sockets *s)
{
	rsp_idmap_done(&s->of_id);
	rsp_idmap_done(&s->flows);
	rsp_idmap_done(&s->ends);
}

static bool has_key(const struct rsp_idmap *map, __u64 key)
{
	return rsp_idmap_get(map, key, &(uint64_t){0});
}

/* Returns host if no other host or several other hosts have the key. */
static __u32 only_host(const struct rsp_merge_sockets *hosts, size_t cnt, __u32 host, bool of_flows,
		       __u64 key)
{
	__u32 found = host;

	for (__u32 i = 0; i < cnt; i++) {
		if (i == host || !has_key(of_flows ? &hosts[i].flows : &hosts[i].ends, key))
			continue;
		if (found != host)
			return host;
		found = i;
	}
	return found;
}

__u32 rsp_merge_peer(const struct rsp_merge_sockets *hosts, size_t cnt, __u32 host,
		     const struct rsp_ev_socket *sock)
{
	struct rsp_socket_flow sent = rsp_flow_sent(sock), wanted = rsp_flow_wanted(sock);
	__u64 flow, end;
	__u32 found;

	if (rsp_socket_is_unix(sock) || is_any(sent.remote) || is_loopback(sent.remote) ||
	    is_loopback(sent.local))
		return host;
	flow = rsp_flow_key(&wanted, RSP_FLOW_ALL);
	if (has_key(&hosts[host].flows, flow))
		return host;
	found = only_host(hosts, cnt, host, true, flow);
	if (found != host)
		return found;
	/* The record has no other end: the socket begins to connect, or it is a datagram socket. */
	end = rsp_flow_end_key(&sent);
	if (has_key(&hosts[host].ends, end))
		return host;
	return only_host(hosts, cnt, host, false, end);
}
