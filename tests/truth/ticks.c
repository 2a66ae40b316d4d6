// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See ticks.h. A plan's cause takes 240 ms in total (CAUSE_US), so many waits contain checks that
 * find no token.
 */
#include "tests/truth/ticks.h"

#include <err.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SHORT_MS  5
#define MEDIUM_MS 20
#define LONG_MS	  50

#define NS_PER_S 1000000000

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){.tv_sec = (time_t)(ns / NS_PER_S),
				 .tv_nsec = (long)(ns % NS_PER_S)};
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		err(1, "clock_gettime");
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

static void wait_signalled(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t ns)
{
	struct timespec until = timespec_of(clock_ns(CLOCK_REALTIME) + ns);
	int r = pthread_cond_timedwait(cond, mutex, &until);

	if (r && r != ETIMEDOUT)
		errx(1, "pthread_cond_timedwait");
}

void ticks_wait_cond(struct link *l)
{
	pthread_mutex_lock(&l->mutex);
	while (l->word == 0)
		wait_signalled(&l->cond, &l->mutex, LONG_MS * 1000000);
	l->word--;
	pthread_mutex_unlock(&l->mutex);
}

void ticks_wait_futex(struct link *l)
{
	struct timespec tick = timespec_of(LONG_MS * 1000000);

	while (__atomic_load_n(&l->word, __ATOMIC_SEQ_CST) == 0)
		syscall(SYS_futex, &l->word, FUTEX_WAIT, 0, &tick, NULL, 0);
	__atomic_fetch_sub(&l->word, 1, __ATOMIC_SEQ_CST);
}

static bool is_readable(int fd, int timeout_ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int n = poll(&p, 1, timeout_ms);

	if (n < 0 && errno != EINTR)
		err(1, "poll");
	return n > 0;
}

void ticks_wait_poll(struct link *l)
{
	while (!is_readable(l->in, SHORT_MS))
		;
	link_read_byte(l);
}

void ticks_wait_epoll(struct link *l)
{
	struct epoll_event event = {.events = EPOLLIN};
	int fd = epoll_create1(EPOLL_CLOEXEC), n;

	if (fd < 0 || epoll_ctl(fd, EPOLL_CTL_ADD, l->in, &event))
		err(1, "epoll");
	do
		n = epoll_wait(fd, &event, 1, MEDIUM_MS);
	while (n == 0 || (n < 0 && errno == EINTR));
	if (n < 0)
		err(1, "epoll_wait");
	close(fd);
	link_read_byte(l);
}

void ticks_wait_select(struct link *l)
{
	int n = l->in < FD_SETSIZE ? 0 : 1;

	while (n == 0) {
		struct timeval tick = {.tv_usec = LONG_MS * 1000};
		fd_set set;

		FD_ZERO(&set);
		FD_SET(l->in, &set);
		n = select(l->in + 1, &set, NULL, NULL, &tick);
		if (n < 0 && errno != EINTR)
			err(1, "select");
	}
	link_read_byte(l);
}

void ticks_wait_unsignalled(uint32_t us)
{
	uint64_t end_ns = clock_ns(CLOCK_MONOTONIC) + (uint64_t)us * 1000, now_ns;
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

	pthread_mutex_lock(&mutex);
	while ((now_ns = clock_ns(CLOCK_MONOTONIC)) < end_ns) {
		uint64_t left_ns = end_ns - now_ns, tick_ns = MEDIUM_MS * 1000000;

		wait_signalled(&cond, &mutex, left_ns < tick_ns ? left_ns : tick_ns);
	}
	pthread_mutex_unlock(&mutex);
}

void ticks_nap(const struct link *l, uint32_t us)
{
	struct timespec nap = timespec_of((uint64_t)us * 1000);

	while (!is_readable(l->in, 0))
		if (nanosleep(&nap, NULL) && errno != EINTR)
			err(1, "nanosleep");
}
