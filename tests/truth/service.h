/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One or more servers, processes or threads, that take calls of any task from one entrance. A
 * calling task waits while they serve earlier calls, and then for its own answer. To add a kind of
 * entrance, add an entry to the table of service.c.
 */
#ifndef TESTS_TRUTH_SERVICE_H
#define TESTS_TRUTH_SERVICE_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "tests/truth/calls.h"
#include "tests/truth/log.h"
#include "tests/truth/plan.h"

/* Lies in memory that all tasks share. */
struct service {
	const struct entrance *entrance;
	unsigned int server_cnt, patience_ms;
	int in, out;		     /* shared descriptors, or the listening one: to take from, to
				      * send to */
	int clients[PLAN_TASKS_MAX]; /* each task's own end, if it has one … */
	int servers[PLAN_TASKS_MAX]; /* … and the other end */
	struct sockaddr_storage address; /* of in, if it listens */
	socklen_t address_len;
	unsigned int taken_cnt, expected_cnt;
	struct answer knocked; /* the task that came last */
};

/* A call that a server took, and the descriptor over which to answer it. */
struct service_visit {
	struct call call;
	int fd;
	struct sockaddr_in peer; /* address for the answer, if all share fd */
};

/* Data of one server. */
struct service_server {
	struct service *service;
	struct log_task *log;
	unsigned int task;
	int epoll;    /* -1: not needed */
	bool is_last; /* it took the last call */
};

/* Does nothing for a plan without calls. */
void service_open(struct service *s, const struct plan *plan);
/* Returns NULL if there is none. */
const char *service_entrance(const struct plan *plan);

/* Asks, waits for the answer and logs the wait. */
void service_call(struct service *s, struct log_task *log, unsigned int task, struct call call);

void service_server_init(struct service_server *ret, struct service *s, struct log_task *log,
			 unsigned int task);
/* Returns false when the last call has been taken. The caller must answer a taken call. */
bool service_take(struct service_server *server, struct service_visit *ret);
void service_answer(struct service_server *server, const struct service_visit *visit);

#endif
