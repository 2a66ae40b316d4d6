// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See leases.h. The pool works like a fair lock (locks.c), but has several holders: one for each
 * connection.
 */
#include "tests/truth/leases.h"

#include <err.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void leases_open(struct leases *l, unsigned int cnt, unsigned int ask_cnt)
{
	memset(l, 0, sizeof(*l));
	l->cnt = cnt;
	l->expected_cnt = ask_cnt;
	for (unsigned int i = 0; i < cnt; i++) {
		int fds[2];

		if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
			err(1, "socketpair");
		l->clients[i] = fds[0];
		l->backends[i] = fds[1];
		l->places[i] = (struct lease){.called = i + 1, .number = (uint16_t)i};
	}
}

struct answer leases_take(struct leases *l, unsigned int task, unsigned int patience_ms)
{
	struct timespec tick = {.tv_nsec = (long)patience_ms * 1000000};
	uint32_t ticket = __atomic_fetch_add(&l->next, 1, __ATOMIC_SEQ_CST), called;
	struct lease *place = &l->places[ticket % LEASES_TICKETS];

	while ((called = __atomic_load_n(&place->called, __ATOMIC_SEQ_CST)) != ticket + 1)
		syscall(SYS_futex, &place->called, FUTEX_WAIT, called, patience_ms ? &tick : NULL,
			NULL, 0);
	l->held[task] = place->number;
	return place->how;
}

void leases_give(struct leases *l, unsigned int task)
{
	uint32_t ticket = __atomic_fetch_add(&l->given, 1, __ATOMIC_SEQ_CST) + l->cnt;
	struct lease *place = &l->places[ticket % LEASES_TICKETS];

	place->number = l->held[task];
	place->how = (struct answer){.at_ns = calls_now_ns(), .who = (uint16_t)task};
	__atomic_store_n(&place->called, ticket + 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &place->called, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void leases_send(struct leases *l, unsigned int task, struct call call)
{
	unsigned int asked = __atomic_add_fetch(&l->asked_cnt, 1, __ATOMIC_SEQ_CST);

	call.from = (uint16_t)task;
	call.at_ns = call.knocked_ns = calls_now_ns();
	calls_send(l->clients[l->held[task]], &call, sizeof(call));
	if (asked < l->expected_cnt)
		return;
	call.us = 0;
	for (unsigned int i = 0; i < l->cnt; i++) {
		call.at_ns = call.knocked_ns = calls_now_ns();
		calls_send(l->clients[i], &call, sizeof(call));
	}
}

struct answer leases_receive(struct leases *l, unsigned int task, unsigned int patience_ms)
{
	int fd = l->clients[l->held[task]];
	struct answer a;

	calls_await(fd, patience_ms);
	calls_receive(fd, &a, sizeof(a));
	return a;
}
