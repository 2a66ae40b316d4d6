// SPDX-License-Identifier: GPL-2.0-or-later
/* See calls.h. */
#include "tests/truth/calls.h"

#include <err.h>
#include <errno.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

uint64_t calls_now_ns(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC, &ts))
		err(1, "clock_gettime");
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

void calls_send(int fd, const void *what, size_t size)
{
	if (write(fd, what, size) != (ssize_t)size)
		err(1, "write");
}

void calls_receive(int fd, void *what, size_t size)
{
	ssize_t n;

	do
		n = read(fd, what, size);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)size)
		err(1, "read");
}

void calls_await(int fd, unsigned int patience_ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	while (patience_ms && poll(&p, 1, (int)patience_ms) != 1)
		;
}

void calls_answer(int fd, unsigned int who)
{
	struct answer a = {.at_ns = calls_now_ns(), .who = (uint16_t)who};

	calls_send(fd, &a, sizeof(a));
}
