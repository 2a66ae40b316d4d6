/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests lib/merge/peers.h and lib/merge/crossings.h. */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/merge/crossings.h"
#include "lib/merge/peers.h"

#define HOST_CNT 3

static struct rsp_ev_socket make(const char *local, __u16 local_port, const char *remote,
				 __u16 remote_port, __u16 protocol)
{
	static __u64 id;
	struct rsp_ev_socket sock = {
		.hdr = {.kind = RSP_EV_SOCKET, .size = sizeof(sock)},
		.id = ++id,
		.sk = id,
		.protocol = protocol,
		.local_port = local_port,
		.remote_port = remote_port,
	};

	sock.family = strchr(local, ':') ? AF_INET6 : AF_INET;
	assert_int_equal(inet_pton(sock.family, local, sock.local), 1);
	assert_int_equal(inet_pton(sock.family, remote, sock.remote), 1);
	return sock;
}

static struct rsp_ev_socket tcp(const char *local, __u16 local_port, const char *remote,
				__u16 remote_port)
{
	return make(local, local_port, remote, remote_port, IPPROTO_TCP);
}

/* --- peers ------------------------------------------------------------------------------------ */

struct hosts {
	struct rsp_merge_sockets v[HOST_CNT];
	struct rsp_ev_socket socks[16];
	size_t cnt;
};

static void put(struct hosts *h, __u32 host, struct rsp_ev_socket sock)
{
	h->socks[h->cnt] = sock;
	assert_int_equal(rsp_merge_sockets_note(&h->v[host], &h->socks[h->cnt++]), 0);
}

static __u32 peer(const struct hosts *h, __u32 host, struct rsp_ev_socket sock)
{
	return rsp_merge_peer(h->v, HOST_CNT, host, &sock);
}

static void done(struct hosts *h)
{
	for (size_t i = 0; i < HOST_CNT; i++)
		rsp_merge_sockets_done(&h->v[i]);
}

static void test_swapped_addresses(void **state)
{
	struct hosts h = {0};

	(void)state;
	put(&h, 0, tcp("10.0.0.1", 40000, "10.0.0.2", 80));
	put(&h, 1, tcp("10.0.0.2", 80, "10.0.0.1", 40000));
	put(&h, 2, tcp("::ffff:10.0.0.3", 80, "::ffff:10.0.0.1", 40000)); /* IPv4 as well */
	put(&h, 2, tcp("10.0.0.2", 80, "10.0.0.1", 40001));		  /* another port */
	assert_int_equal(peer(&h, 0, tcp("10.0.0.1", 40000, "10.0.0.2", 80)), 1);
	assert_int_equal(peer(&h, 1, tcp("10.0.0.2", 80, "10.0.0.1", 40000)), 0);
	assert_int_equal(peer(&h, 0, tcp("10.0.0.1", 40000, "10.0.0.3", 80)), 2);
	assert_int_equal(peer(&h, 0, tcp("10.0.0.1", 40000, "10.0.0.9", 80)), 0);
	assert_int_equal(peer(&h, 0, make("10.0.0.1", 40000, "10.0.0.2", 80, IPPROTO_UDP)), 0);
	done(&h);
}

static void test_loopback_stays(void **state)
{
	struct rsp_ev_socket un = {.family = AF_UNIX};
	struct hosts h = {0};

	(void)state;
	put(&h, 1, tcp("127.0.0.1", 80, "127.0.0.1", 40000));
	put(&h, 1, tcp("127.1.2.3", 80, "127.0.0.1", 40000));
	put(&h, 1, tcp("::1", 80, "::1", 40000));
	assert_int_equal(peer(&h, 0, tcp("127.0.0.1", 40000, "127.0.0.1", 80)), 0);
	assert_int_equal(peer(&h, 0, tcp("127.0.0.1", 40000, "127.1.2.3", 80)), 0);
	assert_int_equal(peer(&h, 0, tcp("::1", 40000, "::1", 80)), 0);
	assert_int_equal(peer(&h, 0, un), 0);
	done(&h);
}

/* Several hosts use the same private addresses. */
static void test_own_host_first(void **state)
{
	struct hosts h = {0};

	(void)state;
	put(&h, 0, tcp("172.17.0.2", 80, "172.17.0.1", 40000));
	put(&h, 1, tcp("172.17.0.2", 80, "172.17.0.1", 40000));
	assert_int_equal(peer(&h, 0, tcp("172.17.0.1", 40000, "172.17.0.2", 80)), 0);
	assert_int_equal(peer(&h, 1, tcp("172.17.0.1", 40000, "172.17.0.2", 80)), 1);
	assert_int_equal(peer(&h, 2, tcp("172.17.0.1", 40000, "172.17.0.2", 80)), 2);
	/* While a connection is being opened, its record lacks the local port. */
	assert_int_equal(peer(&h, 0, tcp("172.17.0.1", 0, "172.17.0.2", 80)), 0);
	done(&h);
}

static void test_ends_without_a_peer(void **state)
{
	struct hosts h = {0};

	(void)state;
	put(&h, 1, tcp("10.0.0.2", 80, "10.0.0.7", 50000));
	put(&h, 1, make("10.0.0.2", 53, "0.0.0.0", 0, IPPROTO_UDP));
	assert_int_equal(peer(&h, 0, tcp("10.0.0.1", 0, "10.0.0.2", 80)), 1);
	assert_int_equal(peer(&h, 0, tcp("10.0.0.1", 0, "10.0.0.2", 81)), 0);
	assert_int_equal(peer(&h, 0, make("10.0.0.1", 40000, "10.0.0.2", 53, IPPROTO_UDP)), 1);
	assert_int_equal(peer(&h, 1, make("10.0.0.2", 53, "0.0.0.0", 0, IPPROTO_UDP)), 1);
	done(&h);
}

