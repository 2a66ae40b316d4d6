/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A service: one or more servers (processes or threads) take calls of all tasks from one entrance,
 * such as a pipe or a listening socket. To add a kind of entrance, add an entry to the table of
 * service.c.
 */
#ifndef TESTS_TRUTH_SERVICE_H
#define TESTS_TRUTH_SERVICE_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "tests/truth/calls.h"
#include "tests/truth/log.h"
#include "tests/truth/plan.h"

struct service {
	const struct entrance *entrance;
	unsigned int server_cnt, patience_ms;
	/*
	 * Servers read calls from `in`, or accept connections at it. Tasks write calls to `out`, if
	 * the entrance is a pipe or a pair of datagram sockets.
	 */
	int in, out;
	/* the task's end of its connection to the service, if it has one */
	int clients[PLAN_TASKS_MAX];
	int servers[PLAN_TASKS_MAX];	 /* the service's end of the connection of each task */
	struct sockaddr_storage address; /* address of `in`, if `in` is a bound socket */
	socklen_t address_len;
	unsigned int taken_cnt, expected_cnt;
	struct answer knocked; /* the task that connected last, and the time */
};

/* A call that a server took, and the descriptor for the answer. */
struct service_visit {
	struct call call;
	int fd;
	struct sockaddr_in peer; /* the caller's address, if callers share fd */
};

struct service_server {
	struct service *service;
	struct log_task *log;
	unsigned int task;
	int epoll;    /* epoll descriptor; -1: the entrance needs none */
	bool is_last; /* this server took the last call */
};

/* Does nothing if the plan contains no calls. */
void service_open(struct service *s, const struct plan *plan);
const char *service_entrance(const struct plan *plan);

/* Sends a call, waits for its answer, and logs the wait. */
void service_call(struct service *s, struct log_task *log, unsigned int task, struct call call);

void service_server_init(struct service_server *ret, struct service *s, struct log_task *log,
			 unsigned int task);
/*
 * Waits for the next call and logs the wait. Returns false if the plan has no more calls for this
 * server. The caller serves the call and then calls service_answer().
 */
bool service_take(struct service_server *server, struct service_visit *ret);
void service_answer(struct service_server *server, const struct service_visit *visit);

#endif
