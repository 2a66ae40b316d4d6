/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See flow.h. */
#include "lib/snapshot/flow.h"

#include <string.h>

#include "lib/snapshot/decode.h"
#include "lib/snapshot/host.h"

static void set_address(__u8 ret[static 16], const __u8 addr[static 16], __u16 family)
{
	static const __u8 prefix[12] = {[10] = 0xff, [11] = 0xff};
	static const __u8 any[4];

	memset(ret, 0, 16);
	if (family == AF_INET6) {
		memcpy(ret, addr, 16);
		if (memcmp(ret, prefix, 12) == 0 && memcmp(ret + 12, any, 4) == 0)
			memset(ret, 0, 16);
	} else if (memcmp(addr, any, 4) != 0) {
		memcpy(ret, prefix, 12);
		memcpy(ret + 12, addr, 4);
	}
}

static void set_unix(__u8 ret[static 16], __u64 sk, __u64 connection)
{
	memcpy(ret, &sk, sizeof(sk));
	memcpy(ret + 8, &connection, sizeof(connection));
}

struct rsp_socket_flow rsp_flow_sent(const struct rsp_ev_socket *sock)
{
	struct rsp_socket_flow f = {.host = (__u16)rsp_host_of_peer(sock)};

	if (rsp_socket_is_unix(sock)) {
		set_unix(f.local, sock->sk, sock->un.connection);
		set_unix(f.remote, sock->un.peer, sock->un.connection);
		return f;
	}
	f.local_port = sock->local_port;
	f.remote_port = sock->remote_port;
	f.protocol = sock->protocol;
	set_address(f.local, sock->local, sock->family);
	set_address(f.remote, sock->remote, sock->family);
	return f;
}

struct rsp_socket_flow rsp_flow_wanted(const struct rsp_ev_socket *sock)
{
	struct rsp_socket_flow own = rsp_flow_sent(sock), f = own;

	memcpy(f.local, own.remote, 16);
	memcpy(f.remote, own.local, 16);
	f.local_port = own.remote_port;
	f.remote_port = own.local_port;
	f.host = (__u16)rsp_host_of_socket(sock);
	return f;
}

static __u64 mix(__u64 h, const void *data, size_t len)
{
	const __u8 *p = data;

	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * 0x100000001b3ULL; /* FNV-1a */
	return h;
}

__u64 rsp_flow_key(const struct rsp_socket_flow *f, enum rsp_flow_match match)
{
	__u64 h = mix(0xcbf29ce484222325ULL + match, &f->protocol, sizeof(f->protocol));

	h = mix(h, &f->host, sizeof(f->host));
	h = mix(h, &f->remote_port, sizeof(f->remote_port));
	if (match == RSP_FLOW_DEST)
		return h;
	h = mix(h, &f->local_port, sizeof(f->local_port));
	if (match == RSP_FLOW_PORTS)
		return h;
	h = mix(h, f->local, sizeof(f->local));
	return mix(h, f->remote, sizeof(f->remote));
}

__u64 rsp_flow_end_key(const struct rsp_socket_flow *f)
{
	__u64 h = mix(0xcbf29ce484222325ULL, &f->protocol, sizeof(f->protocol));

	h = mix(h, &f->remote_port, sizeof(f->remote_port));
	return mix(h, f->remote, sizeof(f->remote));
}
