// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * netpeer tcp|udp 4|6 [ROUNDS] [WORK_US] [SERVER_NS CLIENT_NS ADDRESS]: a client and a server on
 * the loopback interface, which use IPv4 or IPv6. With SERVER_NS and CLIENT_NS (files of network
 * namespaces), the server and the client are in these namespaces, and ADDRESS is the IPv4 address
 * of the server. In each of ROUNDS (50) rounds the client sends a request. The server works for
 * WORK_US (2000) microseconds of CPU time and answers. The name of the server is netpeer-server.
 *
 * Prints `pid CLIENT SERVER` and `port CLIENT SERVER` before the first request, `exchanged ROUNDS
 * WORK_US` when done.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "tests/programs/program.h"

#define MESSAGE_BYTES 64

/*
 * An idle loopback interface loses no datagram. If a datagram is lost all the same, the test must
 * fail and not hang.
 */
#define DEADLINE_S 60

struct address {
	struct sockaddr_storage sa;
	socklen_t len;
};

static struct address loopback(int family)
{
	struct address a = {};

	if (family == AF_INET6) {
		struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)&a.sa;

		in6->sin6_addr = in6addr_loopback;
		a.len = sizeof(*in6);
	} else {
		struct sockaddr_in *in = (struct sockaddr_in *)&a.sa;

		in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		a.len = sizeof(*in);
	}
	a.sa.ss_family = family;
	return a;
}

static struct address local_address(int fd)
{
	struct address a = {.len = sizeof(a.sa)};

	if (getsockname(fd, (struct sockaddr *)&a.sa, &a.len))
		err(1, "getsockname");
	return a;
}

static unsigned int port_of(const struct address *a)
{
	if (a->sa.ss_family == AF_INET6)
		return ntohs(((const struct sockaddr_in6 *)&a->sa)->sin6_port);
	return ntohs(((const struct sockaddr_in *)&a->sa)->sin_port);
}

/*
 * Opens a socket with a port that the kernel chooses. ip: the IPv4 address of the socket; NULL: the
 * loopback address.
 */
static int open_server(int family, int type, const char *ip)
{
	struct address a = loopback(family);
	int fd = socket(family, type, 0);

	if (fd < 0)
		err(1, "socket");
	if (ip && inet_pton(AF_INET, ip, &((struct sockaddr_in *)&a.sa)->sin_addr) != 1)
		errx(1, "%s is not an IPv4 address", ip);
	if (bind(fd, (struct sockaddr *)&a.sa, a.len))
		err(1, "bind");
	if (type == SOCK_STREAM && listen(fd, 1))
		err(1, "listen");
	return fd;
}

static int open_client(int type, const struct address *server)
{
	int fd = socket(server->sa.ss_family, type, 0);

	if (fd < 0)
		err(1, "socket");
	if (connect(fd, (const struct sockaddr *)&server->sa, server->len))
		err(1, "connect");
	return fd;
}

/* Reads one whole message. A stream may deliver a message in parts. */
static void receive(int fd, char *message, struct address *ret_from)
{
	ssize_t n;

	ret_from->len = sizeof(ret_from->sa);
	n = recvfrom(fd, message, MESSAGE_BYTES, MSG_WAITALL, (struct sockaddr *)&ret_from->sa,
		     &ret_from->len);
	if (n < 0)
		err(1, "recvfrom");
	if (n != MESSAGE_BYTES)
		errx(1, "received %zd of %d bytes", n, MESSAGE_BYTES);
}

static void serve(int fd, int type, unsigned long rounds, unsigned long us)
{
	char message[MESSAGE_BYTES];
	struct address from;
	ssize_t n;

	alarm(DEADLINE_S);
	if (prctl(PR_SET_NAME, "netpeer-server"))
		err(1, "prctl");
	if (type == SOCK_STREAM) {
		fd = accept(fd, NULL, NULL);
		if (fd < 0)
			err(1, "accept");
	}
	while (rounds--) {
		receive(fd, message, &from);
		program_work(us);
		if (type == SOCK_STREAM)
			n = send(fd, message, MESSAGE_BYTES, 0);
		else
			n = sendto(fd, message, MESSAGE_BYTES, 0, (struct sockaddr *)&from.sa,
				   from.len);
		if (n != MESSAGE_BYTES)
			err(1, "send");
	}
}

static void ask(int fd, unsigned long rounds)
{
	char message[MESSAGE_BYTES] = "work";
	struct address from;

	while (rounds--) {
		if (send(fd, message, MESSAGE_BYTES, 0) != MESSAGE_BYTES)
			err(1, "send");
		receive(fd, message, &from);
	}
}

static void enter(const char *netns)
{
	int fd = open(netns, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || setns(fd, CLONE_NEWNET))
		err(1, "%s", netns);
	close(fd);
}

int main(int argc, char **argv)
{
	bool is_apart = argc > 7;
	struct address server, client;
	unsigned long rounds, us;
	int type, family, server_fd, fd;
	pid_t pid;

	if (argc < 3 || (strcmp(argv[1], "tcp") && strcmp(argv[1], "udp")) ||
	    (strcmp(argv[2], "4") && strcmp(argv[2], "6")))
		errx(1, "usage: netpeer tcp|udp 4|6 [ROUNDS] [WORK_US]");
	type = strcmp(argv[1], "tcp") == 0 ? SOCK_STREAM : SOCK_DGRAM;
	family = strcmp(argv[2], "6") == 0 ? AF_INET6 : AF_INET;
	rounds = program_arg(argc, argv, 3, 50);
	us = program_arg(argc, argv, 4, 2000);

	alarm(DEADLINE_S);
	if (is_apart)
		enter(argv[5]);
	server_fd = open_server(family, type, is_apart ? argv[7] : NULL);
	server = local_address(server_fd);
	pid = program_fork();
	if (pid == 0) {
		serve(server_fd, type, rounds, us);
		return 0;
	}
	close(server_fd);
	if (is_apart)
		enter(argv[6]);
	fd = open_client(type, &server);
	client = local_address(fd);
	printf("pid %d %d\nport %u %u\n", (int)getpid(), (int)pid, port_of(&client),
	       port_of(&server));
	fflush(stdout);
	ask(fd, rounds);
	program_join(pid);
	printf("exchanged %lu %lu\n", rounds, us);
	return 0;
}
