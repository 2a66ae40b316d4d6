// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * clocks tsc | answer PORT | ask ADDRESS PORT COUNT: compares CLOCK_MONOTONIC of this host with
 * another clock, without the kernel's records.
 *
 *	tsc	prints `tsc TICKS NS REALTIME_NS`: the time stamp counter (TSC), CLOCK_MONOTONIC
 *		and CLOCK_REALTIME at the same moment. The TSCs of all emulated machines of a host
 *		have the same rate.
 *	answer	prints `ready`, then answers datagrams until it is killed. An answer contains the
 *		times at which the question arrived and the answer was sent.
 *	ask	sends questions until it has COUNT (1000) answers. Prints `ping ASKED ARRIVED
 *		ANSWERED BACK` for each answer. The times are in ns. ARRIVED and ANSWERED are times
 *		of the other host.
 */
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <x86intrin.h>

#include "tests/programs/program.h"

/* After PATIENCE_S seconds without an answer, a question counts as lost, and ask sends another. */
#define PATIENCE_S 2
#define TRIES	   1000

struct ping {
	uint64_t asked_ns, arrived_ns, answered_ns;
};

static uint64_t read_ns(clockid_t clock)
{
	struct timespec now;

	if (clock_gettime(clock, &now))
		err(1, "clock_gettime");
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t now_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

/*
 * Each reading of the clock lies between two readings of the TSC. Prints the try whose two TSC
 * readings are closest together, because an interrupt may come between two readings.
 */
static void print_tsc(void)
{
	uint64_t best_ticks = UINT64_MAX, ticks = 0, ns = 0;

	for (int i = 0; i < TRIES; i++) {
		uint64_t before = __rdtsc(), now = now_ns(), after = __rdtsc();

		if (after - before >= best_ticks)
			continue;
		best_ticks = after - before;
		ticks = before + best_ticks / 2;
		ns = now;
	}
	printf("tsc %llu %llu %llu\n", (unsigned long long)ticks, (unsigned long long)ns,
	       (unsigned long long)(read_ns(CLOCK_REALTIME) - now_ns() + ns));
}

static int open_socket(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0)
		err(1, "socket");
	return fd;
}

static void answer(struct sockaddr_in to)
{
	int fd = open_socket();

	if (bind(fd, (struct sockaddr *)&to, sizeof(to)))
		err(1, "bind");
	puts("ready");
	fflush(stdout);
	for (;;) {
		struct sockaddr_in from;
		socklen_t len = sizeof(from);
		struct ping ping;

		if (recvfrom(fd, &ping, sizeof(ping), 0, (struct sockaddr *)&from, &len) !=
		    sizeof(ping))
			err(1, "recvfrom");
		ping.arrived_ns = now_ns();
		ping.answered_ns = now_ns();
		if (sendto(fd, &ping, sizeof(ping), 0, (struct sockaddr *)&from, len) < 0)
			err(1, "sendto");
	}
}

/* Returns 1 if the answer arrives in time, otherwise 0. Drops answers to earlier questions. */
static int receive(int fd, uint64_t asked_ns, struct ping *ret, uint64_t *ret_back_ns)
{
	do {
		ssize_t n = recv(fd, ret, sizeof(*ret), 0);

		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n != sizeof(*ret))
			err(1, "recv");
		*ret_back_ns = now_ns();
	} while (ret->asked_ns != asked_ns);
	return 1;
}

static void ask(const struct sockaddr_in *to, unsigned long cnt)
{
	struct timeval patience = {.tv_sec = PATIENCE_S};
	int fd = open_socket();

	if (connect(fd, (const struct sockaddr *)to, sizeof(*to)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)))
		err(1, "connect");
	while (cnt > 0) {
		struct ping ping = {.asked_ns = now_ns()};
		uint64_t back_ns;

		if (send(fd, &ping, sizeof(ping), 0) < 0)
			err(1, "send");
		if (!receive(fd, ping.asked_ns, &ping, &back_ns))
			continue;
		printf("ping %llu %llu %llu %llu\n", (unsigned long long)ping.asked_ns,
		       (unsigned long long)ping.arrived_ns, (unsigned long long)ping.answered_ns,
		       (unsigned long long)back_ns);
		cnt--;
	}
}

int main(int argc, char **argv)
{
	struct sockaddr_in at = {.sin_family = AF_INET};

	if (argc == 2 && strcmp(argv[1], "tsc") == 0) {
		print_tsc();
	} else if (argc == 3 && strcmp(argv[1], "answer") == 0) {
		at.sin_port = htons((uint16_t)program_arg(argc, argv, 2, 0));
		answer(at);
	} else if (argc >= 4 && strcmp(argv[1], "ask") == 0) {
		at.sin_port = htons((uint16_t)program_arg(argc, argv, 3, 0));
		if (inet_pton(AF_INET, argv[2], &at.sin_addr) != 1)
			errx(1, "'%s' is not an address", argv[2]);
		ask(&at, program_arg(argc, argv, 4, 1000));
	} else {
		errx(1, "usage: clocks tsc | answer PORT | ask ADDRESS PORT COUNT");
	}
	return 0;
}
