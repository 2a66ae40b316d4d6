/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass sites|sockets|packets TRIPS: sends and receives bytes TRIPS times, on the CPU on which the
 * program starts. Prints the microseconds of a round trip.
 *
 * sites: two processes use pipes, from 64 call paths of 4 to 11 frames.
 *
 * sockets: two processes use 64 TCP connections on loopback. One process sends a question on each
 * connection, then reads all answers. The other process answers on the connections that epoll
 * reports. A round trip is two messages.
 *
 * packets: a single process sends datagrams to itself.
 */
#include <arpa/inet.h>
#include <err.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CONNECTION_CNT 64
#define PATH_CNT       64

/* --- the two processes ----------------------------------------------------------------------- */

static void receive(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		errx(1, "the other end is gone");
}

static void send_byte(int fd)
{
	if (write(fd, "", 1) != 1)
		errx(1, "the other end is gone");
}

/* Starts the process that answers. It ends when its parent ends. */
static pid_t fork_answerer(void)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (pid == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

/* --- sites ----------------------------------------------------------------------------------- */

struct pipes {
	int in, out;
};

static void ask(const struct pipes *pipes)
{
	send_byte(pipes->out);
	receive(pipes->in);
}

static void answer(const struct pipes *pipes)
{
	receive(pipes->in);
	send_byte(pipes->out);
}

typedef void act_fn(const struct pipes *pipes);

/*
 * The assembly after each call prevents a tail call, in which the caller's frame would be missing.
 */
__attribute__((noinline)) static void descend(act_fn *act, const struct pipes *pipes,
					      unsigned int depth, unsigned int turns)
{
	if (depth == 0) {
		act(pipes);
		__asm__ volatile("" ::: "memory");
	} else if (turns & 1) {
		descend(act, pipes, depth - 1, turns >> 1);
		__asm__ volatile("# odd" ::: "memory");
	} else {
		descend(act, pipes, depth - 1, turns >> 1);
		__asm__ volatile("# even" ::: "memory");
	}
}

/* Calls act from one of 64 call paths: eight lengths, with eight paths of each length. */
static void act_somewhere(act_fn *act, const struct pipes *pipes, uint64_t trip)
{
	unsigned int path = (unsigned int)((trip * 0x9e3779b97f4a7c15ULL) >> 40) % PATH_CNT;

	descend(act, pipes, 3 + path / 8, path % 8);
}

static void play_sites(uint64_t trips)
{
	int there[2], back[2];

	if (pipe(there) < 0 || pipe(back) < 0)
		err(1, "pipe");
	if (fork_answerer() == 0) {
		for (uint64_t i = 0; i < trips; i++)
			act_somewhere(answer, &(struct pipes){there[0], back[1]}, i);
		_exit(0);
	}
	for (uint64_t i = 0; i < trips; i++)
		act_somewhere(ask, &(struct pipes){back[0], there[1]}, i);
}

/* --- sockets --------------------------------------------------------------------------------- */

static void connect_pair(int listener, const struct sockaddr_in *address, int ends[2])
{
	ends[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (ends[0] < 0 || connect(ends[0], (const void *)address, sizeof(*address)) < 0)
		err(1, "connect");
	ends[1] = accept(listener, NULL, NULL);
	if (ends[1] < 0)
		err(1, "accept");
	for (int i = 0; i < 2; i++)
		if (setsockopt(ends[i], IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)) < 0)
			err(1, "TCP_NODELAY");
}

static void connect_all(int ends[CONNECTION_CNT][2])
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	if (listener < 0 || bind(listener, (void *)&address, sizeof(address)) < 0 ||
	    listen(listener, CONNECTION_CNT) < 0 ||
	    getsockname(listener, (void *)&address, &(socklen_t){sizeof(address)}) < 0)
		err(1, "listen");
	for (int i = 0; i < CONNECTION_CNT; i++)
		connect_pair(listener, &address, ends[i]);
	close(listener);
}

static void answer_all(int ends[CONNECTION_CNT][2], uint64_t cnt)
{
	struct epoll_event ready[CONNECTION_CNT];
	int epoll = epoll_create1(0);

	for (int i = 0; i < CONNECTION_CNT; i++) {
		struct epoll_event ev = {.events = EPOLLIN, .data.fd = ends[i][1]};

		if (epoll_ctl(epoll, EPOLL_CTL_ADD, ends[i][1], &ev) < 0)
			err(1, "epoll");
	}
	while (cnt > 0) {
		int ready_cnt = epoll_wait(epoll, ready, CONNECTION_CNT, -1);

		for (int i = 0; i < ready_cnt; i++) {
			receive(ready[i].data.fd);
			send_byte(ready[i].data.fd);
		}
		cnt -= ready_cnt > 0 ? (uint64_t)ready_cnt : 0;
	}
}

static void play_sockets(uint64_t trips)
{
	uint64_t rounds = trips / CONNECTION_CNT;
	int ends[CONNECTION_CNT][2];

	connect_all(ends);
	if (fork_answerer() == 0) {
		answer_all(ends, rounds * CONNECTION_CNT);
		_exit(0);
	}
	for (uint64_t round = 0; round < rounds; round++) {
		for (int i = 0; i < CONNECTION_CNT; i++)
			send_byte(ends[i][0]);
		for (int i = 0; i < CONNECTION_CNT; i++)
			receive(ends[i][0]);
	}
}

/* --- packets --------------------------------------------------------------------------------- */

static void play_packets(uint64_t trips)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0 || bind(fd, (void *)&address, sizeof(address)) < 0 ||
	    getsockname(fd, (void *)&address, &(socklen_t){sizeof(address)}) < 0 ||
	    connect(fd, (void *)&address, sizeof(address)) < 0)
		err(1, "datagrams");
	for (uint64_t i = 0; i < trips; i++) {
		send_byte(fd);
		receive(fd);
	}
}

/* --- main ------------------------------------------------------------------------------------ */

static double now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
	uint64_t trips = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
	double start_us = now_us();

	if (trips >= CONNECTION_CNT && strcmp(argv[1], "sites") == 0)
		play_sites(trips);
	else if (trips >= CONNECTION_CNT && strcmp(argv[1], "sockets") == 0)
		play_sockets(trips);
	else if (trips >= CONNECTION_CNT && strcmp(argv[1], "packets") == 0)
		play_packets(trips);
	else
		errx(2, "usage: pass sites|sockets|packets TRIPS, %d at least", CONNECTION_CNT);
	printf("%.3f\n", (now_us() - start_us) / (double)trips);
	return 0;
}