/* --- crossings -------------------------------------------------------------------------------- */

/* the two ends of a connection between host 0 and host 1 */
static struct rsp_ev_socket ends[2];

static void note(struct rsp_traffic *t, __u32 host, __u16 flag, __u64 ts_ns, __u32 seq, __u32 bytes)
{
	struct rsp_ev_net net = {
		.hdr = {.ts_ns = ts_ns, .kind = RSP_EV_NET, .flags = flag},
		.sk = ends[host].sk,
		.seq = seq,
		.bytes = bytes,
	};

	assert_int_equal(rsp_traffic_note(&t[host], &net, &ends[host], !host), 0);
}

static int begin(void **state)
{
	(void)state;
	ends[0] = tcp("10.0.0.1", 40000, "10.0.0.2", 80);
	ends[1] = tcp("10.0.0.2", 80, "10.0.0.1", 40000);
	return 0;
}

/* Frees the traffic. */
static void expect(struct rsp_traffic *t, const struct rsp_crossing *want, size_t want_cnt)
{
	struct rsp_crossing *v = NULL;
	size_t cnt = 0;

	for (size_t i = 0; i < 2; i++)
		rsp_traffic_sort(&t[i]);
	assert_int_equal(rsp_crossings_find(&t[0], 0, &t[1], 1, &v, &cnt), 0);
	assert_int_equal(cnt, want_cnt);
	for (size_t i = 0; i < cnt; i++) {
		assert_int_equal(v[i].arrives_here, want[i].arrives_here);
		assert_int_equal(v[i].here_ns, want[i].here_ns);
		assert_int_equal(v[i].there_ns, want[i].there_ns);
	}
	free(v);
	for (size_t i = 0; i < 2; i++)
		rsp_traffic_done(&t[i]);
}

/* Messages may arrive in parts, or several at once. */
static void test_sequence_numbers(void **state)
{
	static const struct rsp_crossing want[] = {
		{40, 930, true}, {10, 915, false}, {10, 916, false}, {12, 920, false}};
	struct rsp_traffic t[2] = {0};

	(void)state;
	note(t, 0, RSP_NET_SEND, 10, UINT32_MAX - 99, 200);
	note(t, 0, RSP_NET_SEND, 11, 100, 50);
	note(t, 0, RSP_NET_SEND, 12, 150, 50);
	note(t, 1, RSP_NET_READY, 915, UINT32_MAX - 49, 0); /* a half of the first */
	note(t, 1, RSP_NET_READY, 916, 100, 0);		    /* the other half */
	note(t, 1, RSP_NET_READY, 920, 200, 0);		    /* the other two */
	note(t, 1, RSP_NET_SEND, 930, 7000, 10);
	note(t, 0, RSP_NET_READY, 40, 7011, 0); /* and the end of the connection */
	expect(t, want, 4);
}

/*
 * Nothing matches: the hosts have recorded different data, or different connections with the same
 * ports.
 */
static void test_what_does_not_fit(void **state)
{
	struct rsp_traffic t[2] = {0};

	(void)state;
	note(t, 0, RSP_NET_SEND, 10, 1000, 100);
	/* a message of unknown size: the sender waits, and then continues to send */
	note(t, 0, RSP_NET_SEND, 11, 5000, 0);
	note(t, 1, RSP_NET_READY, 920, 900, 0);
	note(t, 1, RSP_NET_READY, 921, 1000, 0);
	note(t, 1, RSP_NET_READY, 922, 1102, 0);
	note(t, 1, RSP_NET_READY, 923, 5001, 0);
	note(t, 1, RSP_NET_READY, 924, 0x80000000, 0);
	expect(t, NULL, 0);
}

/* Without sequence numbers, only the first message of a connection is matched. */
static void test_first_message(void **state)
{
	static const struct rsp_crossing want[] = {{10, 920, false}};
	struct rsp_traffic t[2] = {0};

	(void)state;
	note(t, 0, RSP_NET_CONNECT, 5, 0, 0);
	note(t, 0, RSP_NET_SEND, 10, 0, 100);
	note(t, 0, RSP_NET_SEND, 15, 0, 100);
	note(t, 1, RSP_NET_READY, 920, 0, 0);
	note(t, 1, RSP_NET_READY, 925, 0, 0);
	note(t, 1, RSP_NET_SEND, 930, 0, 100);
	note(t, 0, RSP_NET_READY, 40, 0, 0);
	expect(t, want, 1);
}

static void test_udp_does_not_count(void **state)
{
	struct rsp_traffic t[2] = {0};

	(void)state;
	ends[0].protocol = ends[1].protocol = IPPROTO_UDP;
	note(t, 0, RSP_NET_SEND, 10, 0, 100);
	note(t, 1, RSP_NET_READY, 920, 0, 0);
	expect(t, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_swapped_addresses),
		cmocka_unit_test(test_loopback_stays),
		cmocka_unit_test(test_own_host_first),
		cmocka_unit_test(test_ends_without_a_peer),
		cmocka_unit_test_setup(test_sequence_numbers, begin),
		cmocka_unit_test_setup(test_what_does_not_fit, begin),
		cmocka_unit_test_setup(test_first_message, begin),
		cmocka_unit_test_setup(test_udp_does_not_count, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
