// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tcp-delay nagle | connect | window: the program and its peer, a process on the same host. The
 * program waits for the peer because of a mechanism of TCP:
 *
 *	nagle	The program writes two messages and then reads, 10 times. The peer answers when it
 *		has received both messages.
 *	connect	The program connects to a listener whose queue is full. The listener accepts no
 *		connection for half a second.
 *	window	The program writes 16 MiB to a peer that reads nothing for half a second.
 *
 * Prints `pid N` before it begins, and `waited NS` when done: the total time of the system calls in
 * which the program waits.
 */
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "tests/programs/program.h"

#define ROUNDS	   10
#define PAUSE_NS   500000000
#define BULK_BYTES (16 << 20)

static char bulk[BULK_BYTES];
static unsigned long long waited_ns;

static unsigned long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void pause_for_a_while(void)
{
	nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
}

static void send_all(int fd, const char *data, size_t bytes)
{
	while (bytes > 0) {
		ssize_t n = send(fd, data, bytes, 0);

		if (n < 0)
			err(1, "send");
		data += n;
		bytes -= n;
	}
}

static size_t receive_all(int fd, size_t bytes)
{
	size_t got = 0;

	while (got < bytes) {
		ssize_t n = recv(fd, bulk, sizeof(bulk), 0);

		if (n < 0)
			err(1, "recv");
		if (n == 0)
			break;
		got += n;
	}
	return got;
}

static int listen_on_loopback(struct sockaddr_in *ret)
{
	socklen_t len = sizeof(*ret);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	*ret = (struct sockaddr_in){.sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	/* A listener with a backlog of 0 queues one connection. */
	if (fd < 0 || bind(fd, (void *)ret, sizeof(*ret)) || listen(fd, 0) ||
	    getsockname(fd, (void *)ret, &len))
		err(1, "listen");
	return fd;
}

static int connect_to(const struct sockaddr_in *to)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (const void *)to, sizeof(*to)))
		err(1, "connect");
	return fd;
}

static int accept_one(int listener)
{
	int fd = accept(listener, NULL, NULL);

	if (fd < 0)
		err(1, "accept");
	return fd;
}

/* --- the peer -------------------------------------------------------------------------------- */

static void peer_nagle(int listener)
{
	int fd = accept_one(listener);

	while (receive_all(fd, 2) == 2)
		send_all(fd, "x", 1);
}

static void peer_connect(int listener)
{
	int first, second;

	pause_for_a_while();
	first = accept_one(listener);
	second = accept_one(listener);
	send_all(second, "x", 1);
	receive_all(second, 1);
	close(first);
}

static void peer_window(int listener)
{
	int fd = accept_one(listener);

	pause_for_a_while();
	receive_all(fd, BULK_BYTES);
}

/* --- the waiting process --------------------------------------------------------------------- */

static void wait_nagle(const struct sockaddr_in *peer)
{
	int fd = connect_to(peer);
	unsigned long long from_ns;

	for (int i = 0; i < ROUNDS; i++) {
		send_all(fd, "a", 1);
		send_all(fd, "b", 1);
		from_ns = now_ns();
		receive_all(fd, 1);
		waited_ns += now_ns() - from_ns;
	}
	close(fd);
}

/* The first connection fills the queue, so this connect() has to wait. */
static void wait_connect(const struct sockaddr_in *peer)
{
	unsigned long long from_ns = now_ns();
	int fd = connect_to(peer);

	waited_ns += now_ns() - from_ns;
	receive_all(fd, 1);
	close(fd);
}

static void wait_window(const struct sockaddr_in *peer)
{
	int fd = connect_to(peer);
	unsigned long long from_ns = now_ns();

	send_all(fd, bulk, BULK_BYTES);
	waited_ns += now_ns() - from_ns;
	close(fd);
}

static const struct {
	const char *name;
	void (*peer)(int listener);
	void (*wait)(const struct sockaddr_in *peer);
} reasons[] = {
	{"nagle", peer_nagle, wait_nagle},
	{"connect", peer_connect, wait_connect},
	{"window", peer_window, wait_window},
};

static void play(size_t i)
{
	struct sockaddr_in address;
	int listener = listen_on_loopback(&address), first = -1;
	pid_t pid;

	if (reasons[i].wait == wait_connect)
		first = connect_to(&address);
	printf("pid %d\n", (int)getpid());
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (pid == 0) {
		reasons[i].peer(listener);
		_exit(0);
	}
	reasons[i].wait(&address);
	if (first >= 0)
		close(first);
	waitpid(pid, NULL, 0);
	printf("waited %llu\n", waited_ns);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (strcmp(argv[1], reasons[i].name) != 0)
			continue;
		play(i);
		return 0;
	}
	errx(1, "usage: tcp-delay nagle | connect | window");
}
